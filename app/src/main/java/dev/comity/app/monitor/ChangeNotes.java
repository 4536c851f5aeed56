package dev.comity.app.monitor;

import dev.comity.app.process.Screen;
import dev.comity.app.text.Standings;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Prints one line when a domain is treated differently than before, with the reason. */
public final class ChangeNotes implements CrawlListener {
  private final Screen screen;
  private final InstantSource time;
  private final Deferrals deferrals = new Deferrals();

  public ChangeNotes(Screen screen, InstantSource time) {
    this.screen = screen;
    this.time = time;
  }

  @Override
  public void changed(DomainName domain, Change change) {
    spoken(change).ifPresent(words -> screen.line(domain + ": " + words));
  }

  @Override
  public void shared(SharedBudgets.BudgetChange change) {
    boolean begins = change.endedFor().isEmpty();
    screen.line(
        "%s: %d domains %s: %s"
            .formatted(
                change.address(),
                change.domains().size(),
                begins ? "share one budget" : "share no budget any more",
                change.why()));
  }

  @Override
  public void outage(boolean ours) {
    screen.line(
        ours
            ? "Most sites that answered before cannot be reached: the network here seems to be"
                + " down. Pausing."
            : "The network is back. Going on.");
  }

  @Override
  public void shortOfDescriptors(long limit) {
    screen.line(RunSummary.shortOfDescriptors(limit));
  }

  @Override
  public void waiting(DomainName domain, Instant until, String why) {
    Instant now = time.instant();
    if (!screen.isLive() && deferrals.isWorthALine(domain, until, why, now)) {
      screen.line(
          "%s: waiting until %s (%s): %s"
              .formatted(
                  domain,
                  Timestamps.near(until, now),
                  Durations.rounded(Duration.between(now, until)),
                  why));
    }
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    deferrals.ended(domain);
    if (ending instanceof Ending.Closed(var standing)) {
      screen.line(domain + ": " + Standings.spoken(standing));
    } else if (ending instanceof Ending.Paused) {
      screen.line(domain + ": " + Words.paused(domain.name()));
    }
  }

  static Optional<String> spoken(Change change) {
    return switch (change) {
      case Change.Throttle(var from, var to, var rule, var refusals) ->
          Optional.of(
              "%s between requests instead of %s, set by %s%s"
                  .formatted(
                      Durations.seconds(to),
                      Durations.seconds(from),
                      rule.words(),
                      refusals == 0 ? "" : " (" + refusals + " in a row)"));
      case Change.IncidentOpened(_, var until) ->
          Optional.of("refused; resting until " + Timestamps.second(until));
      case Change.RefusedAgain(var inARow, var until) ->
          Optional.of(
              "refused " + inARow + " times in a row; resting until " + Timestamps.second(until));
      case Change.AuthorityGivenUp(var reason) ->
          Optional.of("one of its robots.txt files cannot be had (" + reason.code() + ")");
      case Change.TemplateSuppressed(var template, var why) ->
          Optional.of(
              "nothing more is asked of %s: %s (comity trap-lift asks it again)"
                  .formatted(Printable.text(template), why));
      case Change.JobCancelled(var refusals) ->
          Optional.of("given up after " + refusals + " refusals in a row at the longest delay");
      // Told once the domain is left, with those closed for what was not an answer.
      case Change.Closed _,
          Change.IncidentEnded _,
          Change.ProbeBegun _,
          Change.ProbeStood _,
          Change.ProbeEnded _,
          Change.Concurrency _ ->
          Optional.empty();
    };
  }
}
