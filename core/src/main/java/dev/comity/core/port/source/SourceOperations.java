package dev.comity.core.port.source;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What operators do with sources, also beside running crawls. */
public interface SourceOperations {

  /**
   * A source.
   *
   * @param interval its own interval; empty for the global one, zero for none
   * @param lastStart when a request for one of its URLs last started
   * @param urls how many URLs it has
   * @param unfinished how many of these are queued, deferred or in flight
   */
  record SourceRecord(
      String name,
      Optional<Duration> interval,
      Optional<Instant> lastStart,
      long urls,
      long unfinished) {}

  /** Adds a source; answers whether the name is new. A known source stays as it is. */
  boolean addSource(String name, Optional<Duration> interval);

  /** Sets the interval of a source; answers the source as it was, or nothing if it is unknown. */
  Optional<SourceRecord> setInterval(String name, Optional<Duration> interval);

  /** All sources, by name. */
  List<SourceRecord> sources();

  /**
   * Removes a source. Its URLs stay, without a source: they wait for their domains alone.
   *
   * @return how many URLs that are; empty if the source is unknown
   */
  OptionalLong removeSource(String name);
}
