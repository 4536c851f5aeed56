package dev.comity.app.monitor;

import dev.comity.app.output.JsonLines;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes one JSON object per event: a domain is treated differently, waits long, or is left. {@link
 * ChangeNotes} and {@link PageNotes} print the same as text.
 */
final class EventLines implements CrawlListener {
  private static final String INFO = "info";
  private static final String WARN = "warn";

  private final Consumer<String> out;
  private final InstantSource time;
  private final Deferrals deferrals = new Deferrals();

  EventLines(Consumer<String> out, InstantSource time) {
    this.out = out;
    this.time = time;
  }

  /** What every event begins with. */
  static Fields event(Instant now, String level, String event) {
    return Fields.none().and("time", now).and("level", level).and("event", event);
  }

  /** Words for people, as an event. */
  static String note(Instant now, String words) {
    return JsonLines.line(event(now, INFO, "note").and("message", words));
  }

  @Override
  public void changed(DomainName domain, Change change) {
    fields(domain, change).ifPresent(this::write);
  }

  private Optional<Fields> fields(DomainName domain, Change change) {
    return switch (change) {
      case Change.Throttle(var from, var to, var rule, var refusals) ->
          Optional.of(
              of(INFO, "throttle", domain)
                  .and("delay_ms", to)
                  .and("was_ms", from)
                  .and("why", rule.words())
                  .and("streak", refusals));
      case Change.IncidentOpened(var delay, var until) ->
          Optional.of(refused(domain, 1, until).and("delay_ms", delay));
      case Change.RefusedAgain(var inARow, var until) ->
          Optional.of(refused(domain, inARow, until));
      case Change.Concurrency(var from, var to) ->
          Optional.of(of(INFO, "concurrency", domain).and("most", to).and("was", from));
      case Change.AuthorityGivenUp(var reason) ->
          Optional.of(of(WARN, "robots_given_up", domain).and("why", reason.code()));
      case Change.TemplateSuppressed(var template, var why) ->
          Optional.of(of(INFO, "trap", domain).and("template", template).and("why", why));
      case Change.JobCancelled(var refusals) ->
          Optional.of(of(WARN, "cancelled", domain).and("streak", refusals));
      // Told once the domain is left, with those closed for what was not an answer.
      case Change.Closed _,
          Change.IncidentEnded _,
          Change.ProbeBegun _,
          Change.ProbeStood _,
          Change.ProbeEnded _ ->
          Optional.empty();
    };
  }

  private Fields refused(DomainName domain, int streak, Instant until) {
    return of(INFO, "refused", domain)
        .and("why", "the site refused a request and we rest")
        .and("streak", streak)
        .and("until", until);
  }

  @Override
  public void waiting(DomainName domain, Instant until, String why) {
    Instant now = time.instant();
    if (deferrals.isWorthALine(domain, until, why, now)) {
      write(
          of(INFO, "deferred", domain)
              .and("wait_ms", now.isBefore(until) ? Duration.between(now, until) : Duration.ZERO)
              .and("until", until)
              .and("why", why));
    }
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    deferrals.ended(domain);
    switch (ending) {
      case Ending.Exhausted _ -> write(of(INFO, "exhausted", domain));
      case Ending.Closed(var standing) -> write(closed(domain, standing));
      case Ending.RestUntil(var at, var why) ->
          write(of(INFO, "parked", domain).and("until", at).and("why", why));
      case Ending.DueLater(var at, var why) ->
          write(of(INFO, "deferred", domain).and("until", at).and("why", why));
      case Ending.JobFailed(var why) -> write(of(WARN, "job_failed", domain).and("why", why));
      case Ending.DomainOutOfBudget _ -> write(of(INFO, "budget_spent", domain));
      case Ending.SetAside(var why) -> write(of(WARN, "set_aside", domain).and("why", why));
      case Ending.Paused _ -> write(of(INFO, "paused", domain));
      case Ending.Lost _ -> write(of(WARN, "claim_lost", domain));
      case Ending.RunOutOfBudget _, Ending.Borrowed _, Ending.Stopped _ -> {}
    }
  }

  private Fields closed(DomainName domain, Standing standing) {
    return of(WARN, "closed", domain)
        .and("status", Words.of(standing.status()))
        .and("reason", standing.reason().map(reason -> Words.of(reason)))
        .and("why", standing.words())
        .and("until", standing.until());
  }

  @Override
  public void shared(SharedBudgets.BudgetChange change) {
    write(
        event(time.instant(), INFO, change.endedFor().isEmpty() ? "budget_shared" : "budget_ended")
            .and("address", change.address())
            .and("domains", change.domains().stream().map(DomainName::name).toList())
            .and("delay_ms", change.delay())
            .and("why", change.why()));
  }

  @Override
  public void outage(boolean ours) {
    write(event(time.instant(), WARN, ours ? "outage" : "outage_over"));
  }

  @Override
  public void shortOfDescriptors(long limit) {
    write(
        event(time.instant(), WARN, "short_of_descriptors")
            .and("limit", limit)
            .and("why", RunSummary.shortOfDescriptors(limit)));
  }

  private Fields of(String level, String event, DomainName domain) {
    return event(time.instant(), level, event).and("domain", domain);
  }

  private void write(Fields fields) {
    out.accept(JsonLines.line(fields));
  }
}
