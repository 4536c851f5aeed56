package dev.comity.testkit.sim;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.Headers;
import dev.comity.testkit.sim.SimServer.Reply;
import java.time.Duration;
import java.util.Optional;

/** Answers that servers share. */
public final class SimReplies {
  public static final Reply PAGE = Reply.of(new Success(200, Headers.NONE, Body.EMPTY));
  public static final Reply TOO_FAST = Reply.of(new RateLimited(429, Optional.empty()));
  public static final Reply BROKEN = Reply.of(new ServerError(500));
  public static final Reply SILENCE =
      new Reply(new TimedOut("no answer within 5 s"), Duration.ofSeconds(5));

  private SimReplies() {}

  public static Reply tooFast(Duration retryAfter) {
    return Reply.of(new RateLimited(429, Optional.of(retryAfter)));
  }
}
