package dev.comity.core.engine;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Kind;
import dev.comity.core.port.Fetcher.Want;
import dev.comity.core.port.LinkExtractor.Extraction;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.port.Settlement.PageContent;
import dev.comity.core.port.Timeline;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One request under way: it asks, reads what came, and reports its start and its end to the worker
 * that sent it.
 */
final class Flight {
  static final int MOST_HOPS = 5;

  private final Kind kind;
  private final CrawlUrl url;
  private final QueuedUrl entry;
  private final Duration delay;
  private final CrawlParts parts;
  private final Consumer<Report> inbox;
  private final Runnable wake;
  private volatile Optional<Instant> startedAt = Optional.empty();

  /**
   * @param entry the URL it is sent for: the page itself, or the page whose robots.txt is asked
   */
  Flight(
      Kind kind,
      CrawlUrl url,
      QueuedUrl entry,
      Duration delay,
      CrawlParts parts,
      Consumer<Report> inbox,
      Runnable wake) {
    this.kind = kind;
    this.url = url;
    this.entry = entry;
    this.delay = delay;
    this.parts = parts;
    this.inbox = inbox;
    this.wake = wake;
  }

  /** What the worker hears. */
  sealed interface Report {}

  record Started(Flight flight, Instant at) implements Report {}

  record Answer(
      Flight flight,
      Optional<Instant> startedAt,
      Instant at,
      Fetched fetched,
      List<CrawlUrl> links,
      Optional<PageContent> content)
      implements Report {}

  Kind kind() {
    return kind;
  }

  CrawlUrl url() {
    return url;
  }

  QueuedUrl entry() {
    return entry;
  }

  Duration delay() {
    return delay;
  }

  void run() {
    Timeline time = parts.time();
    Answer answer =
        new Answer(this, startedAt, time.instant(), cancelled(), List.of(), Optional.empty());
    try {
      Fetched fetched = parts.fetcher().fetch(url, want(), this::started);
      answer = read(fetched, time.instant());
    } catch (InterruptedException _) {
      answer =
          new Answer(this, startedAt, time.instant(), cancelled(), List.of(), Optional.empty());
    } finally {
      report(answer);
    }
  }

  private Answer read(Fetched fetched, Instant at) {
    if (kind == Kind.PAGE && fetched.outcome() instanceof Success page) {
      Extraction extraction;
      try {
        extraction = parts.links().extract(url, page);
      } catch (RuntimeException | StackOverflowError broken) {
        // A page nobody can read costs that page, never the crawl.
        FetchOutcome unreadable =
            new Undecodable(
                page.code(), "reading it failed with " + broken.getClass().getSimpleName());
        return new Answer(
            this,
            startedAt,
            at,
            new Fetched(unreadable, fetched.firstByte(), fetched.total(), fetched.bytes()),
            List.of(),
            Optional.empty());
      }
      PageContent content =
          new PageContent(
              extraction.title(), extraction.text(), page.headers().first("content-type"));
      return new Answer(this, startedAt, at, fetched, extraction.links(), Optional.of(content));
    }
    return new Answer(this, startedAt, at, fetched, List.of(), Optional.empty());
  }

  private void started() {
    Instant now = parts.time().instant();
    startedAt = Optional.of(now);
    report(new Started(this, now));
  }

  private void report(Report report) {
    inbox.accept(report);
    wake.run();
  }

  private Want want() {
    return switch (kind) {
      case PAGE -> Want.PAGE;
      case ROBOTS -> Want.ROBOTS;
    };
  }

  private static Fetched cancelled() {
    return new Fetched(new Cancelled(), Optional.empty(), Duration.ZERO, 0);
  }
}
