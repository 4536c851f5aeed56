package dev.comity.app.history;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request as Scrapy writes it: a Python dictionary, by {@code pickle} or {@code marshal}, whose
 * first key is {@code url}. Only texts are read. A pickle can name any code to run; none is run.
 */
sealed interface ScrapyRequest {
  /** The key after its length, of one byte or of four. */
  Pattern METHOD = Pattern.compile("\u0006(?:\\x00{3})?method");

  /** A request for a URL. */
  record Get(String url) implements ScrapyRequest {}

  /** Anything else. */
  record Unreadable(String why) implements ScrapyRequest {}

  /** Reads an entry of a queue. */
  static ScrapyRequest read(byte[] entry) {
    ByteBuffer in = ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN);
    boolean pickle = entry.length > 0 && (entry[0] & 0xff) == 0x80;
    Optional<String> key = next(in, pickle);
    Optional<String> url = next(in, pickle);
    if (!key.equals(Optional.of("url")) || url.isEmpty()) {
      return new Unreadable("the entry is no request: it does not begin with its URL");
    }
    Optional<String> method = method(in, pickle);
    return method.isPresent() && !method.get().equals("GET")
        ? new Unreadable("the request is no GET, and Comity sends no other")
        : new Get(url.get());
  }

  /** The next text, if only the opening of dictionaries and marks of memory lie before it. */
  private static Optional<String> nextOfPickle(ByteBuffer in) {
    while (in.hasRemaining()) {
      switch (in.get() & 0xff) {
        case 0x80 -> skip(in, 1); // the protocol
        case 0x95 -> skip(in, 8); // a frame
        case '}', '(', 0x94 -> {} // a dictionary, a mark, a memo
        case 'q' -> skip(in, 1); // a memo with its number
        case 'r' -> skip(in, 4);
        case 0x8c -> {
          return text(in, in.hasRemaining() ? in.get() & 0xff : -1);
        }
        case 'X' -> {
          return text(in, in.remaining() >= 4 ? in.getInt() : -1);
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /** The text after the key {@code method}, wherever it is. */
  private static Optional<String> method(ByteBuffer in, boolean pickle) {
    String rest = StandardCharsets.ISO_8859_1.decode(in.duplicate()).toString();
    Matcher key = METHOD.matcher(rest);
    if (!key.find()) {
      return Optional.empty();
    }
    in.position(in.position() + key.end());
    return next(in, pickle);
  }

  private static Optional<String> next(ByteBuffer in, boolean pickle) {
    return pickle ? nextOfPickle(in) : nextOfMarshal(in);
  }

  /** As above; a type with its highest bit set is one that others refer to. */
  private static Optional<String> nextOfMarshal(ByteBuffer in) {
    while (in.hasRemaining()) {
      switch (in.get() & 0x7f) {
        case '{' -> {}
        case 'z', 'Z' -> {
          return text(in, in.hasRemaining() ? in.get() & 0xff : -1);
        }
        case 'u', 't', 'a', 'A' -> {
          return text(in, in.remaining() >= 4 ? in.getInt() : -1);
        }
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static void skip(ByteBuffer in, int bytes) {
    in.position(Math.min(in.limit(), in.position() + bytes));
  }

  private static Optional<String> text(ByteBuffer in, int length) {
    if (length < 0 || length > in.remaining()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return Optional.of(new String(bytes, StandardCharsets.UTF_8));
  }
}
