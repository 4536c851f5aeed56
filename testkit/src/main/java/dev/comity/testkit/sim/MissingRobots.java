package dev.comity.testkit.sim;

import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.Success;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A server whose first page is missing, as the robots.txt of many sites is. Its limit counts that
 * answer like any other.
 */
public final class MissingRobots implements SimServer {
  private final SimServer server;
  private boolean asked;

  public MissingRobots(SimServer server) {
    this.server = server;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    Reply reply = server.reply(now, random);
    if (asked || !(reply.outcome() instanceof Success)) {
      return reply;
    }
    asked = true;
    return new Reply(new ClientError(404), reply.think(), reply.announced());
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return server.allowed(from, to);
  }
}
