package dev.comity.app;

import dev.comity.core.port.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.SqliteStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Puts seeds into a store as they are read, so many at a time that a list of millions takes no more
 * memory than one of thousands, and counts what became of them.
 */
final class Ingestion {
  private static final int BATCH = 1000;

  private final SqliteStore store;
  private final Grouping grouping;
  private final boolean sitemaps;
  private final InstantSource clock;
  private final List<GivenSeed> batch = new ArrayList<>();
  private final BadLines bad = new BadLines();
  private final LeftOut leftOut;
  private long enqueued;
  private long duplicate;
  private long noRoom;

  /**
   * @param sitemaps whether what is called a sitemap is one
   * @param parkAfter a domain that must wait longer is said to be left out
   */
  Ingestion(
      SqliteStore store,
      Grouping grouping,
      boolean sitemaps,
      Duration parkAfter,
      InstantSource clock) {
    this.store = store;
    this.grouping = grouping;
    this.sitemaps = sitemaps;
    this.clock = clock;
    leftOut = new LeftOut(parkAfter);
  }

  void file(String name, SeedFiles files) {
    files.read(
        name,
        new SeedReader.Taker() {
          @Override
          public void seed(GivenSeed seed) {
            batch.add(seed);
            if (batch.size() == BATCH) {
              flush();
            }
          }

          @Override
          public void bad(long number, String why) {
            bad.add(name, number, why);
          }
        });
    flush();
  }

  private void flush() {
    if (batch.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    List<QueuedUrl> entries = batch.stream().map(seed -> seed.entry(sitemaps)).toList();
    SqliteStore.Entered entered = store.enter(entries, now);
    enqueued += entered.added();
    noRoom += entered.noRoom();
    duplicate += entries.size() - entered.added() - entered.noRoom();
    store.rank(GivenSeed.ranks(batch, grouping), now);
    Set<DomainName> domains = new LinkedHashSet<>();
    batch.forEach(seed -> domains.add(grouping.domainOf(seed.seed().url())));
    domains.forEach(domain -> leftOut.look(store, domain, now));
    batch.clear();
  }

  boolean hasBadLines() {
    return bad.count() > 0;
  }

  List<String> complaints() {
    return bad.words();
  }

  /** Domains that were named and will not be asked. */
  List<String> leftOut() {
    return leftOut.words();
  }

  String words() {
    return "%s enqueued, %d known already, %d refused%s"
        .formatted(
            Words.count(enqueued, "seed"),
            duplicate,
            bad.count(),
            noRoom == 0 ? "" : ", " + noRoom + " without room in their domain");
  }

  Fields fields() {
    return Fields.none()
        .and("enqueued", enqueued)
        .and("duplicate", duplicate)
        .and("refused", bad.count())
        .and("no_room", noRoom)
        .and("left_out", leftOut.count())
        .and("refusals", bad.words())
        .and("closed", leftOut.words());
  }
}
