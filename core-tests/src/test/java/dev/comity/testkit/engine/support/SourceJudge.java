package dev.comity.testkit.engine.support;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Watches the paces of sources: whatever their domains and workers, their URLs start an interval
 * apart. Within one process that holds for the first bytes, in a fleet for the turns.
 */
public final class SourceJudge {
  /** What is written down of a broken rule. */
  interface Checks {
    void check(boolean holds, String rule, Object about);
  }

  /** By the number of the source: less than the global interval, more, and that itself. */
  private static final List<Optional<Duration>> INTERVALS =
      List.of(
          Optional.of(Duration.ofMillis(300)),
          Optional.of(Duration.ofSeconds(7)),
          Optional.empty());

  private final Checks checks;
  private final Map<CrawlUrl, Optional<String>> sourceOf = new HashMap<>();
  private final Map<String, Instant> lastTurn = new HashMap<>();
  private final Map<String, Instant> lastStart = new HashMap<>();
  private boolean ofFleet;
  private int starts;

  SourceJudge(Checks checks) {
    this.checks = checks;
  }

  /** Makes so many sources, and gives every second seed to one of them. */
  public static QueuedUrl given(int number, int sources, QueuedUrl seed, MemoryStore store) {
    for (int source = 0; source < sources; source++) {
      store.sources().addSource("source" + source, INTERVALS.get(source));
    }
    return sources == 0 || number % 2 == 1 ? seed : seed.of("source" + number / 2 % sources);
  }

  /** How many requests of sources started. */
  public int starts() {
    return starts;
  }

  void areOfFleet() {
    ofFleet = true;
  }

  /** A worker has taken this URL. */
  void taken(QueuedUrl entry) {
    sourceOf.put(entry.url(), entry.source());
  }

  /** What a dead process had on its way does not arrive. */
  void processDied() {
    lastStart.clear();
  }

  private Optional<String> source(CrawlUrl url, Want want) {
    return want == Want.ROBOTS ? Optional.empty() : sourceOf.getOrDefault(url, Optional.empty());
  }

  private static Duration interval(String source) {
    int number = source.charAt(source.length() - 1) - '0';
    return INTERVALS.get(number).orElse(Duration.ofSeconds(1));
  }

  /** A request was allowed to leave. */
  void turn(CrawlUrl url, Want want, Instant now) {
    source(url, want).ifPresent(name -> apart(lastTurn, name, url, now));
  }

  /** The site sees the first byte. */
  void leaves(CrawlUrl url, Want want, Instant now) {
    Optional<String> source = source(url, want);
    starts += source.isPresent() ? 1 : 0;
    if (!ofFleet) {
      source.ifPresent(name -> apart(lastStart, name, url, now));
    }
  }

  private void apart(Map<String, Instant> last, String source, CrawlUrl url, Instant now) {
    Instant before = last.put(source, now);
    checks.check(
        before == null || !now.isBefore(before.plus(interval(source))),
        "too soon after " + before + " of " + source,
        url);
  }
}
