package dev.comity.core.engine.shared;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.Signal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requests of workers for robots.txt files of other domains. A robots.txt may redirect to another
 * domain, and only the worker of that domain may send requests to it. The worker that needs the
 * file leaves a request here. The other worker fetches the file before its own next URL.
 *
 * <p>A request lasts as long as a worker waits for it. Many may wait for the same file. A worker
 * that loses its claim asks again under its next one. So what came of its request, and how often it
 * was tried, is kept for a day: otherwise a file that is refused is asked for ever. Thread-safe.
 */
public final class CrossDomainRobots {
  private final Map<DomainName, Map<CrawlUrl, Wanted>> byDomain = new LinkedHashMap<>();

  /** More files than this are on their way at once in no crawl. */
  private static final int MOST_LEFT = 1_000;

  /** Files that no worker waits for any more, and that no worker has received. */
  private final Map<CrawlUrl, Wanted> left = BoundedMap.byPut(MOST_LEFT);

  /** Domains with requested files that a worker of another crawl holds. */
  private final Set<DomainName> elsewhere = new HashSet<>();

  /** What came of a request. */
  public sealed interface RobotsReply {
    /** The site answered: with the file, without one, or with a redirect. */
    record Came(FetchOutcome outcome) implements RobotsReply {}

    /** The domain is closed, its address is forbidden, or it does not answer. */
    record NotFetched() implements RobotsReply {}
  }

  /** A file that workers wait for. */
  private static final class Wanted {
    private final Set<Signal> askers = new HashSet<>();
    private int tries;
    private boolean sent;
    private Optional<RobotsReply> reply = Optional.empty();
    private Instant lastAnswer = Instant.MIN;

    private boolean isOpen() {
      return reply.isEmpty() && !sent;
    }
  }

  /** Requests a file for this asker; answers whether the request is new. */
  public synchronized boolean ask(DomainName domain, CrawlUrl file, Signal asker, Instant now) {
    return byDomain
        .computeIfAbsent(domain, _ -> new LinkedHashMap<>())
        .computeIfAbsent(file, _ -> again(file, now))
        .askers
        .add(asker);
  }

  /** The request that was left, if its last answer is not too old. */
  private Wanted again(CrawlUrl file, Instant now) {
    Wanted before = left.remove(file);
    return before == null || now.isAfter(before.lastAnswer.plus(RobotsCache.LIFE))
        ? new Wanted()
        : before;
  }

  /** The reply, once for each asker. */
  public synchronized Optional<RobotsReply> collect(
      DomainName domain, CrawlUrl file, Signal asker) {
    Optional<RobotsReply> reply = find(domain, file).flatMap(wanted -> wanted.reply);
    if (reply.isPresent()) {
      leave(asker, domain, file);
      left.remove(file);
    }
    return reply;
  }

  /** This asker waits for no file any more. */
  public synchronized void withdraw(Signal asker) {
    for (DomainName domain : Set.copyOf(byDomain.keySet())) {
      for (CrawlUrl file : Set.copyOf(byDomain.getOrDefault(domain, Map.of()).keySet())) {
        leave(asker, domain, file);
      }
    }
  }

  private void leave(Signal asker, DomainName domain, CrawlUrl file) {
    find(domain, file)
        .ifPresent(
            wanted -> {
              wanted.askers.remove(asker);
              if (wanted.askers.isEmpty()) {
                drop(domain, file);
                wanted.sent = false;
                left.put(file, wanted);
              }
            });
  }

  private void drop(DomainName domain, CrawlUrl file) {
    byDomain.computeIfPresent(
        domain,
        (_, files) -> {
          files.remove(file);
          return files.isEmpty() ? null : files;
        });
    elsewhere.retainAll(byDomain.keySet());
  }

  /** Whether another crawl's worker holds this domain, as the store said last. */
  public synchronized boolean isHeldElsewhere(DomainName domain) {
    return elsewhere.contains(domain);
  }

  /** The store says whether another crawl's worker holds this domain. */
  public synchronized void heldElsewhere(DomainName domain, boolean held) {
    if (held && byDomain.containsKey(domain)) {
      elsewhere.add(domain);
    } else {
      elsewhere.remove(domain);
    }
  }

  /** The domains with a requested file that is not being fetched. */
  public synchronized Set<DomainName> asked() {
    Set<DomainName> some = new LinkedHashSet<>();
    byDomain.forEach(
        (domain, files) -> {
          if (files.values().stream().anyMatch(Wanted::isOpen)) {
            some.add(domain);
          }
        });
    return some;
  }

  /** The requested files of this domain that are not being fetched. */
  public synchronized Set<CrawlUrl> filesOf(DomainName domain) {
    Set<CrawlUrl> some = new LinkedHashSet<>();
    byDomain
        .getOrDefault(domain, Map.of())
        .forEach(
            (file, wanted) -> {
              if (wanted.isOpen()) {
                some.add(file);
              }
            });
    return some;
  }

  /** A file to fetch from this domain. */
  public synchronized Optional<CrawlUrl> next(DomainName domain) {
    for (var file : byDomain.getOrDefault(domain, Map.of()).entrySet()) {
      if (file.getValue().isOpen()) {
        return Optional.of(file.getKey());
      }
    }
    return Optional.empty();
  }

  /** How many fetches of it failed. */
  public synchronized int tries(DomainName domain, CrawlUrl file) {
    return find(domain, file).map(wanted -> wanted.tries).orElse(0);
  }

  /** It is being fetched. */
  public synchronized void sent(DomainName domain, CrawlUrl file) {
    find(domain, file).ifPresent(wanted -> wanted.sent = true);
  }

  /** It must be fetched again. */
  public synchronized void again(DomainName domain, CrawlUrl file, boolean spendsTry, Instant now) {
    findOrLeft(domain, file)
        .ifPresent(
            wanted -> {
              wanted.sent = false;
              wanted.tries += spendsTry ? 1 : 0;
              wanted.lastAnswer = now;
            });
  }

  public synchronized void reply(DomainName domain, CrawlUrl file, RobotsReply reply, Instant now) {
    findOrLeft(domain, file)
        .ifPresent(
            wanted -> {
              wanted.reply = Optional.of(reply);
              wanted.lastAnswer = now;
              wanted.askers.forEach(Signal::raise);
            });
  }

  private Optional<Wanted> findOrLeft(DomainName domain, CrawlUrl file) {
    return find(domain, file).or(() -> Optional.ofNullable(left.get(file)));
  }

  /** The domain has read the file for itself: the askers find it in the store. */
  public synchronized void isKnown(DomainName domain, CrawlUrl file) {
    find(domain, file).ifPresent(wanted -> wanted.askers.forEach(Signal::raise));
    drop(domain, file);
  }

  /** No file can be fetched from this domain now. */
  public synchronized void refuse(DomainName domain, Instant now) {
    for (CrawlUrl file : Set.copyOf(byDomain.getOrDefault(domain, Map.of()).keySet())) {
      find(domain, file)
          .filter(wanted -> wanted.reply.isEmpty())
          .ifPresent(_ -> reply(domain, file, new RobotsReply.NotFetched(), now));
    }
  }

  private Optional<Wanted> find(DomainName domain, CrawlUrl file) {
    return Optional.ofNullable(byDomain.getOrDefault(domain, Map.of()).get(file));
  }
}
