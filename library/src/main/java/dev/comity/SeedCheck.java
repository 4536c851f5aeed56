package dev.comity;

import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.port.store.SeedIntake;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Seed;
import dev.comity.store.StoreLocation;
import dev.comity.store.report.StoreReader;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.AddressKind;
import dev.comity.web.net.Leave;
import dev.comity.web.net.SeedVerdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Makes the seeds known to the address guard and checks them before the first request. */
public final class SeedCheck {
  /** How many names are looked up at once: a silent name server delays only its own names. */
  private static final int AT_ONCE = 64;

  private SeedCheck() {}

  /**
   * Tells the guard what a store knows about the addresses of seeds.
   *
   * @param domains those of the seeds that may lead inside
   */
  public static void recall(
      StoreLocation place, Collection<DomainName> domains, AddressGuard guard) {
    if (!StoreReader.isThere(place)) {
      return;
    }
    try (StoreReader reader = StoreReader.open(place)) {
      recall(reader.namedSeeds(), guard);
      domains.forEach(domain -> recall(reader.seedAddresses(domain), guard));
    }
  }

  /** The mark and the first kind of address hold in every process, not only in the first one. */
  private static void recall(List<SeedAddress> kept, AddressGuard guard) {
    for (SeedAddress seed : kept) {
      guard.remember(seed.authority(), AddressKind.read(seed.kind()));
      if (seed.named()) {
        guard.allow(seed.authority(), Leave.NAMED);
      }
    }
  }

  /**
   * The guard's verdict on each seed, in order. The guard must know the seeds' leave before; a
   * seed's fallback gets the same leave.
   */
  public static List<SeedVerdict> verdicts(List<Seed> seeds, AddressGuard guard)
      throws InterruptedException {
    for (Seed seed : seeds) {
      Leave leave = guard.leave(seed.url().authority());
      seed.fallback().ifPresent(url -> guard.allow(url.authority(), leave));
    }
    List<Callable<SeedVerdict>> questions = new ArrayList<>();
    seeds.forEach(seed -> questions.add(() -> verdict(seed, guard)));
    try (ExecutorService many =
        Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      return many.invokeAll(questions).stream().map(Future::resultNow).toList();
    }
  }

  /** The port of a bare host may decide where it is, so what is asked instead has its own word. */
  private static SeedVerdict verdict(Seed seed, AddressGuard guard) {
    SeedVerdict first = guard.seed(seed.url().authority());
    Optional<SeedVerdict> second = seed.fallback().map(url -> guard.seed(url.authority()));
    return first instanceof SeedVerdict.Unresolved ? second.orElse(first) : first;
  }

  /**
   * Refuses a crawl that may not ask one of its seeds, or that knows the address of none.
   *
   * @param proxied whether a proxy looks names up
   * @throws CrawlRefused saying which seed and why
   */
  static void require(List<Seed> seeds, AddressGuard guard, boolean proxied)
      throws InterruptedException {
    seeds.forEach(seed -> guard.allow(seed.url().authority(), Leave.NAMED));
    List<SeedVerdict> verdicts = verdicts(seeds, guard);
    if (!proxied && verdicts.stream().allMatch(SeedVerdict.Unresolved.class::isInstance)) {
      throw new CrawlRefused(
          "no address found for %s: check the spelling and the network"
              .formatted(
                  seeds.stream().map(seed -> seed.url().host()).collect(Collectors.joining(", "))));
    }
    for (int number = 0; number < seeds.size(); number++) {
      String host = seeds.get(number).url().host();
      switch (verdicts.get(number)) {
        // With other seeds there, a host without an address fails like one found on a page.
        case SeedVerdict.Welcome _, SeedVerdict.Unresolved _ -> {}
        case SeedVerdict.SeedDenied denied -> throw new CrawlRefused(denied.words(host));
        case SeedVerdict.ContactNeeded(var address) ->
            throw new CrawlRefused(
                "crawling %s (%s) needs a contact, so that its owner can reach you: call contact(\"you@example.org\")"
                    .formatted(host, address));
      }
    }
  }

  /** Why a URL that was named while a crawl runs may not be asked. */
  static Optional<String> denial(Seed seed, AddressGuard guard) {
    Authority authority = seed.url().authority();
    guard.allow(authority, Leave.NAMED);
    return switch (verdict(seed, guard)) {
      case SeedVerdict.Welcome _, SeedVerdict.Unresolved _ -> Optional.empty();
      case SeedVerdict.SeedDenied denied -> Optional.of(denied.words(seed.url().host()));
      case SeedVerdict.ContactNeeded(var address) ->
          Optional.of(
              "%s (%s) needs a contact, so that its owner can reach you"
                  .formatted(seed.url().host(), address));
    };
  }

  /** Keeps for later crawls what the guard knows about the addresses of these seeds. */
  public static void keep(Collection<Seed> seeds, AddressGuard guard, SeedIntake store) {
    keep(seeds, guard, store::keepAddresses);
  }

  /**
   * The same, where it is kept elsewhere.
   *
   * @param kept keeps them, and returns what is stored of them now
   */
  static void keep(
      Collection<Seed> seeds, AddressGuard guard, UnaryOperator<List<SeedAddress>> kept) {
    Map<Authority, SeedAddress> known = new LinkedHashMap<>();
    for (Seed seed : seeds) {
      Authority authority = seed.url().authority();
      boolean named = guard.leave(authority) == Leave.NAMED;
      guard
          .firstKind(authority)
          .ifPresent(kind -> known.put(authority, new SeedAddress(authority, kind.text(), named)));
    }
    recall(kept.apply(List.copyOf(known.values())), guard);
  }
}
