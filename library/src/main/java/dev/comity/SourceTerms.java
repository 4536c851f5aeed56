package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.Seed;
import dev.comity.store.DataDirectory;
import dev.comity.store.operate.DirectorySources;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sources of a crawl, and the URLs that are added while it runs. Thread-safe. */
final class SourceTerms {
  private final Map<String, Duration> intervals = new LinkedHashMap<>();
  private final Map<Seed, String> sourceOf = new LinkedHashMap<>();
  private @Nullable CrawlSession session;
  private @Nullable CrawlStore store;
  private @Nullable Crawl crawl;

  /** A source with this interval; a seed is of the first source it was given with. */
  synchronized void source(String name, Duration interval) {
    intervals.put(name, interval);
  }

  synchronized void seed(Seed seed, String source) {
    sourceOf.putIfAbsent(seed, source);
  }

  /** Makes the sources in the store of the crawl, with these intervals. */
  synchronized void make(CrawlStore begun, Optional<DataDirectory> directory) {
    make(
        begun instanceof MemoryStore memory
            ? memory.sources()
            : new DirectorySources(directory.orElseThrow(), "library", InstantSource.system()));
  }

  private void make(SourceOperations sources) {
    intervals.forEach(
        (name, interval) -> {
          if (!sources.addSource(name, Optional.of(interval))) {
            sources.setInterval(name, Optional.of(interval));
          }
        });
  }

  /** A seed on its way into the frontier. */
  synchronized QueuedUrl entry(Seed seed) {
    return QueuedUrl.seed(seed.url(), seed.fallback()).of(Optional.ofNullable(sourceOf.get(seed)));
  }

  synchronized void begins(CrawlSession begun, CrawlStore used, Crawl running) {
    session = begun;
    store = used;
    crawl = running;
  }

  synchronized void ends() {
    session = null;
    store = null;
    crawl = null;
  }

  /** Adds a URL to the crawl at work; empty where none is. */
  Optional<AddAnswer> addRunning(String url, Optional<String> source) {
    CrawlSession running;
    CrawlStore used;
    Crawl begun;
    synchronized (this) {
      running = session;
      used = store;
      begun = crawl;
    }
    return running == null || used == null || begun == null
        ? Optional.empty()
        : Optional.of(running.add(used, begun, url, source));
  }

  /** Adds a URL to a data directory, after the sources of this crawl. */
  synchronized AddAnswer addTo(
      DataDirectory directory, CrawlSession described, String url, Optional<String> source) {
    return described.addTo(
        directory,
        url,
        source,
        () -> make(new DirectorySources(directory, "library", InstantSource.system())));
  }
}
