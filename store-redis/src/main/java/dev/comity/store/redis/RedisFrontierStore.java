package dev.comity.store.redis;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.redis.DomainQueue.QueueLost;
import dev.comity.store.redis.DomainQueue.QueueTakenOver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose domains have their queues in Redis. Links within a claimed domain enter its queue
 * before the result that found them is written. The store holds the next URLs of a domain, those in
 * flight, deferred and settled. A URL is moved to the store first and then acknowledged in Redis: a
 * crash repeats a move, and the store knows the URL then.
 */
public final class RedisFrontierStore extends ForwardingStore implements Frontier {
  /** URLs of a queue that are moved to the store at once. */
  private static final int WINDOW = 32;

  private final StoreSettings settings;
  private final QueueCheckpoints checkpoints;
  private final RedisLink link;
  private final String namespace;
  private final int window;
  private final Map<DomainName, HeldQueue> held = new ConcurrentHashMap<>();

  /**
   * Puts queues in Redis before a store.
   *
   * @param namespace what the keys of its queues begin with
   */
  public RedisFrontierStore(
      CrawlStore inner,
      QueueCheckpoints checkpoints,
      StoreSettings settings,
      RedisLink link,
      String namespace) {
    this(inner, checkpoints, settings, link, namespace, WINDOW);
  }

  RedisFrontierStore(
      CrawlStore inner,
      QueueCheckpoints checkpoints,
      StoreSettings settings,
      RedisLink link,
      String namespace,
      int window) {
    super(inner);
    this.checkpoints = checkpoints;
    this.settings = settings;
    this.link = link;
    this.namespace = namespace;
    this.window = window;
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public void hurry() {
    link.hurry();
    inner.hurry();
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    List<Claim> claims = new ArrayList<>();
    for (Claim claim : inner.claim(most, now, wanted)) {
      try {
        HeldQueue queue = open(claim);
        held.put(claim.domain(), queue);
        refill(queue);
        claims.add(claim);
      } catch (ClaimLost | QueueTakenOver _) {
        held.remove(claim.domain());
      }
    }
    return claims;
  }

  private HeldQueue open(Claim claim) {
    boolean[] lost = new boolean[1];
    DomainQueue queue =
        DomainQueue.open(
            link,
            namespace,
            claim.domain(),
            claim.token(),
            settings.limits().maxUnfinished(),
            checkpoints.last(claim),
            () -> lost[0] = true);
    if (lost[0]) {
      checkpoints.readAgain(
          claim,
          queue.checkpoint(),
          "the queue in Redis at %s is lost".formatted(link.address().shown()));
    } else {
      checkpoints.keep(claim, queue.checkpoint());
    }
    return new HeldQueue(claim, queue);
  }

  /**
   * Does this with the queue of a claim; a queue that was lost is made anew, and it is repeated.
   */
  private <T> T with(HeldQueue one, Supplier<T> work) {
    try {
      while (true) {
        try {
          return work.get();
        } catch (QueueLost _) {
          one.drained();
          one.queue = open(one.claim).queue;
        }
      }
    } catch (QueueTakenOver _) {
      // It may be taken over while it is made anew, too.
      held.remove(one.claim.domain(), one);
      throw new ClaimLost(one.claim.domain(), one.claim.token());
    }
  }

  private @Nullable HeldQueue of(Claim claim) {
    HeldQueue one = held.get(claim.domain());
    return one == null || one.claim.token() != claim.token() ? null : one;
  }

  @Override
  public Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits) {
    HeldQueue one = of(claim);
    if (one == null || wanted == Wanted.IMAGES) {
      return inner.frontier().next(claim, now, wanted, waits);
    }
    // While a result is written, what the store has must do.
    if (!one.lock.tryLock()) {
      return inner.frontier().next(claim, now, wanted, waits);
    }
    try {
      refill(one);
      Next next = inner.frontier().next(claim, now, wanted, waits);
      if (!(next instanceof Next.Ready) && one.queue.size() > 0) {
        one.drained();
        refill(one);
        next = inner.frontier().next(claim, now, wanted, waits);
      }
      if (next instanceof Next.Ready(var entry)) {
        one.taken(entry.url());
      }
      return next;
    } finally {
      one.lock.unlock();
    }
  }

  @Override
  public boolean isEmpty(Claim claim, Wanted wanted) {
    HeldQueue one = of(claim);
    return (one == null || wanted == Wanted.IMAGES || one.queue.size() == 0)
        && inner.frontier().isEmpty(claim, wanted);
  }

  /** What was written is durable, so that Redis may be away now. */
  private void refillIfPossible(HeldQueue one) {
    try {
      refill(one);
    } catch (StoreUnusable _) {
      // The next URL is asked for again, and that says why.
    }
  }

  /** Moves the next URLs to the store while it has none of them. */
  private void refill(HeldQueue one) {
    if (one.claim.imagesOnly()) {
      return;
    }
    with(
        one,
        () -> {
          boolean full = false;
          while (one.untaken() == 0 && one.queue.size() > 0 && !full) {
            full = !move(one);
          }
          return true;
        });
  }

  /** Moves the next URLs to the store; returns whether it had room for all of them. */
  private boolean move(HeldQueue one) {
    List<QueueEntry> entries = one.queue.take(window);
    List<QueuedUrl> urls = new ArrayList<>();
    Set<CrawlUrl> names = new HashSet<>();
    for (QueueEntry entry : entries) {
      entry.url().ifPresent(urls::add);
    }
    urls.forEach(url -> names.add(url.url()));
    Instant now = inner.now();
    int entered = inner.add(urls, now);
    List<QueueEntry> there = new ArrayList<>(entries);
    if (entered < urls.size()) {
      // What did not enter is known, or the store has no room for more of the domain.
      there.removeIf(
          entry ->
              entry
                  .url()
                  .filter(url -> inner.offer(url, now) instanceof AddAnswer.Refused)
                  .isPresent());
    }
    one.queue.acknowledge(there);
    one.moved(names, entered, entries.isEmpty() ? 0 : entries.getLast().depth());
    return there.size() == entries.size() && !entries.isEmpty();
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    return written(
        claim,
        one ->
            inner.settle(
                claim,
                settlements.stream()
                    .map(each -> each.finding(queued(one, each.found())))
                    .toList()));
  }

  @Override
  public Written record(Claim claim, Note note) {
    return written(claim, one -> inner.record(claim, note.finding(queued(one, note.found()))));
  }

  private interface Writing {
    Written write(@Nullable HeldQueue one);
  }

  /** Links enter Redis, then the result is written, and then the store gets its next URLs. */
  private Written written(Claim claim, Writing writing) {
    HeldQueue one = of(claim);
    if (one == null) {
      return writing.write(null);
    }
    one.lock.lock();
    try {
      Written done = writing.write(one);
      refillIfPossible(one);
      return done;
    } catch (ClaimLost lost) {
      held.remove(claim.domain(), one);
      throw lost;
    } finally {
      one.lock.unlock();
    }
  }

  /** Puts the links that fit into the queue; returns those for the store. */
  private List<QueuedUrl> queued(@Nullable HeldQueue one, List<QueuedUrl> found) {
    if (one == null) {
      return found;
    }
    List<QueuedUrl> deep = new ArrayList<>();
    List<QueuedUrl> rest = new ArrayList<>();
    for (QueuedUrl url : found) {
      boolean fits =
          QueueEntry.fits(url)
              && url.depth() >= one.depthAhead()
              && settings.grouping().domainOf(url.url()).equals(one.claim.domain())
              && !url.isSkipped(settings.limits().accepted());
      (fits ? deep : rest).add(url);
    }
    if (!deep.isEmpty()) {
      with(one, () -> one.queue.add(deep));
      checkpoints.keep(one.claim, one.queue.checkpoint());
    }
    return rest;
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    Renewal renewal = inner.renew(claims, now);
    renewal.lost().forEach(held::remove);
    return renewal;
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    HeldQueue one = of(claim);
    if (one == null) {
      inner.release(claim, state, ending, now);
      return;
    }
    one.lock.lock();
    try {
      checkpoints.keep(claim, one.queue.checkpoint());
      inner.release(claim, state, ending, now);
    } finally {
      held.remove(claim.domain(), one);
      one.lock.unlock();
    }
  }
}
