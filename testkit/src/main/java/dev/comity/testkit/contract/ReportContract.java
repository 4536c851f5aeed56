package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Reports.DomainReport;
import dev.comity.core.port.store.Reports.LoggedRequest;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What was written is what people read, whichever worker wrote it, and once if it was repeated. */
public interface ReportContract extends StoreUnderTest {
  private TwoWorkers two(String... urls) {
    return TwoWorkers.of(this, urls);
  }

  /** The first worker's settlement of a URL that was asked so many seconds after noon. */
  private static Settlement settlement(
      QueuedUrl entry, Fate fate, FetchOutcome outcome, int seconds) {
    Instant at = NOON.plusSeconds(seconds);
    return new Settlement(
        entry,
        Optional.of(Moves.attempt(entry, at)),
        Optional.of(new Fetched(outcome, Optional.empty(), Duration.ofMillis(100), 0)),
        fate,
        POLICY.startFailed(DomainState.FRESH, at),
        List.of(),
        Optional.empty());
  }

  private static FetchOutcome success() {
    return new FetchOutcome.Success(200, Headers.NONE, Body.EMPTY);
  }

  /** A robots.txt that was asked so many seconds after noon, and a sitemap that it names. */
  private static Note robots(DomainName domain, int seconds) {
    Instant at = NOON.plusSeconds(seconds);
    QueuedUrl map = QueuedUrl.sitemap(seed("http://" + domain + "/map").url());
    return new Note(
        POLICY.startFailed(DomainState.FRESH, at),
        Optional.of(
            new Note.Exchange(
                new Attempt(
                    map.url().authority().robotsTxt(), Kind.ROBOTS, 1, at, Duration.ofSeconds(1)),
                new Fetched(success(), Optional.empty(), Duration.ZERO, 0))),
        Optional.empty(),
        List.of(map));
  }

  private static DomainReport report(TwoWorkers two, Claim claim) {
    return two.reports().domain(claim.domain()).orElseThrow();
  }

  @Test
  default void a_domain_that_is_not_known_has_no_report_and_no_requests() {
    TwoWorkers two = two();
    DomainName unknown = seed("http://a.example/").url().domain();
    assertThat(two.reports().domain(unknown)).isEmpty();
    assertThat(two.reports().requests(unknown, 9)).isEmpty();
    assertThat(two.reports().census(two.run().id())).isEqualTo(new Census(0, 0, Map.of()));
  }

  @Test
  default void a_report_says_what_was_settled() {
    TwoWorkers two = two("http://a.example/0", "http://a.example/1", "http://a.example/2");
    two.one().seeded("http://a.example/3", "http://a.example/4");
    Claim claim = two.claim();
    assertThat(two.reports().requests(claim.domain(), 9)).isEmpty();
    QueuedUrl done = two.one().take(claim);
    two.store().settle(claim, settlement(done, DONE, success(), 1));
    QueuedUrl failed = two.one().take(claim);
    FetchOutcome broken = new FetchOutcome.ServerError(500);
    Fate over = new Fate.Failed(Category.SERVER_ERROR);
    two.store().settle(claim, settlement(failed, over, broken, 2));
    QueuedUrl later = two.one().take(claim);
    Fate again = new Fate.Retry(NOON.plusSeconds(60), true);
    FetchOutcome silent = new FetchOutcome.ConnectionFailed("refused");
    two.store().settle(claim, settlement(later, again, silent, 3));
    two.store().settle(claim, Moves.unasked(two.one().take(claim), new Fate.Denied()));
    DomainState last = POLICY.startFailed(DomainState.FRESH, NOON.plusSeconds(4));
    two.store().record(claim, Note.of(last));
    assertThat(report(two, claim))
        .isEqualTo(new DomainReport(last, OperatorTerms.NONE, live(two, claim), 2, 1, 3, 2, 0));
    assertThat(two.reports().requests(claim.domain(), 9))
        .containsExactly(
            logged(later, claim, 3, OptionalInt.empty()),
            logged(failed, claim, 2, OptionalInt.of(500)),
            logged(done, claim, 1, OptionalInt.of(200)));
    assertThat(two.reports().requests(claim.domain(), 2)).hasSize(2);
  }

  private static LoggedRequest logged(
      QueuedUrl entry, Claim claim, int seconds, OptionalInt status) {
    return new LoggedRequest(
        entry.url().toString(), Kind.PAGE, claim.token(), NOON.plusSeconds(seconds), status);
  }

  private static Optional<LiveClaim> live(TwoWorkers two, Claim claim) {
    return two.operations().claims().stream()
        .filter(one -> one.domain().equals(claim.domain()))
        .findFirst();
  }

  @Test
  default void a_report_has_the_claim_until_it_is_released_and_the_terms_of_the_operator() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    LiveClaim shown = report(two, claim).claim().orElseThrow();
    assertThat(shown.token()).isEqualTo(claim.token());
    assertThat(shown.expires()).isEqualTo(NOON.plus(TwoWorkers.SHORT));
    two.operations().setTerms(claim.domain(), terms -> terms.withPaused(true));
    assertThat(report(two, claim).terms()).isEqualTo(OperatorTerms.NONE.withPaused(true));
    two.one().stop(claim);
    assertThat(report(two, claim).claim()).isEmpty();
    assertThat(report(two, claim).terms().paused()).isTrue();
  }

  @Test
  default void a_settlement_that_is_repeated_is_counted_once() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    Settlement settlement = settlement(two.one().take(claim), DONE, success(), 1);
    two.store().settle(claim, settlement);
    DomainReport once = report(two, claim);
    two.store().settle(claim, settlement);
    assertThat(report(two, claim)).isEqualTo(once);
    assertThat(once.pages()).isEqualTo(1);
    assertThat(two.reports().requests(claim.domain(), 9)).hasSize(1);
  }

  @Test
  default void a_note_that_is_repeated_is_counted_once() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    CrawlStore store = two.store();
    Note note = robots(claim.domain(), 1);
    store.record(claim, note);
    DomainReport once = report(two, claim);
    assertThat(once.pageRequests()).isZero();
    assertThat(once.unfinished()).isEqualTo(2);
    store.record(claim, note);
    assertThat(report(two, claim)).isEqualTo(once);
    assertThat(two.reports().requests(claim.domain(), 9))
        .extracting(LoggedRequest::kind)
        .containsExactly(Kind.ROBOTS);
    // Another request for the same file is no repetition, and its state stays.
    store.record(claim, robots(claim.domain(), 2));
    store.record(claim, note);
    assertThat(two.reports().requests(claim.domain(), 9)).hasSize(2);
    assertThat(store.state(claim.domain())).contains(robots(claim.domain(), 2).state());
  }

  @Test
  default void a_note_of_the_next_claim_is_no_repetition() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    two.store().record(claim, robots(claim.domain(), 1));
    two.one().stop(claim);
    Claim next = two.other().claimOne();
    two.other().store().record(next, robots(claim.domain(), 1));
    assertThat(two.reports().requests(claim.domain(), 9))
        .extracting(LoggedRequest::token)
        .containsExactly(next.token(), claim.token());
  }

  @Test
  default void a_report_has_the_urls_that_another_worker_found() {
    TwoWorkers two = two("http://a.example/");
    Claim claim = two.claim();
    two.one().seeded("http://b.example/");
    Claim other = two.other().claimOne();
    QueuedUrl page = two.other().take(other);
    QueuedUrl link = page.link(seed("http://a.example/2").url());
    two.other().store().settle(other, Moves.asked(page, DONE, other.state(), link));
    assertThat(report(two, claim).unfinished()).isEqualTo(2);
    two.one().settleNext(claim, DONE);
    assertThat(report(two, claim).unfinished()).isEqualTo(1);
    assertThat(report(two, other).pages()).isEqualTo(1);
  }

  @Test
  default void a_census_counts_what_is_left_by_status() {
    TwoWorkers two = two("http://a.example/");
    two.one().exhaustOne();
    two.one().seeded("http://b.example/", "http://b.example/2");
    Claim spent = two.claim();
    DomainState active = POLICY.claimed(spent.state(), NOON);
    two.store().release(spent, active, new Ending.DomainOutOfBudget(), NOON);
    two.one().seeded("http://c.example/", "http://c.example/2", "http://c.example/3");
    assertThat(two.reports().census(two.run().id()))
        .isEqualTo(
            new Census(
                3,
                1,
                Map.of(
                    DomainStatus.EXHAUSTED,
                    1L,
                    DomainStatus.ACTIVE,
                    1L,
                    DomainStatus.PENDING,
                    1L)));
    two.other().exhaustOne();
    assertThat(two.reports().census(two.run().id()).urls()).isEqualTo(2);
  }
}
