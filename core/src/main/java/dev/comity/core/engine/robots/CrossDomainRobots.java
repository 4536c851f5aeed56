package dev.comity.core.engine.robots;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.Signal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where one domain's worker asks another's for a file. A robots.txt may redirect to somebody else's
 * domain, and a site is only ever asked by who holds its domain, at its pace: so the one who needs
 * the file leaves a note here, and the other's worker does it the favour, before anything else.
 *
 * <p>A favour lasts as long as somebody waits for it; many may wait for the same file.
 */
public final class CrossDomainRobots {
  private final Map<DomainName, Map<CrawlUrl, Favour>> byDomain = new LinkedHashMap<>();

  /** What became of a favour. */
  public sealed interface Reply {
    /** The site answered, with a file, without one, or with another place to look. */
    record Came(FetchOutcome outcome) implements Reply {}

    /** The domain is closed, its address is not to be asked, or it does not answer. */
    record Refused() implements Reply {}
  }

  private static final class Favour {
    private final Set<Signal> askers = new HashSet<>();
    private int tries;
    private boolean sent;
    private Optional<Reply> reply = Optional.empty();

    private boolean isOpen() {
      return reply.isEmpty() && !sent;
    }
  }

  /** Asks for a file, unless this asker has; answers whether that is new. */
  public synchronized boolean ask(DomainName domain, CrawlUrl file, Signal asker) {
    return byDomain
        .computeIfAbsent(domain, _ -> new LinkedHashMap<>())
        .computeIfAbsent(file, _ -> new Favour())
        .askers
        .add(asker);
  }

  /** What became of it, told to each asker once. */
  public synchronized Optional<Reply> collect(DomainName domain, CrawlUrl file, Signal asker) {
    Optional<Reply> reply = find(domain, file).flatMap(favour -> favour.reply);
    if (reply.isPresent()) {
      leave(asker, domain, file);
    }
    return reply;
  }

  /** This asker waits for nothing any more. */
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
            favour -> {
              favour.askers.remove(asker);
              if (favour.askers.isEmpty()) {
                drop(domain, file);
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
  }

  /** The domains that are asked for something nobody has begun with. */
  public synchronized Set<DomainName> asked() {
    Set<DomainName> some = new LinkedHashSet<>();
    byDomain.forEach(
        (domain, files) -> {
          if (files.values().stream().anyMatch(Favour::isOpen)) {
            some.add(domain);
          }
        });
    return some;
  }

  /** A file to ask this domain for. */
  public synchronized Optional<CrawlUrl> next(DomainName domain) {
    for (var file : byDomain.getOrDefault(domain, Map.of()).entrySet()) {
      if (file.getValue().isOpen()) {
        return Optional.of(file.getKey());
      }
    }
    return Optional.empty();
  }

  /** How often it was asked for in vain. */
  public synchronized int tries(DomainName domain, CrawlUrl file) {
    return find(domain, file).map(favour -> favour.tries).orElse(0);
  }

  /** It is being asked for. */
  public synchronized void sent(DomainName domain, CrawlUrl file) {
    find(domain, file).ifPresent(favour -> favour.sent = true);
  }

  /** It has to be asked for again. */
  public synchronized void again(DomainName domain, CrawlUrl file, boolean spendsTry) {
    find(domain, file)
        .ifPresent(
            favour -> {
              favour.sent = false;
              favour.tries += spendsTry ? 1 : 0;
            });
  }

  public synchronized void reply(DomainName domain, CrawlUrl file, Reply reply) {
    find(domain, file)
        .ifPresent(
            favour -> {
              favour.reply = Optional.of(reply);
              favour.askers.forEach(Signal::raise);
            });
  }

  /** The domain has read it for itself: who waits for it finds it in the store. */
  public synchronized void isKnown(DomainName domain, CrawlUrl file) {
    find(domain, file).ifPresent(favour -> favour.askers.forEach(Signal::raise));
    drop(domain, file);
  }

  /** Nobody will ask this domain for anything now. */
  public synchronized void refuse(DomainName domain) {
    for (CrawlUrl file : Set.copyOf(byDomain.getOrDefault(domain, Map.of()).keySet())) {
      find(domain, file)
          .filter(favour -> favour.reply.isEmpty())
          .ifPresent(_ -> reply(domain, file, new Reply.Refused()));
    }
  }

  private Optional<Favour> find(DomainName domain, CrawlUrl file) {
    return Optional.ofNullable(byDomain.getOrDefault(domain, Map.of()).get(file));
  }
}
