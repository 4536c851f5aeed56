package dev.comity.store.postgres;

import static dev.comity.store.postgres.ServerStores.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.store.postgres.connect.PostgresDatabase;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operators' terms by the server's own time: requests that follow each other share a look. */
class AuditSignalTest {
  private final ServerStores server = new ServerStores();

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private Claim claim(PostgresStore store) {
    store.add(List.of(ServerStores.seed("http://a.example/")), NOON);
    return store.claim(1, NOON).getFirst();
  }

  private PostgresOperations operations() {
    return new PostgresOperations(
        PostgresDatabase.at(server.url), "operator", StoreLimits.DEFAULTS);
  }

  @Test
  void a_change_reaches_a_holder_that_has_read_the_terms_before() {
    PostgresStore store = server.store("first");
    Claim claim = claim(store);
    assertThat(store.terms(claim).paused()).isFalse();
    operations().setTerms(claim.domain(), terms -> terms.withPaused(true));
    while (!store.terms(claim).paused()) {
      Thread.onSpinWait();
    }
    operations().setTerms(claim.domain(), terms -> terms.withPaused(false));
    while (store.terms(claim).paused()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_claim_that_an_operator_ended_is_lost_at_the_next_look() {
    PostgresStore store = server.store("first");
    Claim claim = claim(store);
    store.terms(claim);
    String worker = operations().claims().getFirst().worker();
    assertThat(operations().endClaims(worker)).hasSize(1);
    assertThatThrownBy(
            () -> {
              while (true) {
                store.terms(claim);
              }
            })
        .isInstanceOf(ClaimLost.class);
  }

  @Test
  void without_a_change_the_row_is_read_once() {
    PostgresStore store = server.store("first");
    Claim claim = claim(store);
    operations().setTerms(claim.domain(), terms -> terms.withConcurrency(OptionalInt.of(3)));
    OperatorTerms read = store.terms(claim);
    assertThat(read.concurrency()).hasValue(3);
    // A row that is read again makes terms of its own.
    assertThat(store.terms(claim)).isSameAs(read);
  }
}
