package dev.comity.store.postgres;

import static dev.comity.store.postgres.ServerStores.NOON;
import static dev.comity.store.postgres.ServerStores.run;
import static dev.comity.store.postgres.ServerStores.seed;
import static dev.comity.store.postgres.ServerStores.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.postgres.rows.UrlHash;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements of a store that meet another transaction half-way, in a fixed order. */
class PostgresConflictTest {
  private static final DomainName A = new DomainName("a.example");

  private final ServerStores server = new ServerStores();

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private Claim claimed(PostgresStore store) {
    store.add(Stores.seeds("http://a.example/"), NOON);
    return store.claim(1, NOON).getFirst();
  }

  @Test
  void a_renewal_waits_for_a_sweep_and_is_lost_then() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    Connection sweep = server.connection();
    run(
        sweep,
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, version = version + 1");
    Renewal renewal = server.after(sweep, () -> store.renew(List.of(claim), NOON));
    assertThat(renewal.lost()).containsExactly(A);
  }

  @Test
  void a_sweep_leaves_a_claim_that_is_being_renewed() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    PostgresStore other = server.store("other");
    Connection renewal = server.connection();
    run(
        renewal,
        "UPDATE domains SET claim_expires_at = comity_millis() - 1, version = version + 1");
    renewal.commit();
    run(
        renewal,
        "UPDATE domains SET claim_expires_at = comity_millis() + 60000, version = version + 1");
    assertThat(other.claim(1, NOON)).isEmpty();
    renewal.commit();
    assertThat(other.claim(1, NOON)).isEmpty();
    store.settle(claim, Stores.page(take(store, claim), claim));
  }

  @Test
  void a_run_is_not_ended_while_another_sweep_ends_the_last_claims() throws Exception {
    PostgresStore store = server.store("one");
    claimed(store);
    PostgresStore other = server.store("other");
    Connection sweep = server.connection();
    run(sweep, "UPDATE domains SET claim_expires_at = comity_millis() - 1, version = version + 1");
    sweep.commit();
    run(
        sweep,
        "UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL, claimable_at = 0,"
            + " version = version + 1");
    assertThat(other.claim(1, NOON)).isEmpty();
    assertThat(other.outlook(NOON)).isEqualTo(new Outlook.Others(1, Optional.empty()));
    assertThat(other.end(RunEnding.FINISHED, NOON)).isFalse();
    sweep.commit();
    assertThat(other.claim(1, NOON)).hasSize(1);
  }

  @Test
  void a_run_is_not_ended_while_another_sweep_wakes_the_last_domain() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    store.settle(claim, Stores.page(take(store, claim), claim));
    store.release(
        claim,
        Stores.POLICY.emptied(store.state(A).orElseThrow(), NOON),
        new Ending.Exhausted(),
        NOON);
    Connection sweep = server.connection();
    run(
        sweep,
        "INSERT INTO arrivals (domain_id, discovered, over_cap) SELECT id, 1, 0 FROM domains");
    sweep.commit();
    run(sweep, "SELECT 1 FROM domains FOR NO KEY UPDATE");
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.Others(1, Optional.empty()));
    assertThat(store.end(RunEnding.FINISHED, NOON)).isFalse();
    sweep.commit();
    assertThat(store.outlook(NOON)).isEqualTo(new Outlook.Nothing());
  }

  @Test
  void a_domain_that_another_worker_is_about_to_claim_is_held_elsewhere() throws Exception {
    PostgresStore store = server.store("one");
    store.add(Stores.seeds("http://a.example/"), NOON);
    Connection other = server.connection();
    run(
        other,
        "UPDATE domains SET claimed_by = 'x', claim_token = claim_token + 1,"
            + " claim_expires_at = comity_millis() + 60000, version = version + 1");
    assertThat(store.claim(1, NOON)).isEmpty();
    assertThat(server.after(other, () -> store.borrow(A, NOON)))
        .isEqualTo(new Borrowing.HeldElsewhere());
  }

  @Test
  void a_refresh_leaves_a_due_domain_to_the_worker_that_is_about_to_claim_it() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    store.settle(claim, Stores.page(take(store, claim), claim));
    store.release(
        claim,
        Stores.POLICY.emptied(Stores.POLICY.claimed(claim.state(), NOON), NOON),
        new Ending.Exhausted(),
        NOON);
    assertThat(store.end(RunEnding.FINISHED, NOON)).isTrue();
    store.begin(Stores.TERMS.refreshing(List.of()), NOON);
    Connection other = server.connection();
    run(other, "UPDATE domains SET next_crawl_after = 1, version = version + 1");
    run(other, "UPDATE domain_frontier SET due_at = 1");
    other.commit();
    run(other, "SELECT 1 FROM domains FOR NO KEY UPDATE");
    assertThat(store.claim(1, NOON)).isEmpty();
    other.commit();
    assertThat(store.claim(1, NOON)).hasSize(1);
  }

  @Test
  void a_draw_waits_for_another_and_gets_what_that_leaves() throws Exception {
    RunTerms terms = new RunTerms(List.of(), Stores.TERMS.scope(), 12, 1000);
    PostgresStore store = server.store("one", terms);
    Connection other = server.connection();
    run(other, "UPDATE crawl_runs SET allotted = allotted + 9");
    assertThat(server.after(other, () -> store.draw(10)).granted()).isEqualTo(3);
    assertThat(server.number("SELECT allotted FROM crawl_runs")).isEqualTo(12);
  }

  @Test
  void a_run_is_ended_once_and_the_second_worker_finds_it_ended() throws Exception {
    PostgresStore store = server.store("one");
    Connection other = server.connection();
    run(other, "UPDATE crawl_runs SET status = 'finished', ended_at = 42, end_reason = 'first'");
    assertThat(server.after(other, () -> store.end(RunEnding.FINISHED, NOON))).isTrue();
    assertThat(server.number("SELECT count(*) FROM crawl_runs WHERE end_reason = 'first'"))
        .isEqualTo(1);
  }

  @Test
  void workers_that_begin_at_once_join_one_run() throws Exception {
    PostgresStore one = server.store("one");
    PostgresStore two = server.store("two");
    RunTerms terms = new RunTerms(List.of(), Stores.TERMS.scope(), 77, 1000);
    Connection other = server.connection();
    run(other, "SELECT pg_advisory_xact_lock(hashtext('comity.runs'))");
    CompletableFuture<Long> first =
        CompletableFuture.supplyAsync(() -> one.begin(terms, NOON).id());
    CompletableFuture<Long> second =
        CompletableFuture.supplyAsync(() -> two.begin(terms, NOON).id());
    server.awaitLocks(2, CompletableFuture.allOf(first, second));
    other.commit();
    assertThat(first.join()).isEqualTo(second.join());
    assertThat(server.number("SELECT count(*) FROM crawl_runs WHERE max_pages = 77")).isEqualTo(1);
  }

  @Test
  void a_turn_of_a_source_waits_for_another_and_is_not_taken_then() throws Exception {
    PostgresStore store = server.store("one");
    Connection other = server.connection();
    run(
        other,
        "INSERT INTO sources (name, min_scrape_interval, created_at) VALUES ('news', 10, 1)");
    other.commit();
    run(other, "UPDATE sources SET last_start_at = comity_millis()");
    // The interval counts by the database's clock, and the answer is in the worker's.
    assertThat(server.after(other, () -> store.takeTurn("news", NOON)))
        .isInstanceOfSatisfying(
            SourceTurn.NotBefore.class,
            answer ->
                assertThat(answer.due()).isBetween(NOON.plusSeconds(1), NOON.plusSeconds(10)));
  }

  @Test
  void a_url_that_another_worker_adds_at_the_same_time_is_a_duplicate() throws Exception {
    PostgresStore store = server.store("one");
    store.add(Stores.seeds("http://a.example/"), NOON);
    Connection other = server.connection();
    CrawlUrl late = CrawlUrl.of("http://a.example/late");
    run(
        other,
        """
        INSERT INTO domain_frontier (id, domain_id, url_hash, place, discovered_at, depth, url)
        SELECT nextval('url_ids'), id, '%s', 1, 0, 1, '%s' FROM domains
        """
            .formatted(UrlHash.of(late), late));
    assertThat(server.after(other, () -> store.offer(seed(late.toString()), NOON)))
        .isEqualTo(new AddAnswer.Duplicate());
    assertThat(store.offer(seed("http://a.example/new"), NOON))
        .isEqualTo(new AddAnswer.Enqueued(false));
  }

  @Test
  void what_our_outage_closed_stays_with_a_worker_that_has_claimed_it_since() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    store.release(claim, claim.state(), new Ending.Stopped(), NOON);
    Connection other = server.connection();
    run(
        other,
        "UPDATE domains SET claimed_by = 'x', claim_token = claim_token + 1, version = version +"
            + " 1");
    boolean taken =
        server.after(
            other,
            () -> {
              boolean[] changed = new boolean[1];
              store.takeBack(
                  A,
                  claim.token(),
                  state -> {
                    changed[0] = true;
                    return state;
                  });
              return changed[0];
            });
    assertThat(taken).isFalse();
  }

  @Test
  void a_hint_under_a_lost_claim_changes_nothing() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    Connection other = server.connection();
    run(other, "UPDATE domain_frontier SET state = 1, visited_at = 1, due_at = 9000000000000");
    run(other, "UPDATE domains SET claimed_by = NULL, version = version + 1");
    PageHint hint = new PageHint(CrawlUrl.of("http://a.example/"), NOON);
    assertThatThrownBy(
            () ->
                server.after(
                    other,
                    () -> {
                      store.hint(claim, List.of(hint));
                      return true;
                    }))
        .hasRootCauseInstanceOf(ClaimLost.class);
    assertThat(server.number("SELECT count(*) FROM domain_frontier WHERE hint IS NOT NULL"))
        .isZero();
  }

  @Test
  void new_subdomains_of_two_workers_are_both_counted() throws Exception {
    PostgresStore store = server.store("one");
    Connection other = server.connection();
    run(other, "INSERT INTO subdomains (owner, known) VALUES ('a.example', 5)");
    QueuedUrl sub = seed("http://s.a.example/");
    assertThat(server.after(other, () -> store.add(List.of(sub), NOON))).isEqualTo(1);
    assertThat(server.number("SELECT known FROM subdomains")).isEqualTo(6);
  }
}
