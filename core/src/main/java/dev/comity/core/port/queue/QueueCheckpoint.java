package dev.comity.core.port.queue;

import java.util.Optional;

/**
 * How far the queue of a domain outside of its store was written.
 *
 * @param epoch which queue it was; a queue that is made anew has another
 * @param seq how many URLs had ever entered it
 * @param size how many URLs waited in it
 * @param overCap how many URLs had no room since the last checkpoint
 */
public record QueueCheckpoint(String epoch, long seq, long size, long overCap) {
  private static final String HOME = "redis";

  /** As a domain's row names it. */
  public String id() {
    return HOME + ":" + epoch + ":" + seq;
  }

  /** This checkpoint, where the one before was not written. */
  public QueueCheckpoint after(QueueCheckpoint before) {
    return new QueueCheckpoint(epoch, seq, size, overCap + before.overCap);
  }

  /** What a domain's row has; empty if that names no queue. */
  public static Optional<QueueCheckpoint> parse(String id, long size) {
    String[] parts = id.split(":", -1);
    return parts.length == 3 && parts[0].equals(HOME) && parts[2].matches("\\d{1,18}")
        ? Optional.of(new QueueCheckpoint(parts[1], Long.parseLong(parts[2]), size, 0))
        : Optional.empty();
  }
}
