package dev.comity.testkit.wire;

import java.io.IOException;

/**
 * What the server does on one connection. When it ends, the connection is closed; when the other
 * side leaves first, the script ends with the {@code IOException} that this gives.
 */
@FunctionalInterface
public interface Script {
  void play(Wire wire) throws IOException, InterruptedException;

  /** Answers each request with the next of these replies, then closes. */
  static Script replying(String... replies) {
    return wire -> {
      for (String reply : replies) {
        if (wire.request().isEmpty()) {
          return;
        }
        wire.send(reply);
      }
    };
  }

  /** Answers every request with this reply until the other side leaves. */
  static Script alwaysReplying(String reply) {
    return wire -> {
      while (wire.request().isPresent()) {
        wire.send(reply);
      }
    };
  }

  /** Reads one request and never says a word. */
  static Script silent() {
    return wire -> {
      wire.request();
      wire.hold();
    };
  }
}
