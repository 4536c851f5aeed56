package dev.comity.testkit.contract;

import static org.assertj.core.api.Assertions.fail;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The moves of a crawl on a store under test, one at a time; at noon unless another time is said.
 */
record Moves(CrawlStore store) {
  static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  static final Fate DONE = new Fate.Done(Category.SUCCESS);
  static final RunTerms TERMS =
      new RunTerms(List.of(CrawlUrl.of("http://a.example/")), new TreeMap<>(), 10_000, 1000);

  /** The terms of a run of one seed, five links deep. */
  static RunTerms terms(String seed, String scope, long pages, long pagesPerDomain) {
    return terms(seed, scope, pages, pagesPerDomain, "5", "", "");
  }

  static RunTerms terms(
      String seed,
      String scope,
      long pages,
      long pagesPerDomain,
      String depth,
      String include,
      String exclude) {
    SortedMap<String, String> settings = new TreeMap<>(Map.of(Scope.REACH, scope));
    settings.put(Scope.DEPTH, depth);
    settings.put(Scope.INCLUDE, include);
    settings.put(Scope.EXCLUDE, exclude);
    return new RunTerms(List.of(CrawlUrl.of(seed)), settings, pages, pagesPerDomain);
  }

  /** In a run that has just begun. */
  static Moves on(CrawlStore store) {
    store.begin(TERMS, NOON);
    return new Moves(store);
  }

  Moves seeded(String... urls) {
    store.add(Arrays.stream(urls).map(Moves::seed).toList(), NOON);
    return this;
  }

  /** Links that open so many sub-domains of this name. */
  void linkedSubdomains(String name, int many) {
    QueuedUrl page = seed("http://linking.example/");
    store.add(
        IntStream.range(0, many)
            .mapToObj(number -> page.link(CrawlUrl.of("http://n" + number + "." + name + "/")))
            .toList(),
        NOON);
  }

  static QueuedUrl seed(String url) {
    return QueuedUrl.seed(CrawlUrl.of(url), Optional.empty());
  }

  Claim claimOne() {
    return claimOne(NOON);
  }

  Claim claimOne(Instant now) {
    List<Claim> claims = store.claim(1, now);
    return claims.isEmpty() ? fail("nothing can be claimed at " + now) : claims.getFirst();
  }

  /** Claims one after the other, as the order of candidates shows best, and keeps them. */
  List<String> claimInTurn(int most, Instant now) {
    List<String> names = new ArrayList<>();
    for (int number = 0; number < most; number++) {
      store.claim(1, now).forEach(claim -> names.add(claim.domain().name()));
    }
    return names;
  }

  Next next(Claim claim) {
    return store.frontier().next(claim, NOON);
  }

  QueuedUrl take(Claim claim) {
    return next(claim) instanceof Next.Ready(var entry) ? entry : fail("nothing is ready");
  }

  /** Takes everything that is ready. */
  List<QueuedUrl> drain(Claim claim) {
    List<QueuedUrl> taken = new ArrayList<>();
    while (next(claim) instanceof Next.Ready(var entry)) {
      taken.add(entry);
    }
    return taken;
  }

  /** The next URL is asked at noon, and this becomes of it. */
  QueuedUrl settleNext(Claim claim, Fate fate, QueuedUrl... found) {
    QueuedUrl entry = take(claim);
    store.settle(claim, asked(entry, fate, claim.state(), found));
    return entry;
  }

  /** Settles the one URL of a domain, and gives the domain back. */
  void exhaustOne() {
    Claim claim = claimOne();
    settleNext(claim, DONE);
    store.release(claim, exhausted(claim), new Ending.Exhausted(), NOON);
  }

  void release(Claim claim, Ending ending) {
    store.release(claim, claim.state(), ending, NOON);
  }

  /** The state of a claimed domain whose URLs are all finished. */
  static DomainState exhausted(Claim claim) {
    return POLICY.emptied(POLICY.claimed(claim.state(), NOON), NOON);
  }

  void stop(Claim claim) {
    release(claim, new Ending.Stopped());
  }

  /** Given back as a worker does that was at it. */
  void stopActive(Claim claim, Instant now) {
    store.release(claim, POLICY.claimed(claim.state(), now), new Ending.Stopped(), now);
  }

  /** Leaves the claim to itself until its lease is over, and claims what there is then. */
  List<Claim> claimAfter(Duration lease) {
    return store.claim(10, NOON.plus(lease));
  }

  static Settlement asked(QueuedUrl entry, Fate fate, DomainState state, QueuedUrl... found) {
    return new Settlement(
        entry,
        Optional.of(attempt(entry, NOON)),
        Optional.of(answer()),
        fate,
        state,
        List.of(found),
        fate.isPage()
            ? Optional.of(new PageContent(Optional.of("A title"), "", Optional.of("text/html")))
            : Optional.empty());
  }

  /** Asked, and this came back. */
  static Settlement answered(QueuedUrl entry, Fate fate, FetchOutcome outcome, QueuedUrl... found) {
    return new Settlement(
        entry,
        Optional.of(attempt(entry, NOON)),
        Optional.of(new Fetched(outcome, Optional.empty(), Duration.ofMillis(100), 0)),
        fate,
        DomainState.FRESH,
        List.of(found),
        Optional.empty());
  }

  static Settlement unasked(QueuedUrl entry, Fate fate) {
    return new Settlement(
        entry,
        Optional.empty(),
        Optional.empty(),
        fate,
        DomainState.FRESH,
        List.of(),
        Optional.empty());
  }

  static Attempt attempt(QueuedUrl entry, Instant startedAt) {
    return new Attempt(
        entry.url(), entry.kind(), entry.triesSpent() + 1, startedAt, Duration.ofSeconds(1));
  }

  static Fetched answer() {
    return new Fetched(
        new FetchOutcome.Success(200, Headers.NONE, Body.EMPTY),
        Optional.of(Duration.ofMillis(80)),
        Duration.ofMillis(100),
        0);
  }

  /** This state after different pages in a row met with a server error, one each second. */
  static DomainState failing(DomainState state, int pages, Instant from) {
    DomainState failing = state;
    for (int page = 0; page < pages; page++) {
      Instant at = from.plusSeconds(page);
      QueuedUrl entry = seed("http://a.example/failing/" + page);
      failing =
          POLICY
              .decide(
                  failing,
                  attempt(entry, at),
                  new Fetched(
                      new FetchOutcome.ServerError(500), Optional.empty(), Duration.ZERO, 0),
                  at.plusMillis(500))
              .state();
    }
    return failing;
  }
}
