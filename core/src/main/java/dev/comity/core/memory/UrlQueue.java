package dev.comity.core.memory;

import dev.comity.core.port.Frontier.Next;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** The URLs of one domain: each enters once, and stays until it is finished. */
final class UrlQueue {
  /**
   * @param late behind what nobody tried
   */
  private record Place(QueuedUrl entry, long age, Instant due, boolean late) {}

  private static final Comparator<Place> ORDER =
      Comparator.<Place>comparingInt(place -> place.late() ? 1 : 0)
          .thenComparingInt(place -> place.entry().hops() > 0 ? 0 : 1)
          .thenComparingInt(place -> place.entry().depth())
          .thenComparingLong(Place::age);

  private final Set<CrawlUrl> known = new HashSet<>();
  private final PriorityQueue<Place> ready = new PriorityQueue<>(ORDER);
  private final PriorityQueue<Place> deferred =
      new PriorityQueue<>(Comparator.comparing(Place::due).thenComparing(ORDER));
  private final Map<CrawlUrl, Place> inFlight = new LinkedHashMap<>();

  /** Those nearest to a seed, as they are asked again when all others have come to nothing. */
  private final Map<CrawlUrl, QueuedUrl> entrances = new LinkedHashMap<>();

  private int entranceDepth = Integer.MAX_VALUE;
  private final int mostUnfinished;
  private long arrivals;
  private int skipped;

  UrlQueue(int mostUnfinished) {
    this.mostUnfinished = mostUnfinished;
  }

  boolean add(QueuedUrl entry) {
    // What finds no room is not known either: it may come again when there is some.
    if (size() >= mostUnfinished || !known.add(entry.url())) {
      return false;
    }
    keepEntrance(entry);
    return ready.add(new Place(entry, arrivals++, Instant.MIN, entry.asked() > 0));
  }

  /** Remembers a URL that is not asked; answers whether it is new. As many are kept as queued. */
  boolean skip(CrawlUrl url) {
    boolean added = skipped < mostUnfinished && known.add(url);
    skipped += added ? 1 : 0;
    return added;
  }

  private void keepEntrance(QueuedUrl entry) {
    if (entry.depth() < entranceDepth) {
      entrances.clear();
      entranceDepth = entry.depth();
    }
    if (entry.depth() == entranceDepth) {
      entrances.put(entry.url(), entry);
    }
  }

  Next next(Instant now) {
    promote(now);
    Place best = ready.poll();
    if (best != null) {
      inFlight.put(best.entry().url(), best);
      return new Next.Ready(best.entry());
    }
    Place later = deferred.peek();
    return later == null ? new Next.Empty() : new Next.DueAt(later.due());
  }

  void defer(QueuedUrl entry, Instant due) {
    Place place = inFlight.remove(entry.url());
    if (place == null) {
      deferred.add(new Place(entry, arrivals++, due, entry.asked() > 0));
      return;
    }
    boolean late = place.late() || entry.asked() > place.entry().asked();
    deferred.add(new Place(entry, place.age(), due, late));
  }

  void finish(QueuedUrl entry) {
    inFlight.remove(entry.url());
    entrances.computeIfPresent(entry.url(), (_, _) -> entry.unspent());
  }

  /** Queues again where the domain was entered, should nothing else be left to ask. */
  void enterAgain() {
    if (isEmpty()) {
      entrances
          .values()
          .forEach(entry -> ready.add(new Place(entry, arrivals++, Instant.MIN, false)));
    }
  }

  void giveBack(QueuedUrl entry) {
    Place place = inFlight.remove(entry.url());
    if (place != null) {
      ready.add(place);
    }
  }

  /** Whether it was taken as it is here, and nothing became of it since. */
  boolean isInFlight(QueuedUrl entry) {
    Place place = inFlight.get(entry.url());
    return place != null && place.entry().equals(entry);
  }

  void returnInFlight() {
    ready.addAll(inFlight.values());
    inFlight.clear();
  }

  boolean isEmpty() {
    return size() == 0;
  }

  int size() {
    return ready.size() + deferred.size() + inFlight.size();
  }

  Instant firstDue(Instant now) {
    promote(now);
    Place later = deferred.peek();
    return ready.isEmpty() && later != null ? later.due() : Instant.MIN;
  }

  private void promote(Instant now) {
    for (Place first = deferred.peek();
        first != null && !first.due().isAfter(now);
        first = deferred.peek()) {
      ready.add(deferred.remove());
    }
  }
}
