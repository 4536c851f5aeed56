package dev.comity.store.postgres;

import static dev.comity.store.postgres.ServerStores.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many claimers on many domains; what each of them saw is a history that is checked. */
class PostgresClaimersTest {
  private static final int CLAIMERS = 32;
  private static final int DOMAINS = 10_000;

  private final ServerStores server = new ServerStores();

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  /**
   * A claim as its holder saw it.
   *
   * @param from after it was granted
   * @param to before it was given back
   */
  private record Held(String domain, long token, String worker, long from, long to) {}

  @Test
  void no_domain_is_held_twice_at_once_and_none_is_left_out() throws Exception {
    PostgresStore first = server.store("first");
    for (int from = 0; from < DOMAINS; from += 1000) {
      List<QueuedUrl> seeds =
          IntStream.range(from, from + 1000)
              .mapToObj(n -> ServerStores.seed("http://d" + n + ".example/"))
              .toList();
      first.add(seeds, NOON);
    }
    AtomicLong clock = new AtomicLong();
    ConcurrentLinkedQueue<Held> history = new ConcurrentLinkedQueue<>();
    List<Callable<Boolean>> claimers = new ArrayList<>();
    for (int n = 0; n < CLAIMERS; n++) {
      String worker = "w" + n;
      PostgresStore store = server.store(worker);
      claimers.add(() -> claimAll(store, worker, clock, history));
    }
    try (var threads = Executors.newFixedThreadPool(CLAIMERS)) {
      for (Future<Boolean> one : threads.invokeAll(claimers)) {
        assertThat(one.get()).isTrue();
      }
    }
    check(history);
    assertThat(server.number("SELECT count(*) FROM domains WHERE claimed_by IS NOT NULL")).isZero();
    assertThat(server.number("SELECT sum(claim_token) FROM domains")).isEqualTo(history.size());
  }

  /** Claims until nothing is left; each tenth domain is given back to be claimed again. */
  private static boolean claimAll(
      PostgresStore store, String worker, AtomicLong clock, ConcurrentLinkedQueue<Held> history) {
    int empty = 0;
    for (int round = 0; empty < 3; round++) {
      List<Claim> some = store.claim(10, NOON);
      long from = clock.incrementAndGet();
      empty = some.isEmpty() ? empty + 1 : 0;
      for (int n = 0; n < some.size(); n++) {
        Claim claim = some.get(n);
        boolean again = round % 10 == 0 && n == 0 && claim.token() < 3;
        history.add(
            new Held(claim.domain().name(), claim.token(), worker, from, clock.incrementAndGet()));
        store.release(
            claim,
            claim.state(),
            again ? new Ending.Stopped() : new Ending.DomainOutOfBudget(),
            NOON);
      }
    }
    return true;
  }

  private static void check(ConcurrentLinkedQueue<Held> history) {
    Map<String, List<Held>> byDomain = new HashMap<>();
    Set<String> tokens = new HashSet<>();
    for (Held held : history) {
      assertThat(tokens.add(held.domain() + " " + held.token())).as("%s", held).isTrue();
      byDomain.computeIfAbsent(held.domain(), _ -> new ArrayList<>()).add(held);
    }
    assertThat(byDomain).hasSize(DOMAINS);
    for (List<Held> held : byDomain.values()) {
      held.sort(Comparator.comparingLong(Held::token));
      for (int n = 1; n < held.size(); n++) {
        assertThat(held.get(n).from())
            .as("%s is granted after %s was given back", held.get(n), held.get(n - 1))
            .isGreaterThan(held.get(n - 1).to());
        assertThat(held.get(n).token()).isEqualTo(held.get(n - 1).token() + 1);
      }
    }
  }
}
