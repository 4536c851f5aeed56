package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Sharing;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Domains whose sum is limited by their server, in a crawl with all its threads. */
class SharedBudgetTest {
  private static final int DOMAINS = 8;
  private static final int PAGES = 60;
  private static final Duration LIMIT = Duration.ofMillis(500);

  private final Rehearsal crawl = new Rehearsal();

  /** The last request that was served, of all domains behind one limit. */
  private Instant lastServed = Instant.MIN;

  private int refused;

  SharedBudgetTest() {
    crawl.sitemaps = false;
    crawl.settings =
        PolicySettings.DEFAULTS.with(
            PolicySettings.DEFAULTS.pace().withMinimum(Duration.ofMillis(200)));
  }

  @Test
  void any_two_starts_of_domains_behind_one_limit_are_as_far_apart_as_the_limit() {
    domains("192.0.2.1", this::limited);
    assertThat(crawl.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(crawl.done()).hasSize(DOMAINS * PAGES);
    assertThat(crawl.budgets).hasSize(1);
    assertThat(crawl.budgets.getFirst().address()).isEqualTo("192.0.2.1");
    List<Instant> starts = crawl.web.visits().stream().map(Visit::startedAt).sorted().toList();
    List<Instant> settled = starts.subList(starts.size() / 2, starts.size());
    List<Duration> gaps =
        IntStream.range(1, settled.size())
            .mapToObj(i -> Duration.between(settled.get(i - 1), settled.get(i)))
            .toList();
    assertThat(gaps).allMatch(gap -> gap.compareTo(Duration.ofMillis(490)) >= 0);
    assertThat(refused).isLessThanOrEqualTo(4 * DOMAINS);
  }

  @Test
  void each_of_them_has_its_share() {
    domains("192.0.2.1", this::limited);
    Instant half = Rehearsal.START.plus(LIMIT.multipliedBy(DOMAINS * PAGES / 2));
    crawl.runAndStopAt(half);
    for (int domain = 0; domain < DOMAINS; domain++) {
      String host = "d" + domain + ".example";
      long asked =
          crawl.web.visits().stream().filter(visit -> visit.url().host().equals(host)).count();
      assertThat(asked).as(host).isBetween(PAGES / 2 - 8L, PAGES / 2 + 8L);
    }
  }

  @Test
  void what_is_stored_says_that_a_domain_shares_a_budget_and_since_when() {
    domains("192.0.2.1", this::limited);
    crawl.runAndStopAt(Rehearsal.START.plusSeconds(60));
    Sharing sharing = crawl.state("d0.example").slots().shared().orElseThrow();
    assertThat(sharing.domains()).isEqualTo(DOMAINS);
    assertThat(sharing.at()).isAfter(Rehearsal.START.plusSeconds(50));
    assertThat(crawl.state("d0.example").learning().refused()).isEmpty();
  }

  @Test
  void domains_at_other_addresses_share_nothing() {
    domains("", this::limited);
    crawl.runAndStopAt(Rehearsal.START.plusSeconds(60));
    assertThat(crawl.budgets).isEmpty();
    assertThat(crawl.state("d0.example").slots().shared()).isEmpty();
  }

  private void domains(String address, Function<Instant, FetchOutcome> limit) {
    for (int domain = 0; domain < DOMAINS; domain++) {
      String host = "http://d" + domain + ".example";
      String at = address.isEmpty() ? "192.0.2." + (10 + domain) : address;
      crawl
          .web
          .site(host)
          .latency(Duration.ofMillis(20), Duration.ofMillis(80))
          .at(at)
          .otherwise(limit)
          .answer("/robots.txt", new FetchOutcome.ClientError(404));
      for (int page = 0; page < PAGES; page++) {
        crawl.seed(host + "/" + page);
      }
    }
  }

  private FetchOutcome limited(Instant now) {
    if (now.isBefore(lastServed.plus(LIMIT))) {
      refused++;
      return new RateLimited(429, Optional.empty());
    }
    lastServed = now;
    return new Success(200, Headers.NONE, Body.EMPTY);
  }
}
