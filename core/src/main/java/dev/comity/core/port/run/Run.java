package dev.comity.core.port.run;

import dev.comity.core.url.DomainName;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The run that a process works on.
 *
 * @param continued whether it was begun earlier
 * @param pages pages it had settled when this process joined
 * @param unkept answers that were not kept by then
 * @param starts domains that redirects of seeds had led to by then
 * @param reread known pages that are fetched again for their links, because the scope is wider
 * @param superseded the unfinished run on other terms that was closed for this one
 * @param images images it had kept by then
 */
public record Run(
    long id,
    boolean continued,
    long pages,
    long unkept,
    Set<DomainName> starts,
    int reread,
    OptionalLong superseded,
    long images) {

  public Run {
    starts = Set.copyOf(starts);
  }

  /** A run that fetches no known page again. */
  public Run(
      long id,
      boolean continued,
      long pages,
      long unkept,
      Set<DomainName> starts,
      OptionalLong superseded) {
    this(id, continued, pages, unkept, starts, 0, superseded, 0);
  }

  /** The same run with so many images kept. */
  public Run withImages(long kept) {
    return new Run(id, continued, pages, unkept, starts, reread, superseded, kept);
  }

  /** The same run with so many known pages to fetch again for their links. */
  public Run rereading(int known) {
    return new Run(id, continued, pages, unkept, starts, known, superseded, images);
  }

  /** A run that begins. */
  public static Run begun(long id, OptionalLong superseded) {
    return new Run(id, false, 0, 0, Set.of(), superseded);
  }
}
