package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.DoorwayStore;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator sets beside a running crawl holds from the next request on. */
class OperatorTermsTest {
  private static final Instant START = Rehearsal.START;
  private static final DomainName DOMAIN = CrawlUrl.of("http://a.example/").domain();

  private final Rehearsal rehearsal = new Rehearsal();
  private final Operations operations = rehearsal.memory.operations();

  /** Thirty pages, a second from one to the next. */
  @BeforeEach
  void openASite() {
    for (int page = 0; page < 30; page++) {
      rehearsal.web.site("http://a.example").page("/" + page);
      rehearsal.seed("http://a.example/" + page);
    }
  }

  private void at(int second, UnaryOperator<OperatorTerms> change) {
    rehearsal.at(START.plusSeconds(second), () -> operations.setTerms(DOMAIN, change));
  }

  private Crawl.End run(Runnable events) {
    return rehearsal.time.run(
        () -> {
          events.run();
          Crawl.End end = rehearsal.crawl().run();
          rehearsal.pass(Duration.ofMinutes(5));
          return end;
        });
  }

  private List<Instant> startsAfter(int second) {
    return rehearsal.web.visits().stream()
        .map(Visit::startedAt)
        .filter(START.plusSeconds(second)::isBefore)
        .toList();
  }

  @Test
  void a_paused_domain_is_asked_once_more_at_most_and_given_back() {
    Crawl.End end = run(() -> at(10, terms -> terms.withPaused(true)));
    assertThat(startsAfter(10)).hasSizeLessThanOrEqualTo(1);
    assertThat(rehearsal.endings).containsExactly(new Ending.Paused());
    // The crawl does not wait for what its operator keeps from it.
    assertThat(end).isEqualTo(new Crawl.End.AllPaused());
    assertThat(rehearsal.done()).hasSizeBetween(8, 12);
  }

  @Test
  void a_domain_that_is_resumed_goes_on_while_others_are_crawled() {
    rehearsal.web.site("http://b.example").page("/robots.txt", "delay 60").page("/");
    rehearsal.seed("http://b.example/");
    run(
        () -> {
          at(10, terms -> terms.withPaused(true));
          at(30, terms -> terms.withPaused(false));
        });
    assertThat(rehearsal.done()).hasSize(31);
    assertThat(startsAfter(12)).allMatch(start -> !start.isBefore(START.plusSeconds(30)));
  }

  @Test
  void a_paused_domain_is_not_claimed() {
    operations.setTerms(DOMAIN, terms -> terms.withPaused(true));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.AllPaused());
    assertThat(rehearsal.web.visits()).isEmpty();
    operations.setTerms(DOMAIN, terms -> terms.withPaused(false));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(30);
  }

  @Test
  void a_longer_interval_holds_from_the_next_request_but_one() {
    run(() -> at(10, terms -> terms.withMinimum(Optional.of(Duration.ofSeconds(5)))));
    List<Instant> starts = startsAfter(10);
    assertThat(starts).hasSizeGreaterThan(10);
    for (int n = 2; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void an_interval_that_is_set_no_more_leaves_the_one_of_the_run() {
    operations.setTerms(DOMAIN, terms -> terms.withMinimum(Optional.of(Duration.ofSeconds(9))));
    run(() -> at(20, _ -> OperatorTerms.NONE));
    List<Instant> starts = startsAfter(31);
    for (int n = 1; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .isLessThan(Duration.ofSeconds(2));
    }
  }

  @Test
  void no_more_requests_are_in_flight_than_the_operator_allows() {
    rehearsal.web.site("http://a.example").latency(Duration.ofMillis(20), Duration.ofSeconds(4));
    run(() -> at(15, terms -> terms.withConcurrency(OptionalInt.of(1))));
    assertThat(rehearsal.web.visits())
        .filteredOn(visit -> visit.startedAt().isBefore(START.plusSeconds(15)))
        .anyMatch(visit -> visit.inFlight() > 2);
    assertThat(rehearsal.web.visits())
        .filteredOn(visit -> visit.startedAt().isAfter(START.plusSeconds(25)))
        .isNotEmpty()
        .allMatch(visit -> visit.inFlight() == 1);
  }

  @Test
  void a_smaller_budget_ends_the_domain_s_share_and_a_larger_one_goes_on() {
    run(() -> at(10, terms -> terms.withMaxPages(OptionalLong.of(4))));
    assertThat(rehearsal.done()).hasSizeBetween(8, 12);
    assertThat(rehearsal.endings).containsExactly(new Ending.DomainOutOfBudget());
    operations.setTerms(DOMAIN, terms -> terms.withMaxPages(OptionalLong.of(20)));
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(20);
  }

  /** Pages take so long that several requests are in flight, and none is settled meanwhile. */
  private void answersPagesAfter(Duration latency) {
    rehearsal
        .web
        .site("http://a.example")
        .latency(Duration.ofMillis(20), latency)
        .latency("/robots.txt", Duration.ofMillis(80));
  }

  @Test
  void a_paused_domain_with_slow_answers_is_asked_once_more_at_most() {
    answersPagesAfter(Duration.ofSeconds(20));
    run(() -> at(3, terms -> terms.withPaused(true)));
    assertThat(startsAfter(3)).hasSizeLessThanOrEqualTo(1);
    assertThat(rehearsal.endings).containsExactly(new Ending.Paused());
  }

  @Test
  void a_request_that_is_connecting_while_its_domain_is_paused_is_not_sent() {
    rehearsal.web.site("http://a.example").latency(Duration.ofSeconds(5), Duration.ofMillis(80));
    // The robots.txt is sent after five seconds, and the first page connects from then on.
    run(() -> at(8, terms -> terms.withPaused(true)));
    assertThat(rehearsal.web.visits()).hasSize(1);
    assertThat(rehearsal.endings).containsExactly(new Ending.Paused());
  }

  @Test
  void a_paused_domain_that_answers_no_more_is_asked_once_more_at_most() {
    answersPagesAfter(Duration.ofHours(1));
    run(() -> at(3, terms -> terms.withPaused(true)));
    assertThat(startsAfter(3)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void a_paused_domain_without_a_delay_is_asked_once_more_at_most() {
    rehearsal.settings = PolicySettings.DEFAULTS.with(new PaceSettings(Duration.ZERO, 5, 0));
    // The connections are open: a request starts as soon as it may.
    answersPagesAfter(Duration.ofMillis(700));
    rehearsal.web.site("http://a.example").latency(Duration.ZERO, Duration.ofMillis(700));
    run(() -> at(3, terms -> terms.withPaused(true)));
    assertThat(rehearsal.web.visits()).anyMatch(visit -> visit.inFlight() > 2);
    assertThat(startsAfter(3)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void a_longer_interval_holds_at_once_where_answers_are_slow() {
    answersPagesAfter(Duration.ofSeconds(20));
    Duration interval = Duration.ofSeconds(6);
    run(() -> at(3, terms -> terms.withMinimum(Optional.of(interval))));
    List<Instant> starts = startsAfter(2);
    assertThat(starts).hasSizeGreaterThan(10);
    for (int n = 1; n < starts.size(); n++) {
      assertThat(Duration.between(starts.get(n - 1), starts.get(n)))
          .isGreaterThanOrEqualTo(interval);
    }
  }

  @Test
  void a_domain_whose_claim_was_ended_by_hand_is_asked_once_more_at_most_under_that_claim() {
    answersPagesAfter(Duration.ofSeconds(20));
    List<Instant> granted = new ArrayList<>();
    rehearsal.keptBy(
        new DoorwayStore.Keeper() {
          @Override
          public void granted(List<Claim> claims) {
            claims.forEach(_ -> granted.add(rehearsal.time.instant()));
          }
        });
    run(
        () ->
            rehearsal.at(
                START.plusSeconds(3),
                () -> operations.endClaims(operations.claims().getFirst().worker())));
    assertThat(rehearsal.endings.getFirst()).isEqualTo(new Ending.Lost());
    assertThat(granted).hasSize(2);
    assertThat(startsAfter(3))
        .isNotEmpty()
        .filteredOn(granted.get(1).plusSeconds(1)::isAfter)
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void a_renewal_that_is_heard_late_does_not_end_a_pause() {
    Rehearsal late = new Rehearsal(Duration.ofSeconds(30));
    for (int page = 0; page < 30; page++) {
      late.web.site("http://a.example").page("/" + page);
      late.seed("http://a.example/" + page);
    }
    late.web.site("http://a.example").latency(Duration.ofMillis(20), Duration.ofSeconds(4));
    Instant[] paused = {Instant.MAX};
    late.keptBy(
        new DoorwayStore.Keeper() {
          @Override
          public void after(DoorwayStore.Door door, Optional<Claim> claim) {
            if (door == DoorwayStore.Door.RENEW && paused[0].equals(Instant.MAX)) {
              late.memory.operations().setTerms(DOMAIN, terms -> terms.withPaused(true));
              paused[0] = late.time.instant();
              late.pass(Duration.ofMillis(3_500));
            }
          }
        });
    late.run();
    assertThat(paused[0]).isBefore(Instant.MAX);
    assertThat(late.web.visits())
        .filteredOn(visit -> visit.startedAt().isAfter(paused[0]))
        .isEmpty();
  }
}
