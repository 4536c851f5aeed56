package dev.comity.testkit.sim;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** A quota by the clock whose every answer says how much of it is left, and until when. */
public final class Announcing implements SimServer {
  private final FixedWindow quota;
  private final int requests;
  private final Duration window;
  private long current = -1;
  private int asked;

  public Announcing(int requests, Duration window) {
    this.quota = new FixedWindow(requests, window, false);
    this.requests = requests;
    this.window = window;
  }

  @Override
  public Reply reply(Duration now, RandomGenerator random) {
    long index = now.dividedBy(window);
    asked = index == current ? asked + 1 : 1;
    current = index;
    long reset = window.multipliedBy(index + 1).minus(now).plusMillis(999).toSeconds();
    String says = "\"sim\";r=" + Math.max(0, requests - asked) + ";t=" + reset;
    Reply reply = quota.reply(now, random);
    return new Reply(
        reply.outcome(),
        reply.think(),
        Announced.read(Headers.of(Map.of("RateLimit", List.of(says))), Instant.EPOCH));
  }

  @Override
  public double allowed(Duration from, Duration to) {
    return quota.allowed(from, to);
  }
}
