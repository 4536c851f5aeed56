package dev.comity.store.redis;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
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
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A site whose page n links to pages 3n+1, 3n+2 and 3n+3 and to the first page, and a crawl of it
 * without a network: it asks one URL after the other.
 *
 * @param pages how many pages it has
 * @param asked what was asked, in order: the number of the page, negative where only its links were
 */
record LinkedSite(int pages, List<Integer> asked) {
  static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);
  private static final String HOME = "http://site.example/";

  LinkedSite(int pages) {
    this(pages, new ArrayList<>());
  }

  /** Begins a run from the first page. */
  LinkedSite begin(CrawlStore store) {
    store.begin(
        new RunTerms(List.of(CrawlUrl.of(HOME + 0)), new TreeMap<>(), 1_000_000, 1_000_000), NOON);
    store.add(List.of(QueuedUrl.seed(CrawlUrl.of(HOME + 0), Optional.empty())), NOON);
    return this;
  }

  /** Claims the site and asks so many URLs; returns the claim if there is more to ask. */
  Optional<Claim> crawl(CrawlStore store, int most) {
    List<Claim> claims = store.claim(1, NOON);
    return claims.isEmpty() ? Optional.empty() : crawl(store, claims.getFirst(), most);
  }

  /** Asks so many more URLs under a claim. */
  Optional<Claim> crawl(CrawlStore store, Claim claim, int most) {
    for (int number = 0; number < most; number++) {
      Next next = store.frontier().next(claim, NOON);
      if (!(next instanceof Next.Ready(var entry))) {
        if (!store.frontier().isEmpty(claim)) {
          throw new AssertionError("not empty, and the next is " + next);
        }
        DomainState empty = POLICY.emptied(store.state(claim.domain()).orElseThrow(), NOON);
        store.release(claim, empty, new Ending.Exhausted(), NOON);
        return Optional.empty();
      }
      store.settle(claim, answered(claim, entry));
      asked.add((entry.kind() == Kind.LINKS ? -1 : 1) * page(entry));
    }
    return Optional.of(claim);
  }

  static int page(QueuedUrl entry) {
    return Integer.parseInt(entry.url().toString().substring(HOME.length()));
  }

  /** What comes of asking a page. */
  Settlement answered(Claim claim, QueuedUrl entry) {
    int page = page(entry);
    List<QueuedUrl> links = new ArrayList<>();
    for (int child = 3 * page + 1; child <= 3 * page + 3 && child < pages; child++) {
      links.add(entry.link(CrawlUrl.of(HOME + child)));
    }
    links.add(entry.link(CrawlUrl.of(HOME + 0)));
    Attempt attempt =
        new Attempt(entry.url(), entry.kind(), entry.triesSpent() + 1, NOON, Duration.ofSeconds(1));
    return new Settlement(
        entry,
        Optional.of(attempt),
        Optional.of(
            new Fetched(
                new FetchOutcome.Success(200, Headers.NONE, Body.EMPTY),
                Optional.of(Duration.ofMillis(80)),
                Duration.ofMillis(100),
                0)),
        new Fate.Done(Category.SUCCESS),
        POLICY.started(POLICY.claimed(claim.state(), NOON), attempt),
        links,
        Optional.of(new PageContent(Optional.empty(), "page " + page, Optional.of("text/html"))));
  }
}
