package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.OperatorSignal;
import dev.comity.store.StoreSettings;
import dev.comity.store.sql.Statements;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another connection changes what the operator wants of a domain that this store holds. */
class OperatorBesideStoreTest {
  private static final String PAUSE = "UPDATE domains SET paused = 1";
  private static final OperatorTerms PAUSED = OperatorTerms.NONE.withPaused(true);

  @TempDir private Path home;
  private DataDirectory directory;
  private SqliteStore store;
  private Claim claim;

  @BeforeEach
  void claimOne() {
    directory = new DataDirectory(home);
    store =
        SqliteStore.open(
            directory,
            StoreSettings.of(
                new DomainPolicy(PolicySettings.DEFAULTS),
                Grouping.BY_HOST,
                InstantSource.system()));
    store.add(
        List.of(QueuedUrl.seed(CrawlUrl.of("http://a.example/"), Optional.empty())), Instant.now());
    claim = store.claim(1, Instant.now()).getFirst();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void byHand(String change) {
    try (Statements sql = new Statements(directory.writing())) {
      sql.execute(change);
    }
  }

  @Test
  void an_operator_who_is_about_to_commit_is_waited_for() throws Exception {
    assertThat(store.terms(claim)).isEqualTo(OperatorTerms.NONE);
    try (Statements operator = new Statements(directory.writing());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      operator.execute("BEGIN IMMEDIATE");
      operator.execute(PAUSE);
      OperatorSignal.of(directory).raise();
      // The request that asks now is about to start: it must not start on the old terms.
      CompletableFuture<OperatorTerms> heard =
          CompletableFuture.supplyAsync(() -> store.terms(claim), threads);
      assertThat(heard).isNotDone();
      operator.execute("COMMIT");
      assertThat(heard.get()).isEqualTo(PAUSED);
    }
  }

  @Test
  void a_change_that_is_undone_leaves_the_terms() {
    try (Statements operator = new Statements(directory.writing())) {
      operator.execute("BEGIN IMMEDIATE");
      operator.execute(PAUSE);
      OperatorSignal.of(directory).raise();
    }
    assertThat(store.terms(claim)).isEqualTo(OperatorTerms.NONE);
    byHand(PAUSE);
    store.record(claim, Note.of(claim.state()));
    assertThat(store.terms(claim)).isEqualTo(PAUSED);
  }

  @Test
  void what_is_written_by_hand_is_known_after_the_next_renewal() {
    byHand(PAUSE);
    store.renew(List.of(claim), Instant.now());
    assertThat(store.terms(claim)).isEqualTo(PAUSED);
  }

  @Test
  void the_signal_counts_on_in_a_directory_that_is_opened_again() {
    OperatorSignal signal = OperatorSignal.of(directory);
    long before = signal.count();
    OperatorSignal.of(directory).raise();
    assertThat(signal.count()).isEqualTo(before + 1);
    assertThat(OperatorSignal.of(directory).count()).isEqualTo(before + 1);
  }
}
