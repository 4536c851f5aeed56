package dev.comity.testkit.sim;

import dev.comity.core.outcome.FetchOutcome.RateLimited;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** Refuses everything for a while after so many refusals of another server within a minute. */
public final class Banning implements SimServer {
  private static final Duration WITHIN = Duration.ofMinutes(1);

  private final SimServer server;
  private final int refusals;
  private final Duration ban;
  private final Deque<Duration> recent = new ArrayDeque<>();
  private Duration bannedUntil = Duration.ZERO;

  public Banning(SimServer server, int refusals, Duration ban) {
    this.server = server;
    this.refusals = refusals;
    this.ban = ban;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    if (now.compareTo(bannedUntil) < 0) {
      return SimReplies.TOO_FAST;
    }
    Reply reply = server.reply(now, random);
    if (reply.outcome() instanceof RateLimited) {
      recent.add(now);
      while (recent.getFirst().compareTo(now.minus(WITHIN)) < 0) {
        recent.removeFirst();
      }
      if (recent.size() >= refusals) {
        recent.clear();
        bannedUntil = now.plus(ban);
      }
    }
    return reply;
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return server.allowed(from, to);
  }
}
