package dev.comity.web.http;

import dev.comity.core.outcome.Headers;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where the body of an HTTP/1 answer ends. If an answer can be framed in two ways, the client and a
 * proxy may frame it differently, and the end of one is taken for the beginning of the next.
 */
final class Framing {
  /** More digits make no length that fits into anything. */
  private static final int MOST_DIGITS = 18;

  private Framing() {}

  /** The answer can be read in two ways, and what follows it too. */
  static final class UnclearEnd extends IOException {}

  /** Whether there is one way to read it: one length, or chunks and nothing else. */
  static boolean isClear(Headers headers) {
    List<String> codings = headers.all("transfer-encoding");
    if (!codings.isEmpty()) {
      return codings.size() == 1 && codings.getFirst().strip().equalsIgnoreCase("chunked");
    }
    List<String> lengths = headers.elements("content-length");
    for (String length : lengths) {
      if (!length.equals(lengths.getFirst()) || !isLength(length)) {
        return false;
      }
    }
    return true;
  }

  /** How many bytes the body has, where clear headers say so; said twice alike it is one length. */
  static OptionalLong length(Headers headers) {
    List<String> lengths = headers.elements("content-length");
    boolean announced = headers.first("transfer-encoding").isEmpty() && isClear(headers);
    return announced && !lengths.isEmpty()
        ? OptionalLong.of(Long.parseLong(lengths.getFirst()))
        : OptionalLong.empty();
  }

  private static boolean isLength(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) < '0' || text.charAt(at) > '9') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MOST_DIGITS;
  }
}
