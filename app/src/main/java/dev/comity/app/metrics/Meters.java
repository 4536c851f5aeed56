package dev.comity.app.metrics;

import dev.comity.app.text.Words;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Counts what a crawl does. Names and labels are few and fixed: no name of a domain is among them,
 * so no site can make them grow. All are there from the beginning, at 0. Gauges are read from the
 * crawl's snapshot at each scrape.
 */
public final class Meters implements CrawlListener {
  private static final Duration[] SPACING = millis(1, 5, 10, 25, 50, 100, 250, 500, 1000, 5000);
  private static final Duration[] LATENCY =
      millis(10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000);

  private final MeterRegistry registry;
  private final Gaps gaps = new Gaps();
  private final Map<Category, Counter> requests;
  private final Map<CloseReason, Counter> closed;
  private final Counter bytes;
  private final Counter pages;
  private final ImageMeters images;
  private final Counter rateLimited;
  private final Counter retries;
  private final Counter cancellations;
  private final Counter deferrals;
  private final Counter fewerAtOnce;
  private final Counter moreAtOnce;
  private final Counter claimsWon;
  private final Counter claimsLost;
  private final Counter claimsExpired;
  private final Counter violations;
  private final Timer spacing;
  private final Timer latency;
  private volatile Supplier<CrawlSnapshot> looking = () -> CrawlSnapshot.NOTHING;
  private volatile Supplier<Optional<Census>> counting = Optional::empty;
  private volatile CrawlSnapshot seen = CrawlSnapshot.NOTHING;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
    requests =
        each(
            Category.class,
            "comity.requests",
            "outcome",
            Category::code,
            "Requests by outcome, unsent ones included.");
    closed =
        each(
            CloseReason.class,
            "comity.domains.closed",
            "reason",
            reason -> Words.of(reason),
            "Domains that were blocked or found unreachable.");
    bytes = counter("comity.received", "Bytes read of bodies, before decoding.", "bytes");
    pages = counter("comity.pages", "Pages that have their answer.");
    images = new ImageMeters(registry);
    rateLimited = counter("comity.rate.limited", "Answers that ask to slow down, such as 429.");
    retries = counter("comity.retries", "Failures after which a URL is asked again.");
    cancellations =
        counter("comity.cancellations", "Jobs given up; a job is one domain in one run.");
    deferrals =
        counter(
            "comity.source.deferrals",
            "Times that a domain had only URLs left whose sources had no turn.");
    fewerAtOnce = overrides("down");
    moreAtOnce = overrides("up");
    claimsWon = claims("won");
    claimsLost = claims("lost");
    claimsExpired = claims("expired");
    violations =
        counter(
            "comity.spacing.violations",
            "Requests that started sooner after the last one than the delay allows. Must be 0.");
    spacing =
        timer(
            "comity.spacing.error",
            "How long after the end of its wait a request's first byte left.",
            SPACING);
    latency =
        timer("comity.latency", "From a request's first byte to the first of its answer.", LATENCY);
    gauges();
  }

  private void gauges() {
    gauge("comity.requests.in.flight", "Requests under way.", CrawlSnapshot::inFlight);
    gauge(
        "comity.requests.ready",
        "Domains with a request ready and no free slot.",
        CrawlSnapshot::queuing);
    gauge("comity.limiter.entries", "Domains with their pace in memory.", CrawlSnapshot::paced);
    gauge("comity.domains.claimed", "Domains this process holds.", now -> now.domains().size());
    gauge(
        "comity.domains.resting",
        "Domains this process holds that rest after a refusal or failure.",
        now -> now.domains().stream().filter(Meters::rests).count());
    gauge(
        "comity.outage", "1 while our own network seems to be down.", now -> now.outage() ? 1 : 0);
    Gauge.builder("comity.urls.queued", this, all -> all.counted(Census::urls))
        .description("URLs of the run not asked yet, counted every few seconds.")
        .register(registry);
    for (DomainStatus status : DomainStatus.values()) {
      Gauge.builder("comity.domains", this, all -> all.counted(now -> now.domains(status)))
          .tag("status", Words.of(status))
          .description("Domains of the run by status, counted every few seconds.")
          .register(registry);
    }
  }

  /** Sets the sources of the gauges. */
  public void watch(Supplier<CrawlSnapshot> glance, Supplier<Optional<Census>> census) {
    looking = glance;
    counting = census;
  }

  /** Takes one snapshot for all gauges of a scrape. */
  void look() {
    seen = looking.get();
  }

  private double counted(ToDoubleFunction<Census> number) {
    return counting.get().map(number::applyAsDouble).orElse(Double.NaN);
  }

  private static boolean rests(CrawlSnapshot.AtWork domain) {
    return domain.waiting().filter(CrawlSnapshot.Wait::rest).isPresent();
  }

  @Override
  public void claimed(Claim claim) {
    claimsWon.increment();
    if (claim.takenOver()) {
      claimsExpired.increment();
    }
  }

  @Override
  public void waiting(DomainName domain, Instant until, String why) {
    gaps.waiting(domain, until);
  }

  @Override
  public void started(DomainName domain, Attempt attempt) {
    Gaps.Gap gap = gaps.started(domain, attempt);
    if (gap.tooSoon()) {
      violations.increment();
    }
    gap.late().ifPresent(spacing::record);
  }

  @Override
  public void answered(DomainName domain, Attempt attempt, Fetched fetched) {
    Category category = fetched.outcome().category();
    of(requests, category).increment();
    if (category == Category.RATE_LIMITED) {
      rateLimited.increment();
    }
    bytes.increment((double) fetched.bytes());
    fetched.firstByte().ifPresent(latency::record);
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    images.settled(settlement);
    if (settlement.isPage()) {
      pages.increment();
    } else if (settlement.fate() instanceof Fate.Retry retry && retry.spendsRetry()) {
      retries.increment();
    }
  }

  @Override
  public void changed(DomainName domain, Change change) {
    if (change instanceof Change.Concurrency(var from, var to)) {
      (to < from ? fewerAtOnce : moreAtOnce).increment();
    }
  }

  @Override
  public void deferred(DomainName domain, String source, Instant until) {
    deferrals.increment();
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    switch (ending) {
      case Ending.Lost _ -> claimsLost.increment();
      case Ending.JobFailed _ -> cancellations.increment();
      case Ending.Closed(var standing) ->
          standing.reason().ifPresent(reason -> of(closed, reason).increment());
      case Ending.Exhausted _,
          Ending.RestUntil _,
          Ending.DueLater _,
          Ending.DomainOutOfBudget _,
          Ending.RunOutOfBudget _,
          Ending.SetAside _,
          Ending.Borrowed _,
          Ending.Paused _,
          Ending.Stopped _ -> {}
    }
  }

  private static <K extends Enum<K>> Counter of(Map<K, Counter> counters, K key) {
    Counter counter = counters.get(key);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + key);
    }
    return counter;
  }

  private <K extends Enum<K>> Map<K, Counter> each(
      Class<K> keys, String name, String label, Function<K, String> word, String meaning) {
    Map<K, Counter> counters = new EnumMap<>(keys);
    for (K key : keys.getEnumConstants()) {
      counters.put(
          key,
          Counter.builder(name)
              .tag(label, word.apply(key))
              .description(meaning)
              .register(registry));
    }
    return counters;
  }

  private Counter counter(String name, String meaning) {
    return Counter.builder(name).description(meaning).register(registry);
  }

  private Counter counter(String name, String meaning, String unit) {
    return Counter.builder(name).description(meaning).baseUnit(unit).register(registry);
  }

  private Counter overrides(String direction) {
    return Counter.builder("comity.concurrency.overrides")
        .tag("direction", direction)
        .description("Times a domain's pace allowed fewer or more requests at once than before.")
        .register(registry);
  }

  private Counter claims(String result) {
    return Counter.builder("comity.claims")
        .tag("result", result)
        .description(
            "Domains claimed, lost to another worker, and taken over after an expired claim.")
        .register(registry);
  }

  private Timer timer(String name, String meaning, Duration... buckets) {
    return Timer.builder(name)
        .description(meaning)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  private void gauge(String name, String meaning, ToDoubleFunction<CrawlSnapshot> number) {
    Gauge.builder(name, this, all -> number.applyAsDouble(all.seen))
        .description(meaning)
        .register(registry);
  }

  private static Duration[] millis(int... bounds) {
    Duration[] all = new Duration[bounds.length];
    for (int number = 0; number < bounds.length; number++) {
      all[number] = Duration.ofMillis(bounds[number]);
    }
    return all;
  }
}
