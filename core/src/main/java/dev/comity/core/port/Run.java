package dev.comity.core.port;

import dev.comity.core.url.DomainName;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The run that a process works on.
 *
 * @param continued whether it was begun earlier
 * @param pages pages it had settled when this process joined
 * @param unkept answers it had not kept by then
 * @param starts domains that seeds' redirects had led to by then
 * @param superseded the unfinished run on other terms that was closed for this one
 */
public record Run(
    long id,
    boolean continued,
    long pages,
    long unkept,
    Set<DomainName> starts,
    OptionalLong superseded) {

  public Run {
    starts = Set.copyOf(starts);
  }

  /** A run that begins. */
  public static Run begun(long id, OptionalLong superseded) {
    return new Run(id, false, 0, 0, Set.of(), superseded);
  }
}
