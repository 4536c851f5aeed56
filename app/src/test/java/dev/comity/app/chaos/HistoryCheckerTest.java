package dev.comity.app.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.chaos.ChaosHistory.Change;
import dev.comity.app.chaos.ChaosHistory.DomainRow;
import dev.comity.app.chaos.ChaosHistory.Fault;
import dev.comity.app.chaos.ChaosHistory.Lease;
import dev.comity.app.chaos.ChaosHistory.Logged;
import dev.comity.app.chaos.ChaosHistory.RunRow;
import dev.comity.app.chaos.ChaosHistory.Terms;
import dev.comity.app.chaos.ChaosHistory.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A sound history passes, and each invariant refuses a history that breaks it. */
class HistoryCheckerTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final String A = "a.example";
  private static final String HOME = "http://a.example/";
  private static final String PAGE = "http://a.example/1";
  private static final String LATER = "http://a.example/2";

  private Terms terms =
      new Terms(
          Duration.ofSeconds(1),
          Duration.ofMillis(100),
          Duration.ofSeconds(5),
          2,
          10,
          5,
          Duration.ofMinutes(10),
          Set.of(
              List.of("pending", "active", "claim"), List.of("active", "exhausted", "holder"),
              List.of("active", "active", "claim"), List.of("active", "blocked", "holder")),
          Set.of(HOME + "robots.txt", HOME, PAGE, LATER),
          Set.of(HOME, PAGE, LATER));

  private final List<Visit> visits = new ArrayList<>();
  private final List<Lease> leases = new ArrayList<>();
  private final List<Logged> log = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private DomainRow row = row(Map.of("done", 3L), 0, false, 4, 3, Optional.empty());
  private RunRow run = new RunRow("finished", 3, 1);

  HistoryCheckerTest() {
    leases.add(lease(1, "w1", 0, 5000));
    leases.add(lease(1, "w1", 2000, 7000));
    leases.add(lease(1, "", 6000, 6000));
    request(HOME + "robots.txt", 0, 404, "noted");
    request(HOME, 1000, 200, "done");
    request(PAGE, 2000, 200, "done");
    request(LATER, 3000, 200, "done");
    changes.add(new Change(A, "pending", "active", "claim", at(0)));
    changes.add(new Change(A, "active", "exhausted", "holder", at(6000)));
  }

  private static Instant at(long millis) {
    return NOON.plusMillis(millis);
  }

  private static Lease lease(long token, String worker, long at, long until) {
    return new Lease(A, token, worker, at(until), at(at));
  }

  private static DomainRow row(
      Map<String, Long> kept,
      long inFlight,
      boolean claimed,
      long requests,
      long pages,
      Optional<Duration> refused) {
    return new DomainRow(
        A,
        claimed,
        inFlight,
        3,
        0,
        kept,
        kept,
        requests,
        pages,
        pages,
        pages,
        refused,
        Duration.ofSeconds(1));
  }

  private void request(String url, long millis, int status, String fate) {
    visit(url, millis, status);
    log.add(logged(url, 1, millis, status, fate));
  }

  private void visit(String url, long millis, int status) {
    visits.add(new Visit(A, url, at(millis), at(millis + 10), status, Optional.empty()));
  }

  private static Logged logged(String url, long token, long millis, int status, String fate) {
    return new Logged(
        A,
        url,
        token,
        at(millis),
        at(millis + 50),
        Duration.ofSeconds(1),
        status,
        fate,
        !url.endsWith("robots.txt"));
  }

  private List<String> broken() {
    return HistoryChecker.broken(
        new ChaosHistory(terms, visits, leases, log, changes, List.of(row), faults, run));
  }

  private void breaks(int invariant) {
    assertThat(broken()).isNotEmpty().allMatch(it -> it.startsWith("invariant " + invariant + ":"));
  }

  @Test
  void a_sound_history_breaks_nothing() {
    assertThat(broken()).isEmpty();
  }

  @Test
  void a_page_whose_worker_died_is_asked_again() {
    log.removeLast();
    leases.removeLast();
    leases.add(lease(1, "", 7500, 7500));
    leases.add(lease(2, "w2", 7600, 12_600));
    leases.add(lease(2, "", 10_000, 10_000));
    faults.add(new Fault("kill", at(3005), at(3005)));
    visit(LATER, 9000, 200);
    log.add(logged(LATER, 2, 9000, 200, "done"));
    assertThat(broken()).isEmpty();
  }

  @Test
  void invariant_1_refuses_a_domain_with_two_holders() {
    leases.add(1, lease(2, "w2", 1500, 1600));
    leases.set(2, lease(2, "w2", 1550, 7000));
    log.clear();
    visits.clear();
    assertThat(broken()).anyMatch(it -> it.startsWith("invariant 1: granted while it was held"));
  }

  @Test
  void invariant_1_refuses_a_token_that_falls() {
    leases.add(lease(0, "w2", 20_000, 20_100));
    leases.add(lease(0, "", 20_050, 20_050));
    breaks(1);
  }

  @Test
  void invariant_2_refuses_a_write_with_an_old_token() {
    leases.add(lease(2, "w2", 6100, 11_100));
    leases.add(lease(2, "", 7000, 7000));
    Logged last = log.removeLast();
    log.add(new Logged(A, LATER, 1, last.startedAt(), at(6200), last.delay(), 200, "done", true));
    breaks(2);
  }

  @Test
  void invariant_3_refuses_a_request_after_its_lease() {
    visits.removeLast();
    log.removeLast();
    request(LATER, 8000, 200, "done");
    breaks(3);
  }

  @Test
  void invariant_4_refuses_requests_too_close() {
    visits.removeLast();
    visit(LATER, 2800, 200);
    assertThat(broken()).anyMatch(it -> it.startsWith("invariant 4: PT0.8S between"));
  }

  @Test
  void invariant_4_refuses_requests_too_close_in_the_log() {
    log.set(3, logged(LATER, 1, 2999, 200, "done"));
    breaks(4);
  }

  @Test
  void invariant_4_refuses_a_request_before_the_delay_that_was_learned() {
    Logged last = log.getLast();
    log.set(
        3,
        new Logged(
            A,
            LATER,
            1,
            last.startedAt(),
            last.writtenAt(),
            Duration.ofSeconds(2),
            200,
            "done",
            true));
    breaks(4);
  }

  @Test
  void invariant_5_refuses_too_many_at_once() {
    visits.replaceAll(
        visit ->
            new Visit(A, visit.url(), visit.at(), at(5000), visit.status(), visit.retryAfter()));
    breaks(5);
  }

  @Test
  void invariant_5_refuses_requests_in_flight_at_the_end() {
    row = row(Map.of("done", 3L), 1, false, 4, 3, Optional.empty());
    breaks(5);
  }

  @Test
  void invariant_6_refuses_a_learned_delay_that_was_refused() {
    row = row(Map.of("done", 3L), 0, false, 4, 3, Optional.of(Duration.ofSeconds(1)));
    breaks(6);
  }

  @Test
  void invariant_7_refuses_a_request_before_retry_after() {
    Visit first = visits.get(0);
    visits.set(
        0,
        new Visit(
            A, first.url(), first.at(), first.until(), 429, Optional.of(Duration.ofSeconds(2))));
    log.set(0, logged(first.url(), 1, 0, 429, "noted"));
    breaks(7);
  }

  @Test
  void invariant_7_refuses_a_request_while_a_domain_is_closed() {
    changes.set(1, new Change(A, "active", "blocked", "holder", at(2500)));
    breaks(7);
  }

  @Test
  void invariant_8_refuses_a_change_that_is_not_in_the_matrix() {
    changes.set(1, new Change(A, "active", "pending", "holder", at(6000)));
    breaks(8);
  }

  @Test
  void invariant_9_refuses_a_request_that_is_denied() {
    terms =
        new Terms(
            terms.delay(),
            terms.lag(),
            terms.lease(),
            terms.concurrency(),
            terms.maxPages(),
            terms.maxPagesPerDomain(),
            terms.cap(),
            terms.matrix(),
            Set.of(HOME + "robots.txt", HOME, LATER),
            terms.pages());
    breaks(9);
  }

  @Test
  void invariant_10_refuses_a_budget_exceeded() {
    run = new RunRow("finished", 11, 1);
    assertThat(broken()).anyMatch(it -> it.startsWith("invariant 10: the run has more than 10"));
  }

  @Test
  void invariant_11_refuses_a_url_without_a_state() {
    row = row(Map.of("done", 2L), 0, false, 4, 3, Optional.empty());
    breaks(11);
  }

  @Test
  void invariant_12_refuses_a_page_that_is_asked_twice() {
    leases.set(1, lease(1, "w1", 2000, 9000));
    visit(HOME, 4000, 200);
    breaks(12);
  }

  @Test
  void invariant_12_refuses_a_page_that_is_asked_twice_for_the_links_of_one_lost_queue() {
    leases.set(1, lease(1, "w1", 2000, 9000));
    leases.set(2, lease(1, "", 8000, 8000));
    faults.add(new Fault("REDIS_FLUSH 0", at(3500), at(3500)));
    request(HOME, 4100, 200, "noted");
    row = row(Map.of("done", 3L), 0, false, 5, 3, Optional.empty());
    assertThat(broken()).isEmpty();
    request(HOME, 5200, 200, "noted");
    row = row(Map.of("done", 3L), 0, false, 6, 3, Optional.empty());
    breaks(12);
  }

  @Test
  void invariant_12_refuses_a_page_that_is_written_twice() {
    request(HOME, 4000, 200, "done");
    row = row(Map.of("done", 3L), 0, false, 5, 3, Optional.empty());
    breaks(12);
  }

  @Test
  void invariant_13_refuses_counters_that_differ_from_the_log() {
    row = row(Map.of("done", 3L), 0, false, 5, 3, Optional.empty());
    breaks(13);
  }

  @Test
  void invariant_13_refuses_an_answer_that_the_site_never_gave() {
    log.set(3, logged(LATER, 1, 3000, 404, "done"));
    breaks(13);
  }

  @Test
  void invariant_14_refuses_a_lease_that_is_not_recovered() {
    leases.removeLast();
    leases.add(lease(1, "", 20_000, 20_000));
    breaks(14);
  }

  @Test
  void invariant_14_refuses_a_page_that_was_lost() {
    visits.removeLast();
    log.removeLast();
    row = row(Map.of("done", 3L), 0, false, 3, 3, Optional.empty());
    breaks(14);
  }

  @Test
  void invariant_14_refuses_a_run_that_ended_twice() {
    run = new RunRow("finished", 3, 2);
    breaks(14);
  }
}
