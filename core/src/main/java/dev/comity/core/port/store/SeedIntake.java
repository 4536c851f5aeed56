package dev.comity.core.port.store;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How URLs enter frontiers without a claim, and what is known of seeds beside their URL.
 * Thread-safe; a write that returns normally is durable.
 */
public interface SeedIntake {

  /**
   * Adds URLs to their domains' frontiers, each once. A domain that had nothing left becomes
   * pending. A {@link QueuedUrl#isSkipped skipped} URL is known from then on, and finished.
   *
   * @return how many URLs entered. Known and skipped URLs do not count. Nor do URLs without room in
   *     their domain, or of one sub-domain too many
   */
  int add(List<QueuedUrl> urls, Instant now);

  /**
   * Adds links to the frontiers that were kept outside and are in scope now.
   *
   * @param about which domains the run is about
   * @return how many entered
   */
  int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope, Instant now);

  /** Keeps what a list says of images, after they were added. A store in memory keeps nothing. */
  default void describe(Map<CrawlUrl, String> captions, Instant now) {}

  /**
   * Sets the rank of domains in a list of well-known sites, from 1. It counts in their priority
   * from now on. Unknown domains are left out.
   */
  void rank(Map<DomainName, Long> ranks, Instant now);

  /**
   * Stores what domains of seeds came from: the command line, a file, a source. The first origin
   * stays. Unknown domains are left out.
   */
  default void keepOrigins(Map<DomainName, String> origins) {}

  /**
   * Stores the kind of address of seeds, after they were added. A kind stored before stays, and a
   * named seed stays named. Seeds of unknown domains are left out.
   *
   * @return what is stored of them now
   */
  List<SeedAddress> keepAddresses(List<SeedAddress> seeds);
}
