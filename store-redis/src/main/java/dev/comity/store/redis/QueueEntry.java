package dev.comity.store.redis;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

/**
 * A link as a queue keeps it: its URL, and of its referrer how much of it is the same, and the
 * rest. Its depth is in the score.
 *
 * @param member what the sorted set has
 */
record QueueEntry(String member, int depth) {
  /** The depth is the upper part of a score, the order of arrival the lower one. */
  static final double DEPTHS = 1L << 38;

  static final int DEEPEST = 32_767;
  private static final int HASH = 12;

  /** Whether a link can wait in a queue: what is special about others is kept in the store. */
  static boolean fits(QueuedUrl url) {
    return url.kind() == Kind.PAGE
        && url.depth() > 0
        && url.depth() <= DEEPEST
        && url.hops() == 0
        && url.asked() == 0
        && url.triesSpent() == 0
        && url.fallback().isEmpty()
        && url.source().isEmpty()
        && url.visits().isEmpty();
  }

  static QueueEntry of(QueuedUrl url) {
    String text = url.url().toString();
    String rest = "";
    if (url.referrer().isPresent()) {
      String from = url.referrer().get().toString();
      int same = 0;
      while (same < Math.min(from.length(), text.length())
          && from.charAt(same) == text.charAt(same)) {
        same++;
      }
      rest = "\n" + same + " " + from.substring(same);
    }
    return new QueueEntry(text + rest, url.depth());
  }

  static QueueEntry of(byte[] member, byte[] score) {
    double number = Double.parseDouble(new String(score, StandardCharsets.US_ASCII));
    return new QueueEntry(new String(member, StandardCharsets.UTF_8), (int) (number / DEPTHS));
  }

  /** The link; empty if it cannot be read. */
  Optional<QueuedUrl> url() {
    String[] lines = member.split("\n", 2);
    if (!(CrawlUrl.parse(lines[0]) instanceof CrawlUrl url)) {
      return Optional.empty();
    }
    Optional<CrawlUrl> referrer = Optional.empty();
    if (lines.length == 2) {
      String[] from = lines[1].split(" ", 2);
      if (from.length == 2 && from[0].matches("\\d{1,5}")) {
        int same = Math.min(Integer.parseInt(from[0]), lines[0].length());
        referrer =
            CrawlUrl.parse(lines[0].substring(0, same) + from[1]) instanceof CrawlUrl page
                ? Optional.of(page)
                : Optional.empty();
      }
    }
    return Optional.of(
        new QueuedUrl(url, depth, referrer, 0, 0, 0, Optional.empty(), Optional.empty()));
  }

  /** What a queue remembers of a URL: 96 bits of its SHA-256. */
  static byte[] hash(CrawlUrl url) {
    try {
      return Arrays.copyOf(
          MessageDigest.getInstance("SHA-256")
              .digest(url.toString().getBytes(StandardCharsets.UTF_8)),
          HASH);
    } catch (NoSuchAlgorithmException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
