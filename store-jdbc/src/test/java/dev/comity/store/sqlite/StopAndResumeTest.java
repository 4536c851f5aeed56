package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.Signal;
import dev.comity.store.support.Lives;
import dev.comity.testkit.site.PretendWeb;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a second crawl does with what a first one has left. */
class StopAndResumeTest {
  private static final String A = "http://a.example/";
  private static final String B = "http://b.example/";
  private static final String C = "http://c.example/";
  private static final String D = "http://d.example/";

  @TempDir private Path home;
  private Lives lives;

  @BeforeEach
  void open() {
    lives = new Lives(home.resolve("data"));
  }

  /**
   * A's hub is its hundredth page, on which the other four hundred are found. It is slow to answer,
   * so it is under way when C is given up and the crawl is told to stop, and is waited for. Two
   * domains are worked on at a time, and so D is never begun.
   */
  @Test
  void stopped_in_the_middle_the_second_run_goes_on_with_a_skips_b_and_c_and_begins_d() {
    PretendWeb.Site a = lives.web.site("http://a.example");
    String[] first = links(1, 98, "/hub");
    a.page("/", first).page("/hub", links(100, 499)).otherwise(_ -> page());
    a.latency("/hub", Duration.ofMinutes(3));
    lives.site("b.example", 50);
    lives.web.site("http://b.example").page("/robots.txt", "delay 2");
    lives.web.site("http://c.example").otherwise(_ -> new Forbidden(403));
    lives.site("d.example", 3);
    // With more seeds than C, A and B come first.
    String[] seeds =
        Stream.of(A, B, C, D)
            .flatMap(
                site ->
                    Stream.iterate(0, n -> n + 1)
                        .limit(site.equals(D) ? 1 : site.equals(C) ? 5 : 6)
                        .map(n -> n == 0 ? site : site + n))
            .toArray(String[]::new);
    lives.maxClaims = 2;
    Instant[] closedAt = {Instant.MAX};
    lives.when(
        (life, domain, page) -> {
          if (page.isEmpty() && domain.name().equals("c.example")) {
            closedAt[0] = lives.time.instant();
            life.crawl().stop();
          }
        });

    assertThat(lives.crawl(seeds)).isEqualTo(new Crawl.End.Stopped());

    List<String> asked = lives.askedSince(0);
    assertThat(asked.stream().filter(url -> url.startsWith(A))).hasSize(100).endsWith(A + "hub");
    assertThat(asked.stream().filter(url -> url.startsWith(B))).hasSize(50);
    assertThat(asked).noneMatch(url -> url.startsWith(D));
    assertThat(lives.standing("a.example").status()).isEqualTo(DomainStatus.ACTIVE);
    assertThat(lives.standing("b.example").status()).isEqualTo(DomainStatus.EXHAUSTED);
    Standing c = lives.standing("c.example");
    assertThat(c.status()).isEqualTo(DomainStatus.BLOCKED);
    assertThat(c.reason()).contains(CloseReason.FORBIDDEN);
    assertThat(Duration.between(closedAt[0], c.until().orElseThrow()))
        .isBetween(Duration.ofDays(14).minusMinutes(1), Duration.ofDays(14));
    assertThat(lives.standing("d.example").status()).isEqualTo(DomainStatus.PENDING);
    assertThat(lives.wrong()).isEmpty();

    int before = lives.visits();
    lives.when((_, _, _) -> {});
    assertThat(lives.crawl(seeds)).isEqualTo(new Crawl.End.Finished());

    assertThat(lives.lastRun().continued()).isTrue();
    assertThat(lives.lastRun().pages()).isEqualTo(150);
    List<String> then = lives.askedSince(before);
    assertThat(then.stream().filter(url -> url.startsWith(A)))
        .hasSize(400)
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(asked);
    assertThat(then).noneMatch(url -> url.startsWith(B)).noneMatch(url -> url.startsWith(C));
    assertThat(then.stream().filter(url -> url.startsWith(D)))
        .containsExactlyInAnyOrder(D, D + "1", D + "2")
        .startsWith(D);
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void same_seeds_same_max_pages_only_pending_and_active_domains_are_crawled() {
    int before = spendABudget();
    assertThat(lives.crawl(A, B, C)).isEqualTo(new Crawl.End.Finished());
    assertThat(lives.lastRun().continued()).isFalse();
    assertThat(lives.askedSince(before)).containsExactlyInAnyOrder(A + "3", A + "4", A + "5");
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void same_seeds_higher_max_pages_active_domains_get_more_and_exhausted_ones_stay_skipped() {
    int before = spendABudget();
    lives.maxPagesPerDomain = 5;
    lives.crawl(A, B, C);
    assertThat(lives.askedSince(before)).hasSize(5).allMatch(url -> url.startsWith(A));
    assertThat(lives.standing("b.example").status()).isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void new_seeds_added_new_domains_are_crawled_and_the_others_keep_their_state() {
    int before = spendABudget();
    lives.site("d.example", 2);
    lives.crawl(A, B, C, D);
    assertThat(lives.askedSince(before))
        .containsExactlyInAnyOrder(A + "3", A + "4", A + "5", D, D + "1");
    assertThat(lives.standing("b.example").status()).isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(lives.standing("c.example").status()).isEqualTo(DomainStatus.BLOCKED);
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void force_re_crawl_of_an_exhausted_domain_asks_for_all_of_it_and_leaves_a_blocked_one_alone() {
    int before = spendABudget();
    lives.again = List.of("b.example", "c.example");
    lives.crawl(B, C);
    assertThat(lives.askedSince(before)).containsExactlyInAnyOrder(B, B + "1");
    assertThat(lives.standing("b.example").status()).isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(lives.standing("c.example").status()).isEqualTo(DomainStatus.BLOCKED);
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void only_other_seeds_what_was_left_is_left_alone_until_it_is_named_again() {
    int before = spendABudget();
    lives.site("d.example", 2);
    lives.crawl(D);
    assertThat(lives.askedSince(before)).containsExactlyInAnyOrder(D, D + "1");
    int then = lives.visits();
    lives.crawl(A);
    assertThat(lives.askedSince(then)).containsExactlyInAnyOrder(A + "3", A + "4", A + "5");
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void a_cooldown_that_ends_in_the_middle_of_a_crawl_of_other_seeds_opens_nothing_to_it() {
    spendABudget();
    lives.web.site("http://c.example").otherwise(_ -> page());
    lives.time.run(
        () -> {
          lives.time.await(new Signal(), lives.time.instant().plus(Duration.ofDays(15)));
          return true;
        });
    lives.site("d.example", 30);
    int before = lives.visits();
    lives.crawl(D);
    assertThat(lives.askedSince(before)).allMatch(url -> url.startsWith(D));
    int then = lives.visits();
    lives.crawl(C);
    assertThat(lives.askedSince(then)).isNotEmpty().allMatch(url -> url.startsWith(C));
    assertThat(lives.wrong()).isEmpty();
  }

  /** A has three of twelve pages, B all of two, C is blocked with URLs left to ask. */
  private int spendABudget() {
    lives.site("a.example", 12);
    lives.site("b.example", 2);
    lives.web.site("http://c.example").otherwise(_ -> new Forbidden(403));
    lives.maxPagesPerDomain = 3;
    lives.crawl(A, B, C, C + "1", C + "2", C + "3", C + "4");
    assertThat(lives.standing("a.example").status()).isEqualTo(DomainStatus.ACTIVE);
    assertThat(lives.standing("b.example").status()).isEqualTo(DomainStatus.EXHAUSTED);
    assertThat(lives.standing("c.example").status()).isEqualTo(DomainStatus.BLOCKED);
    return lives.visits();
  }

  private static FetchOutcome page() {
    return new FetchOutcome.Success(200, Headers.NONE, Body.EMPTY);
  }

  private static String[] links(int from, int to, String... more) {
    List<String> links = new ArrayList<>();
    for (int page = from; page <= to; page++) {
      links.add("/" + page);
    }
    links.addAll(List.of(more));
    return links.toArray(String[]::new);
  }
}
