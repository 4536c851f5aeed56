package dev.comity.web;

import dev.comity.core.outcome.Headers;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the body of an HTTP/1 answer ends. If an answer can be read in two ways, the client and
 * whoever stands between may read it differently, and the end of one is taken for the beginning of
 * the next.
 */
final class Framing {
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  private Framing() {}

  /** Whether there is one way to read it: one length, or chunks and nothing else. */
  static boolean isClear(Headers headers) {
    List<String> codings = headers.all("Transfer-Encoding");
    if (!codings.isEmpty()) {
      return codings.size() == 1 && codings.getFirst().strip().equalsIgnoreCase("chunked");
    }
    List<String> lengths = headers.all("Content-Length");
    return lengths.stream().distinct().count() <= 1
        && lengths.stream().allMatch(length -> LENGTH.matcher(length.strip()).matches());
  }
}
