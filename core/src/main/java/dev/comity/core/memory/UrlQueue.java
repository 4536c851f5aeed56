package dev.comity.core.memory;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The frontier of one domain: each URL enters once, and stays until it is finished. Most domains
 * have few URLs or none left, so small collections cost next to no memory.
 */
final class UrlQueue {
  /**
   * @param late behind URLs that were not tried
   */
  private record Place(QueuedUrl entry, int age, Instant due, boolean late) {
    private Place with(QueuedUrl other) {
      return new Place(other, age, due, late);
    }
  }

  private static final Comparator<Place> ORDER =
      Comparator.<Place>comparingInt(place -> place.late() ? 1 : 0)
          .thenComparingInt(place -> place.entry().hops() > 0 ? 0 : 1)
          .thenComparingInt(place -> place.entry().depth())
          .thenComparingInt(Place::age);

  /** An empty queue, to which nothing is added. */
  private static final Queue<Place> NONE = new PriorityQueue<>(1, ORDER);

  private static final Comparator<Place> BY_DUE =
      Comparator.comparing(Place::due).thenComparing(ORDER);

  /** Known URLs other than entrances: most domains have one URL, which is the entrance. */
  private Set<CrawlUrl> known = Set.of();

  private Queue<Place> ready = NONE;
  private Queue<Place> deferred = NONE;
  private Map<CrawlUrl, Place> inFlight = Map.of();

  /** The URLs nearest to a seed: they are fetched again after a cooldown. */
  private Map<CrawlUrl, QueuedUrl> entrances = Map.of();

  /** When the first source has a turn, if all URLs waited for sources. */
  private Instant sourcesDue = Instant.MIN;

  private final int mostUnfinished;
  private int arrivals;
  private int skipped;

  /** How many of those ready and deferred are images. */
  private int images;

  UrlQueue(int mostUnfinished) {
    this.mostUnfinished = mostUnfinished;
  }

  boolean add(QueuedUrl entry) {
    // A URL without room stays unknown: it may come again when there is room.
    if (size() >= mostUnfinished || isKnown(entry.url())) {
      return false;
    }
    if (!keepEntrance(entry)) {
      know(entry.url());
    }
    makeReady(new Place(entry, arrivals++, Instant.MIN, entry.asked() > 0));
    lookAgain();
    return true;
  }

  boolean isKnown(CrawlUrl url) {
    return entrances.containsKey(url) || known.contains(url);
  }

  private void know(CrawlUrl url) {
    if (known.isEmpty()) {
      known = Set.of(url);
      return;
    }
    if (known.size() == 1) {
      known = new HashSet<>(known);
    }
    known.add(url);
  }

  private void makeReady(Place place) {
    images += isImage(place) ? 1 : 0;
    if (ready.isEmpty()) {
      ready = new PriorityQueue<>(1, ORDER);
    }
    ready.add(place);
  }

  private static boolean isImage(Place place) {
    return place.entry().kind() == Kind.IMAGE;
  }

  private void makeDeferred(Place place) {
    images += isImage(place) ? 1 : 0;
    if (deferred.isEmpty()) {
      deferred = new PriorityQueue<>(1, BY_DUE);
    }
    deferred.add(place);
  }

  private @Nullable Place land(CrawlUrl url) {
    if (!inFlight.containsKey(url)) {
      return null;
    }
    Place place = inFlight.remove(url);
    if (inFlight.isEmpty()) {
      inFlight = Map.of();
    }
    return place;
  }

  /** Remembers a skipped URL; answers whether it is new. As many are kept as queued. */
  boolean skip(CrawlUrl url) {
    boolean added = skipped < mostUnfinished && !isKnown(url);
    if (added) {
      know(url);
      skipped++;
    }
    return added;
  }

  /** Keeps the URL if it is an entrance; answers whether it is. */
  private boolean keepEntrance(QueuedUrl entry) {
    int depth = entrances.isEmpty() ? entry.depth() : entrances.values().iterator().next().depth();
    if (entry.depth() < depth) {
      entrances.keySet().forEach(this::know);
      entrances = Map.of();
    }
    boolean isOne = entry.depth() <= depth;
    if (isOne) {
      putEntrance(entry);
    }
    return isOne;
  }

  private void putEntrance(QueuedUrl entry) {
    boolean isOnly =
        entrances.isEmpty() || (entrances.size() == 1 && entrances.containsKey(entry.url()));
    if (isOnly) {
      entrances = Map.of(entry.url(), entry);
      return;
    }
    if (entrances.size() == 1) {
      entrances = new LinkedHashMap<>(entrances);
    }
    entrances.put(entry.url(), entry);
  }

  /** The same page; if it equals an entrance, that object, which saves memory. */
  QueuedUrl shared(QueuedUrl page) {
    QueuedUrl entrance = entrances.get(page.url());
    return entrance != null && entrance.equals(page) ? entrance : page;
  }

  /** Queues a known page, to be fetched for its links. */
  void askForLinks(QueuedUrl page) {
    makeReady(new Place(page.forLinks(), arrivals++, Instant.MIN, false));
  }

  /** Queues a known page, to be visited again. */
  void visitAgain(QueuedUrl page) {
    makeReady(new Place(page, arrivals++, Instant.MIN, false));
  }

  Next next(Instant now, Wanted wanted, SourceWaits waits) {
    promote(now);
    Place best = best(wanted);
    boolean passesOver = best != null && until(best, waits, now).isPresent();
    if (passesOver) {
      best =
          ready.stream()
              .filter(place -> wanted.takes(place.entry().kind()))
              .filter(place -> until(place, waits, now).isEmpty())
              .min(ORDER)
              .orElse(null);
    }
    if (best != null) {
      takeReady(best);
      images -= isImage(best) ? 1 : 0;
      if (ready.isEmpty()) {
        ready = NONE;
      }
      if (inFlight.isEmpty()) {
        inFlight = new LinkedHashMap<>(4);
      }
      inFlight.put(best.entry().url(), best);
      return new Next.Ready(best.entry());
    }
    Place later = first(deferred, BY_DUE, wanted);
    Optional<Next.DueAt> atSource = passesOver ? firstSource(now, wanted, waits) : Optional.empty();
    if (atSource.isPresent() && (later == null || atSource.get().at().isBefore(later.due()))) {
      return atSource.get();
    }
    return later == null ? new Next.Empty() : new Next.DueAt(later.due());
  }

  private static Optional<Instant> until(Place place, SourceWaits waits, Instant now) {
    return place.entry().source().flatMap(name -> waits.until(name, now));
  }

  /** The first source that has a turn again, of the URLs that wait for theirs. */
  private Optional<Next.DueAt> firstSource(Instant now, Wanted wanted, SourceWaits waits) {
    return ready.stream()
        .filter(place -> wanted.takes(place.entry().kind()))
        .flatMap(
            place ->
                until(place, waits, now)
                    .map(at -> new Next.DueAt(at, place.entry().source()))
                    .stream())
        .min(Comparator.comparing(Next.DueAt::at));
  }

  /** All URLs wait for sources until then, unless one has arrived meanwhile. */
  void dueLater(Instant at, Instant now, MemorySources sources) {
    promote(now);
    sourcesDue = hasReady(now, sources) ? Instant.MIN : at;
  }

  /** The next holder looks at the URLs. */
  void lookAgain() {
    sourcesDue = Instant.MIN;
  }

  /** Whether a URL is ready whose source has a turn. */
  private boolean hasReady(Instant now, MemorySources sources) {
    return ready.stream()
        .anyMatch(
            place ->
                place.entry().source().flatMap(name -> sources.pace(name).dueAfter(now)).isEmpty());
  }

  /** How many URLs of a source are not finished. */
  long unfinishedOf(String source) {
    return Stream.of(ready, deferred, inFlight.values())
        .flatMap(Collection::stream)
        .filter(place -> place.entry().source().equals(Optional.of(source)))
        .count();
  }

  /** Changes URLs that are ready or deferred; answers whether any has changed. */
  boolean rewrite(UnaryOperator<QueuedUrl> change) {
    List<Place> before = Stream.concat(ready.stream(), deferred.stream()).toList();
    boolean changed =
        before.stream().anyMatch(place -> !change.apply(place.entry()).equals(place.entry()));
    if (changed) {
      Queue<Place> oldReady = ready;
      Queue<Place> oldDeferred = deferred;
      ready = NONE;
      deferred = NONE;
      images = 0;
      oldReady.forEach(place -> makeReady(place.with(change.apply(place.entry()))));
      oldDeferred.forEach(place -> makeDeferred(place.with(change.apply(place.entry()))));
    }
    return changed;
  }

  private void takeReady(Place place) {
    // The first is found at once.
    ready.remove(place);
  }

  private @Nullable Place best(Wanted wanted) {
    return first(ready, ORDER, wanted);
  }

  /** Looks at all of them only where some are not wanted. */
  private @Nullable Place first(Queue<Place> queue, Comparator<Place> order, Wanted wanted) {
    return takesAll(wanted)
        ? queue.peek()
        : queue.stream()
            .filter(place -> wanted.takes(place.entry().kind()))
            .min(order)
            .orElse(null);
  }

  private boolean takesAll(Wanted wanted) {
    return wanted == Wanted.ANY || (wanted == Wanted.PAGES && images == 0);
  }

  /** Whether nothing wanted is ready or deferred, and nothing in flight. */
  boolean isEmpty(Wanted wanted) {
    return switch (wanted) {
      case ANY -> isEmpty();
      case PAGES -> size() == images;
      case IMAGES -> images == 0 && inFlight.isEmpty();
    };
  }

  /** Whether an image is ready or deferred. */
  boolean hasImages() {
    return images > 0;
  }

  void defer(QueuedUrl entry, Instant due) {
    Place place = land(entry.url());
    if (place == null) {
      makeDeferred(new Place(entry, arrivals++, due, entry.asked() > 0));
      return;
    }
    boolean late = place.late() || entry.asked() > place.entry().asked();
    makeDeferred(new Place(entry, place.age(), due, late));
  }

  void finish(QueuedUrl entry) {
    land(entry.url());
    if (entrances.containsKey(entry.url())) {
      putEntrance(entry.asPage().unspent());
    }
  }

  /** Queues the entrances again, if nothing else is left. */
  void enterAgain() {
    if (isEmpty()) {
      entrances
          .values()
          .forEach(entry -> makeReady(new Place(entry, arrivals++, Instant.MIN, false)));
    }
  }

  void giveBack(QueuedUrl entry) {
    Place place = land(entry.url());
    if (place != null) {
      makeReady(place);
    }
  }

  /** Whether this entry was taken and is not settled yet. */
  boolean isInFlight(QueuedUrl entry) {
    Place place = inFlight.get(entry.url());
    return place != null && place.entry().equals(entry);
  }

  void returnInFlight() {
    inFlight.values().forEach(this::makeReady);
    inFlight = Map.of();
  }

  boolean isEmpty() {
    return size() == 0;
  }

  int size() {
    return ready.size() + deferred.size() + inFlight.size();
  }

  Instant firstDue(Instant now, Wanted wanted) {
    promote(now);
    Place later = first(deferred, BY_DUE, wanted);
    return best(wanted) == null && later != null ? later.due() : sourcesDue;
  }

  private void promote(Instant now) {
    for (Place first = deferred.peek();
        first != null && !first.due().isAfter(now);
        first = deferred.peek()) {
      Place due = deferred.remove();
      images -= isImage(due) ? 1 : 0;
      makeReady(due);
    }
    if (deferred.isEmpty()) {
      deferred = NONE;
    }
  }
}
