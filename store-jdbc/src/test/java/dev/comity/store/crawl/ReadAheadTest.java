package dev.comity.store.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.store.support.States;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many URLs wait in memory, however many wait in the store. */
class ReadAheadTest {
  private static final Instant NOON = States.NOON;

  @TempDir private Path home;

  @Test
  void of_each_domain_32_urls_are_in_memory_at_most() {
    assertThat(inMemory(StoreLimits.DEFAULTS, 3, 200)).containsExactly(32, 32, 32);
  }

  @Test
  void many_domains_share_the_room_and_each_has_two() {
    StoreLimits room = new StoreLimits(Duration.ofMinutes(30), 100_000, 60);
    assertThat(inMemory(room, 10, 200)).containsOnly(6);
    StoreLimits narrow = new StoreLimits(Duration.ofMinutes(30), 100_000, 1);
    assertThat(inMemory(narrow, 10, 200)).containsOnly(2);
  }

  /** The URLs of each domain that are in memory once its first was taken, that one included. */
  private List<Integer> inMemory(StoreLimits limits, int domains, int urls) {
    StoreSettings settings =
        StoreSettings.of(
                new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, InstantSource.system())
            .with(limits);
    Path directory = home.resolve("data" + limits.maxAhead());
    try (SqliteStore store = SqliteStore.open(new DataDirectory(directory), settings)) {
      store.begin(new RunTerms(List.of(), new TreeMap<>(), 10_000, 1000), NOON);
      for (int domain = 0; domain < domains; domain++) {
        store.add(pages("http://s" + domain + ".example/", urls), NOON);
      }
      HeldDomains held = (HeldDomains) store.frontier();
      List<Claim> claims = store.claim(domains, NOON);
      List<Integer> sizes = new ArrayList<>();
      for (Claim claim : claims) {
        assertThat(held.next(claim, NOON)).isInstanceOf(Next.Ready.class);
        sizes.add(held.of(claim).ahead.size() + 1);
      }
      return sizes;
    }
  }

  private static List<QueuedUrl> pages(String site, int count) {
    List<QueuedUrl> pages = new ArrayList<>();
    for (int page = 0; page < count; page++) {
      pages.add(QueuedUrl.seed(CrawlUrl.of(site + page), Optional.empty()));
    }
    return pages;
  }
}
