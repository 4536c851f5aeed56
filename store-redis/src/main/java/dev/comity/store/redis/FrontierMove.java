package dev.comity.store.redis;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.queue.QueueCheckpoints.OutsideQueue;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves the links that wait between a store and Redis, domain by domain, while no crawl is on. URLs
 * enter their new home before they leave the old one: a move that was broken off is made again.
 */
public final class FrontierMove {
  private static final int AT_ONCE = 500;

  private final CrawlStore store;
  private final QueueCheckpoints checkpoints;
  private final StoreSettings settings;
  private final RedisLink link;

  public FrontierMove(
      CrawlStore store, QueueCheckpoints checkpoints, StoreSettings settings, RedisLink link) {
    this.store = store;
    this.checkpoints = checkpoints;
    this.settings = settings;
    this.link = link;
  }

  /**
   * What was moved.
   *
   * @param left URLs that had to stay: their new home has no room for more of their domain
   */
  public record MovedUrls(long domains, long urls, long left) {}

  /**
   * Where the queues are from now on: in this Redis.
   *
   * @throws StoreUnusable if they are in another one
   */
  public static QueueHome home(QueueCheckpoints checkpoints, RedisLink link) {
    String address = link.address().shown();
    Optional<QueueHome> home = checkpoints.home();
    if (home.isEmpty()) {
      QueueHome fresh = new QueueHome(address, UUID.randomUUID().toString().substring(0, 8));
      checkpoints.moveTo(Optional.of(fresh));
      return fresh;
    }
    if (!home.get().address().equals(address)) {
      throw new StoreUnusable(
          "the queues are in Redis at %s, not at %s: move them with `comity frontier move --to store` first"
              .formatted(home.get().address(), address));
    }
    return home.get();
  }

  /** Moves all queues to the store. */
  public MovedUrls toStore() {
    Optional<QueueHome> home = checkpoints.home();
    if (home.isEmpty()) {
      return new MovedUrls(0, 0, 0);
    }
    checkpoints.requireAlone();
    long domains = 0;
    long urls = 0;
    long left = 0;
    for (OutsideQueue one : checkpoints.queues()) {
      boolean[] lost = new boolean[1];
      DomainQueue queue = open(home.get(), one, lost);
      long size = queue.size();
      while (queue.size() > 0 && store(queue)) {
        // The next ones.
      }
      urls += size - queue.size();
      left += queue.size();
      domains += size > queue.size() ? 1 : 0;
      if (queue.size() == 0) {
        checkpoints.forget(one.domain(), lost[0]);
        queue.drop();
      }
    }
    if (left == 0) {
      checkpoints.moveTo(Optional.empty());
    }
    return new MovedUrls(domains, urls, left);
  }

  private DomainQueue open(QueueHome home, OutsideQueue one, boolean[] lost) {
    return DomainQueue.open(
        link,
        home.namespace(),
        one.domain(),
        one.token(),
        settings.limits().maxUnfinished(),
        Optional.of(one.checkpoint()),
        () -> lost[0] = true);
  }

  /** Stores the next URLs of a queue; returns whether there was room for all of them. */
  private boolean store(DomainQueue queue) {
    List<QueueEntry> entries = queue.take(AT_ONCE);
    List<QueuedUrl> urls = entries.stream().flatMap(entry -> entry.url().stream()).toList();
    List<QueueEntry> there = new ArrayList<>(entries);
    if (store.add(urls, store.now()) < urls.size()) {
      there.removeIf(
          entry ->
              entry
                  .url()
                  .filter(url -> store.offer(url, store.now()) instanceof AddAnswer.Refused)
                  .isPresent());
    }
    queue.acknowledge(there);
    return there.size() == entries.size();
  }

  /** Moves the links of these domains to Redis. What is special about other URLs stays. */
  public MovedUrls toRedis(Collection<DomainName> domains) {
    checkpoints.requireAlone();
    QueueHome home = home(checkpoints, link);
    long moved = 0;
    long urls = 0;
    for (DomainName domain : domains) {
      if (store.borrow(domain, store.now()) instanceof Borrowing.Lent(var claim)) {
        long some = toRedis(home, claim);
        store.release(claim, claim.state(), new Ending.Borrowed(), store.now());
        urls += some;
        moved += some > 0 ? 1 : 0;
      }
    }
    return new MovedUrls(moved, urls, 0);
  }

  private long toRedis(QueueHome home, Claim claim) {
    List<QueuedUrl> links = new ArrayList<>();
    while (store.frontier().next(claim, store.now()) instanceof Next.Ready(var entry)) {
      if (QueueEntry.fits(entry)) {
        links.add(entry);
      }
    }
    if (links.isEmpty()) {
      return 0;
    }
    OutsideQueue one =
        new OutsideQueue(
            claim.domain(),
            claim.token(),
            checkpoints.last(claim).orElse(new QueueCheckpoint("", 0, 0, 0)));
    boolean[] lost = new boolean[1];
    DomainQueue queue = open(home, one, lost);
    if (lost[0]) {
      checkpoints.readAgain(
          claim,
          queue.checkpoint(),
          "the queue in Redis at %s is lost".formatted(link.address().shown()));
    }
    for (int from = 0; from < links.size(); from += AT_ONCE) {
      List<QueuedUrl> some = links.subList(from, Math.min(links.size(), from + AT_ONCE));
      queue.takeOver(some);
      checkpoints.handOver(claim, some, queue.checkpoint());
    }
    return links.size();
  }
}
