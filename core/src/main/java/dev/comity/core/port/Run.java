package dev.comity.core.port;

import java.util.OptionalLong;

/**
 * The run that a process works on.
 *
 * @param continued whether it was begun earlier and not ended
 * @param pages pages it had settled when this process joined
 * @param unkept answers it had not kept by then
 * @param superseded the unfinished run on other terms that was closed for this one
 */
public record Run(
    long id, boolean continued, long pages, long unkept, OptionalLong superseded) {

  /** A run that begins. */
  public static Run begun(long id, OptionalLong superseded) {
    return new Run(id, false, 0, 0, superseded);
  }
}
