package dev.comity.store.postgres;

import static dev.comity.store.postgres.ServerStores.NOON;
import static dev.comity.store.postgres.ServerStores.run;
import static dev.comity.store.postgres.ServerStores.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is left of claims that have ended. */
class PostgresFenceTest {
  private final ServerStores server = new ServerStores();

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private static Claim claimed(PostgresStore store) {
    store.add(Stores.seeds("http://a.example/"), NOON);
    return store.claim(1, NOON).getFirst();
  }

  private void expire() throws SQLException {
    Connection time = server.connection();
    run(time, "UPDATE domains SET claim_expires_at = 1, version = version + 1");
    time.commit();
  }

  @Test
  void a_piece_of_a_lost_claim_is_left_out_though_its_worker_holds_the_domain_again()
      throws Exception {
    PostgresStore store = server.store("one");
    Claim lost = claimed(store);
    HeldDomain before = store.parts.held.of(lost);
    expire();
    HeldDomain after = store.parts.held.of(store.claim(1, NOON).getFirst());
    Connection lane = server.connection();
    run(lane, "SELECT 1 FROM lanes WHERE lane = 'flush' FOR UPDATE");
    FlushPiece check = new FlushPiece.Checked(after);
    CompletableFuture<?> waiting =
        CompletableFuture.supplyAsync(() -> store.parts.writer.write(check));
    server.awaitLocks(1, waiting);
    // These gather while the first one waits, and are one group.
    store.parts.writer.later(new FlushPiece.Released(before, lost.state(), new Ending.Stopped()));
    store.parts.writer.later(check);
    lane.commit();
    waiting.join();
    store.parts.writer.write(check);
    assertThat(server.number("SELECT count(*) FROM domains WHERE claimed_by IS NOT NULL"))
        .isEqualTo(1);
  }

  @Test
  void a_claim_waits_for_the_end_of_its_run_and_gets_nothing_then() throws Exception {
    PostgresStore store = server.store("one");
    store.add(Stores.seeds("http://a.example/"), NOON);
    Connection end = server.connection();
    run(end, "UPDATE crawl_runs SET status = 'finished', ended_at = started_at");
    assertThat(server.after(end, () -> store.claim(1, NOON))).isEmpty();
    assertThat(server.number("SELECT count(*) FROM jobs")).isZero();
  }

  @Test
  void all_claims_of_a_worker_are_ended_however_many_they_are() throws Exception {
    server.store("one");
    Connection other = server.connection();
    run(
        other,
        "INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimed_by,"
            + " claim_expires_at, last_crawled_at) SELECT 'd' || n || '.example', 'd', 1, 1, 'x',"
            + " 9, 1 FROM generate_series(1, 1100) AS n");
    other.commit();
    PostgresOperations operations =
        new PostgresOperations(PostgresDatabase.at(server.url), "me", StoreLimits.DEFAULTS);
    assertThat(operations.endClaims("x")).hasSize(1100);
    assertThat(server.number("SELECT count(*) FROM domains WHERE claimed_by = 'x'")).isZero();
  }

  @Test
  void a_note_of_a_url_that_was_written_after_its_claim_had_ended_is_swept_away() throws Exception {
    PostgresStore store = server.store("one");
    Claim claim = claimed(store);
    take(store, claim);
    store.renew(List.of(claim), NOON);
    store.parts.writer.write(new FlushPiece.Checked(store.parts.held.of(claim)));
    Connection late = server.connection();
    run(
        late,
        "INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimable_at)"
            + " VALUES ('b.example', 'b.example', 1, 1, NULL)");
    run(
        late,
        "INSERT INTO in_flight (url_id, domain_id, worker, taken_at)"
            + " SELECT 99, id, 'one', 1 FROM domains WHERE domain = 'b.example'");
    late.commit();
    assertThat(store.claim(1, NOON)).isEmpty();
    assertThat(server.number("SELECT count(*) FROM in_flight")).isEqualTo(1);
    assertThat(server.number("SELECT count(*) FROM in_flight WHERE url_id = 99")).isZero();
  }

  @Test
  void the_row_of_a_claim_says_whether_a_worker_had_died_with_the_domain_or_gave_it_back()
      throws Exception {
    PostgresStore store = server.store("one");
    PostgresStore other = server.store("other");
    Claim claim = claimed(store);
    store.release(claim, Stores.POLICY.claimed(claim.state(), NOON), new Ending.Stopped(), NOON);
    assertThat(other.claim(1, NOON)).hasSize(1);
    assertThat(reasons("given over")).isEqualTo(1);
    expire();
    assertThat(store.claim(1, NOON)).hasSize(1);
    assertThat(reasons("taken over")).isEqualTo(1);
    assertThat(server.number("SELECT count(*) FROM transitions WHERE door = 'claim'")).isEqualTo(3);
  }

  private long reasons(String reason) throws SQLException {
    return server.number("SELECT count(*) FROM transitions WHERE reason = '" + reason + "'");
  }
}
