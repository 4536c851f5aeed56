package dev.comity.testkit.sim;

import dev.comity.core.outcome.FetchOutcome.RateLimited;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.random.RandomGenerator;

/**
 * Adds a date to another server's refusals. A date has whole seconds only, so what is left of the
 * time asked for is up to a second less.
 */
public final class Saying implements SimServer {
  private final SimServer server;
  private final Duration time;

  public Saying(SimServer server, Duration time) {
    this.server = server;
    this.time = time;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    Reply reply = server.reply(now, random);
    if (!(reply.outcome() instanceof RateLimited)) {
      return reply;
    }
    Duration date = now.plus(time).truncatedTo(ChronoUnit.SECONDS);
    return SimReplies.tooFast(date.minus(now));
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return server.allowed(from, to);
  }
}
