package dev.comity.store.source;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** Adds single URLs, each with an answer. Runs in a transaction that writes. */
public final class UrlOffers {
  private final Statements sql;
  private final Function<CrawlUrl, @Nullable Long> known;
  private final ToIntBiFunction<QueuedUrl, Instant> entering;
  private final StoreSettings settings;
  private final SourceRows sources;

  /**
   * @param known the row of a known URL; null for an unknown one
   * @param entering adds a URL that is not known; returns 0 if its domain has no room
   */
  public UrlOffers(
      Statements sql,
      StoreSettings settings,
      Function<CrawlUrl, @Nullable Long> known,
      ToIntBiFunction<QueuedUrl, Instant> entering) {
    this.sql = sql;
    this.known = known;
    this.entering = entering;
    this.settings = settings;
    sources = new SourceRows(sql, settings.policy().minimumInterval());
  }

  /** Adds a URL, after the checks in the order of their cost. */
  public AddAnswer offer(QueuedUrl url, Instant now) {
    DomainName domain = settings.grouping().domainOf(url.url());
    return refusal(url, domain, now)
        .<AddAnswer>map(AddAnswer.Refused::new)
        .orElseGet(() -> enter(url, domain, now));
  }

  private Optional<String> refusal(QueuedUrl url, DomainName domain, Instant now) {
    Optional<String> unknown =
        url.source()
            .filter(name -> !sql.exists("SELECT 1 FROM sources WHERE name = ?", name))
            .map("source is %s, but there is none of that name: add it first"::formatted);
    return unknown.isPresent() ? unknown : closed(domain, now);
  }

  /** A domain that is closed stays closed, whichever of its URLs is named. */
  private Optional<String> closed(DomainName domain, Instant now) {
    Optional<String> damage =
        sql.first(
            "SELECT damage FROM domains WHERE domain = ? AND damage IS NOT NULL",
            row -> "%s is set aside as damaged: %s".formatted(domain, row.getString(1)),
            domain.name());
    return damage.isPresent()
        ? damage
        : Stored.stateOf(sql, domain)
            .map(DomainState::standing)
            .filter(standing -> !standing.mayBeAsked())
            .filter(standing -> standing.until().filter(end -> !end.isAfter(now)).isEmpty())
            .flatMap(
                standing ->
                    standing
                        .reason()
                        .map(
                            reason ->
                                "%s is closed (%s)%s; a reset opens it"
                                    .formatted(
                                        domain,
                                        StateColumns.lower(reason.name()),
                                        standing.until().map(end -> " until " + end).orElse(""))));
  }

  private AddAnswer enter(QueuedUrl url, DomainName domain, Instant now) {
    Long row = known.apply(url.url());
    if (row != null) {
      url.source().ifPresent(name -> join(row, name));
      return new AddAnswer.Duplicate();
    }
    if (entering.applyAsInt(url, now) == 0) {
      if (known.apply(url.url()) != null) {
        // Another worker was quicker.
        return new AddAnswer.Duplicate();
      }
      return new AddAnswer.Refused(
          "%s has %d unfinished URLs, the most a domain may have"
              .formatted(domain, settings.limits().maxUnfinished()));
    }
    return url.source()
        .map(sources::pace)
        .flatMap(pace -> pace.dueAfter(now).map(due -> deferred(url, pace, now, due)))
        .orElseGet(() -> new AddAnswer.Enqueued(false));
  }

  private void join(long url, String source) {
    sql.update(
        "UPDATE domain_frontier SET source_id = (SELECT id FROM sources WHERE name = ?)"
            + " WHERE id = ? AND source_id IS NULL",
        source,
        url);
  }

  /** The audit keeps a line: a deferral can be looked up after its process has ended. */
  private AddAnswer deferred(QueuedUrl url, SourcePace pace, Instant now, Instant due) {
    Duration interval = pace.interval().orElseThrow();
    AddAnswer.Deferred deferred =
        new AddAnswer.Deferred(SourcePace.waitSeconds(now, due), interval, due.minus(interval));
    sql.update(
        "INSERT INTO audit (at, actor, action, subject, reason, detail)"
            + " VALUES (?, 'comity', 'deferred', ?, ?, ?)",
        now.toEpochMilli(),
        url.url().toString(),
        "source " + url.source().orElseThrow(),
        "wait %d s, interval %s, last start %s"
            .formatted(deferred.waitSeconds(), interval, deferred.lastStart()));
    return deferred;
  }
}
