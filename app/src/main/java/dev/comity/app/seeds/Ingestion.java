package dev.comity.app.seeds;

import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.operate.Intake;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts seeds into a store as they are read, so many at a time that a list of millions takes no more
 * memory than one of thousands, and counts what became of them.
 */
public final class Ingestion {
  private final Intake intake;
  private final Grouping grouping;
  private final boolean sitemaps;
  private final InstantSource clock;
  private final List<GivenSeed> batch = new ArrayList<>();
  private final BadLines bad = new BadLines();
  private final LeftOut leftOut = new LeftOut(false);
  private String origin = "";
  private long enqueued;
  private long later;
  private long duplicate;
  private long noRoom;

  /**
   * @param sitemaps whether what is called a sitemap is one
   */
  public Ingestion(Intake intake, Grouping grouping, boolean sitemaps, InstantSource clock) {
    this.intake = intake;
    this.grouping = grouping;
    this.sitemaps = sitemaps;
    this.clock = clock;
  }

  public void file(String name, SeedFiles files) {
    origin = SeedOrigin.file(name);
    files.read(name, taker(name));
    flush();
  }

  /** Empties a list in Redis: a seed leaves it when it is in the store. */
  public void list(RedisSeedList list) {
    origin = list.shown();
    while (list.take(Intake.BATCH, taker(list.shown())) > 0) {
      flush();
      list.stored();
    }
  }

  private SeedReader.Taker taker(String name) {
    return new SeedReader.Taker() {
      @Override
      public void seed(long number, GivenSeed seed) {
        batch.add(seed);
        if (batch.size() == Intake.BATCH) {
          flush();
        }
      }

      @Override
      public void bad(long number, long count, String why) {
        bad.add(name, number, count, why);
      }
    };
  }

  private void flush() {
    if (batch.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    List<QueuedUrl> entries = batch.stream().map(seed -> seed.entry(sitemaps)).toList();
    Map<DomainName, String> origins = new LinkedHashMap<>();
    batch.forEach(seed -> origins.put(grouping.domainOf(seed.seed().url()), origin));
    Intake.Taken taken = intake.take(entries, GivenSeed.ranks(batch, grouping), origins, now);
    enqueued += taken.added();
    later += taken.later();
    noRoom += taken.noRoom();
    duplicate += entries.size() - taken.added() - taken.noRoom();
    origins.forEach(
        (domain, _) -> leftOut.look(intake.state(domain), intake.isPaused(domain), domain, now));
    batch.clear();
  }

  /** Whether there was anything good in all files together. */
  public boolean hasSeeds() {
    return enqueued + duplicate + noRoom > 0;
  }

  public boolean hasBadLines() {
    return bad.count() > 0;
  }

  public List<String> complaints() {
    return bad.words();
  }

  /** Domains that were named and will not be asked. */
  public List<String> leftOut() {
    return leftOut.words();
  }

  /** Which crawl takes the new seeds, if one is running. */
  public Optional<String> takingCrawl() {
    if (!intake.isBesideCrawl() || enqueued == 0) {
      return Optional.empty();
    }
    String next = "`comity crawl` without a URL takes %s when that has ended";
    return Optional.of(
        later == 0
            ? "The running crawl takes them, as far as its budgets go."
            : "The running crawl is about other domains"
                + (later == enqueued
                    ? "; " + next.formatted("them")
                    : " than those of %d of them; ".formatted(later) + next.formatted("these"))
                + ".");
  }

  public String words() {
    return "%s enqueued, %d known already, %d refused%s"
        .formatted(
            Words.count(enqueued, "seed"),
            duplicate,
            bad.count(),
            noRoom == 0 ? "" : ", " + noRoom + " without room in their domain");
  }

  public Fields fields() {
    return Fields.none()
        .and("enqueued", enqueued)
        .and("duplicate", duplicate)
        .and("refused", bad.count())
        .and("no_room", noRoom)
        .and("beside_crawl", intake.isBesideCrawl())
        .and("for_next_crawl", later)
        .and("left_out", leftOut.count())
        .and("refusals", bad.words())
        .and("closed", leftOut.words());
  }
}
