package dev.comity.store.postgres;

import static dev.comity.store.support.Stores.NOON;
import static dev.comity.store.support.Stores.seeds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.ServerDatabase;
import dev.comity.store.fleet.JoinableRun;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that joins a list or a refresh has its terms from the run's row. */
class PostgresJoinTest {
  private final String url = Databases.url();
  private PostgresStore one;
  private PostgresStore other;

  @BeforeEach
  void open() {
    one = PostgresStore.open(PostgresDatabase.at(url), Stores.SETTINGS.named("one"));
    other = one.another("other");
  }

  @AfterEach
  void close() {
    other.close();
    one.close();
    Databases.giveBack(url);
  }

  private JoinableRun joinable() {
    return JoinableRun.find(ServerDatabase.at(url)).orElseThrow();
  }

  private void exhaustDomain() throws SQLException {
    one.begin(Stores.TERMS, NOON);
    one.add(seeds("http://a.example/"), NOON);
    Claim claim = one.claim(1, NOON).getFirst();
    one.settle(claim, Stores.page(Stores.take(one, claim), claim));
    DomainState done = Stores.POLICY.idle(Stores.POLICY.claimed(claim.state(), NOON));
    one.release(claim, done, new Ending.Exhausted(), NOON);
    assertThat(one.end(RunEnding.FINISHED, NOON)).isTrue();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE domain_frontier SET due_at = 1, visited_at = 1");
      statement.execute("UPDATE domains SET next_crawl_after = 1, refresh_state = NULL");
    }
  }

  @Test
  void one_that_joins_a_refresh_claims_what_is_due() throws SQLException {
    exhaustDomain();
    Run run = one.begin(Stores.TERMS.refreshing(Set.of()), NOON);
    one.confine(Set.of());
    one.openToWorkers("{}");
    assertThat(joinable().refreshed()).contains(Set.of());
    assertThat(joinable().list()).isEmpty();
    assertThat(other.join(run.id())).isPresent();
    Claim claim = other.claim(1, NOON).getFirst();
    assertThat(claim.domain()).isEqualTo(new DomainName("a.example"));
    assertThat(Stores.take(other, claim).url()).hasToString("http://a.example/");
    assertThat(one.claim(1, NOON)).isEmpty();
  }

  @Test
  void the_domains_of_a_refresh_and_the_name_of_a_list_are_read_from_the_row() {
    one.begin(Stores.TERMS.refreshing(List.of(new DomainName("b.example"))), NOON);
    one.openToWorkers("{}");
    assertThat(joinable().refreshed()).contains(Set.of(new DomainName("b.example")));
    one.end(RunEnding.FINISHED, NOON);
    one.begin(
        new RunTerms(List.of(), Scope.ofList("/a list", Grouping.BY_HOST).terms(), 10, 10), NOON);
    one.confine(List.of(new DomainName("a.example")));
    one.openToWorkers("{}");
    assertThat(joinable().list()).contains("/a list");
    assertThat(joinable().refreshed()).isEmpty();
    assertThat(joinable().domains(ServerDatabase.at(url)))
        .containsExactly(new DomainName("a.example"));
  }
}
