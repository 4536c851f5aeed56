package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import dev.comity.testkit.postgres.LossyProxy;
import dev.comity.testkit.postgres.PostgresNode;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server that goes away and comes back: reads and writes wait, and say so once. */
class PostgresOutageTest {
  private static PostgresNode node;

  private final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();

  @BeforeAll
  static void start() {
    node = PostgresNode.primary();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private PostgresStore store(String address) {
    StoreSettings settings = Stores.SETTINGS.named("one").telling(troubles::add);
    PostgresStore store = PostgresStore.open(PostgresDatabase.at(address), settings);
    store.begin(Stores.TERMS, Stores.NOON);
    return store;
  }

  private <T> CompletableFuture<T> beside(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, Thread::startVirtualThread);
  }

  @Test
  void reads_and_writes_wait_while_the_server_is_away_and_say_so_once() throws Exception {
    try (PostgresStore store = store(node.url("postgres"))) {
      store.add(Stores.seeds("http://a.example/"), Stores.NOON);
      Claim claim = store.claim(1, Stores.NOON, Wanted.ANY).getFirst();
      node.crash();
      List<CompletableFuture<?>> calls =
          List.of(
              beside(store::now),
              beside(() -> store.terms(claim)),
              beside(() -> store.state(claim.domain())),
              beside(() -> store.add(Stores.seeds("http://b.example/"), Stores.NOON)),
              beside(
                  () -> {
                    store.release(claim, DomainState.FRESH, new Ending.Exhausted(), Stores.NOON);
                    return true;
                  }));
      assertThat(troubles.take()).isNotEmpty().doesNotEndWith(".");
      node.start();
      for (CompletableFuture<?> call : calls) {
        call.handle((_, _) -> true).join();
      }
      assertThat(calls.get(0)).isCompleted();
      assertThat(calls.get(3).join()).isEqualTo(1);
      assertThat(troubles.take()).isEmpty();
      assertThat(troubles).isEmpty();
    }
  }

  @Test
  void a_store_in_a_hurry_does_not_wait() {
    PostgresStore store = store(node.url("postgres"));
    node.stop();
    CompletableFuture<?> read = beside(store::now);
    store.hurry();
    assertThatThrownBy(read::join).hasCauseInstanceOf(StoreUnusable.class);
    // Its claims end by themselves.
    assertThatThrownBy(store::close).isInstanceOf(StoreUnusable.class);
    node.start();
  }

  @Test
  void a_worker_whose_registration_was_not_answered_registers_again() throws Exception {
    try (LossyProxy proxy = LossyProxy.to(node.url("postgres"));
        PostgresStore first = store(proxy.url())) {
      proxy.cutAtCommit(false);
      try (PostgresStore second = first.another("two")) {
        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(second.begin(Stores.TERMS, Stores.NOON).continued()).isTrue();
      }
    }
  }
}
