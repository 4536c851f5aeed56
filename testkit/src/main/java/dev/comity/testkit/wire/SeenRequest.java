package dev.comity.testkit.wire;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A request as it came over the wire.
 *
 * @param connection which connection it came on, counted from 0
 * @param at when its first byte was read
 * @param line its first line
 * @param headers the lines after it, as written
 */
public record SeenRequest(int connection, Instant at, String line, List<String> headers) {

  /** The value of the first header of that name. */
  public Optional<String> header(String name) {
    return headers.stream()
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }
}
