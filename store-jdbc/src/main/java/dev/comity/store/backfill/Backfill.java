package dev.comity.store.backfill;

import dev.comity.store.backfill.HistoryStore.Opened;
import dev.comity.store.backfill.HistoryStore.UrlsTaken;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Writes a gathered history into a store.
 *
 * @param origin what new domains came from
 * @param closes whether a domain is closed when most of its requests failed
 */
public record Backfill(StagedHistory staged, String origin, boolean closes) {
  /** Domains of a log of the fifth document's shape. */
  public static final String CRAWL_LOG = "backfill_crawl_log";

  private static final int NAMED = 20;

  /** A backfill of a log, which has every request. */
  public Backfill(StagedHistory staged) {
    this(staged, CRAWL_LOG, true);
  }

  /**
   * What was done.
   *
   * @param domains how many domains became what
   * @param closed how many new domains are closed, by reason
   * @param held names of domains that could not be changed, as far as they are worth it
   */
  public record BackfillResult(
      Map<Opened, Long> domains, Map<String, Long> closed, UrlsTaken urls, List<String> held) {
    public long domains(Opened what) {
      return domains.getOrDefault(what, 0L);
    }
  }

  /**
   * Writes everything.
   *
   * @param progress hears after each domain how many were written
   */
  public BackfillResult write(HistoryStore store, LongConsumer progress) {
    Tally tally = new Tally();
    each(
        domain -> {
          Opened opened =
              domain.isUnvisited() && !store.knows(domain.name().name())
                  ? Opened.UNVISITED
                  : store.open(domain, origin);
          tally.opened(domain, opened);
          if (opened == Opened.NEW || opened == Opened.KNOWN) {
            staged.urls(domain, urls -> tally.urls = tally.urls.and(store.take(urls)));
            store.end();
          }
          progress.accept(tally.written());
        });
    store.commit();
    return tally.done();
  }

  /** What {@link #write} would find; nothing is written. */
  public BackfillResult look(StoredHistory store) {
    Tally tally = new Tally();
    each(
        domain -> {
          Opened unknown = domain.isUnvisited() ? Opened.UNVISITED : Opened.NEW;
          tally.opened(domain, store.knows(domain.name().name()) ? Opened.KNOWN : unknown);
        });
    return tally.done();
  }

  private void each(Consumer<PastDomain> domains) {
    staged.each(domain -> domains.accept(closes ? domain : domain.open()));
  }

  /** Counts while domains pass by. */
  private static final class Tally {
    private final Map<Opened, Long> domains = new EnumMap<>(Opened.class);
    private final Map<String, Long> closed = new TreeMap<>();
    private final List<String> held = new ArrayList<>();
    private UrlsTaken urls = UrlsTaken.NONE;

    void opened(PastDomain domain, Opened opened) {
      domains.merge(opened, 1L, Long::sum);
      if (opened == Opened.NEW) {
        domain.closed().ifPresent(why -> closed.merge(why.name(), 1L, Long::sum));
      }
      if ((opened == Opened.HELD || opened == Opened.DAMAGED) && held.size() < NAMED) {
        held.add(domain.name().name());
      }
    }

    long written() {
      return domains.values().stream().mapToLong(Long::longValue).sum();
    }

    BackfillResult done() {
      return new BackfillResult(domains, closed, urls, held);
    }
  }
}
