package dev.comity.app.monitor;

import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Census;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/** Samples a crawl. It keeps the samples of the last seconds only. */
final class RateSampler {
  private static final Duration LATELY = Duration.ofSeconds(10);

  private final CrawlCounts counts;
  private final Run run;
  private final Budgets budgets;
  private final Supplier<CrawlSnapshot> looking;
  private final Supplier<Optional<Census>> counting;
  private final Optional<Instant> deadline;
  private final InstantSource time;
  private final Instant began;
  private Instant quietSince;
  private long requests;
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(Instant at, long pages) {}

  /**
   * @param deadline when it ends by itself
   */
  RateSampler(
      CrawlCounts counts,
      Run run,
      Budgets budgets,
      Supplier<CrawlSnapshot> looking,
      Supplier<Optional<Census>> counting,
      Optional<Instant> deadline,
      InstantSource time) {
    this.counts = counts;
    this.run = run;
    this.budgets = budgets;
    this.looking = looking;
    this.counting = counting;
    this.deadline = deadline;
    this.time = time;
    began = time.instant();
    quietSince = began;
  }

  synchronized Snapshot look() {
    Instant now = time.instant();
    long pages = counts.pages();
    double rate = rate(now, pages);
    Optional<Census> census = counting.get();
    if (counts.requests() != requests) {
      requests = counts.requests();
      quietSince = now;
    }
    return new Snapshot(
        now,
        Duration.between(began, now),
        pages,
        counts.failures(),
        counts.refusals(),
        requests,
        rate,
        left(now, pages, rate, census),
        budgets.inFlight(),
        looking.get(),
        census,
        quietSince);
  }

  private double rate(Instant now, long pages) {
    samples.addLast(new Sample(now, pages));
    while (samples.getFirst().at().isBefore(now.minus(LATELY))) {
      samples.removeFirst();
    }
    Sample first = samples.getFirst();
    long millis = Duration.between(first.at(), now).toMillis();
    return millis == 0 ? 0 : (pages - first.pages()) * 1000.0 / millis;
  }

  /**
   * The time left at this rate until the page budget, the known URLs or the time limit is used up.
   */
  private Optional<Duration> left(Instant now, long pages, double rate, Optional<Census> census) {
    long budget = Math.max(0, budgets.pages() - run.pages() - pages);
    long work = census.map(known -> Math.min(budget, known.urls())).orElse(budget);
    Optional<Duration> byPages =
        rate > 0 ? Optional.of(Duration.ofSeconds(Math.round(work / rate))) : Optional.empty();
    Optional<Duration> byTime =
        deadline.map(end -> now.isBefore(end) ? Duration.between(now, end) : Duration.ZERO);
    if (byPages.isEmpty() || byTime.isEmpty()) {
      return byPages.or(() -> byTime);
    }
    return byPages.get().compareTo(byTime.get()) < 0 ? byPages : byTime;
  }
}
