package dev.comity.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.operate.Operator;
import dev.comity.store.report.StoreReader;
import dev.comity.store.support.Lives;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong with workers, and how it comes right. */
class FailureScenariosTest {
  private static final String A = "http://a.example/";
  private static final String B = "http://b.example/";

  @TempDir private Path home;
  private Lives lives;

  @BeforeEach
  void open() {
    lives = new Lives(home.resolve("data"));
    lives.site("a.example", 40);
    lives.site("b.example", 40);
  }

  @Test
  void worker_crashes_mid_crawl_and_the_next_goes_on_with_nothing_lost_or_hurried() {
    // An answer that takes three seconds keeps several requests in flight.
    lives.web.site("http://a.example").latency(Duration.ofMillis(20), Duration.ofSeconds(3));
    Set<String> settled = new HashSet<>();
    List<DataDirectory> crashed = new ArrayList<>();
    List<String> inFlight = new ArrayList<>();
    lives.when(
        (life, _, page) -> {
          if (page.isPresent() && crashed.isEmpty()) {
            settled.add(page.get().entry().url().toString());
            if (settled.size() == 30) {
              crashed.add(lives.asAKillWouldLeaveIt(home.resolve("copy")));
              inFlight.addAll(lives.askedSince(0));
              inFlight.removeAll(settled);
              life.crawl().stop();
            }
          }
        });
    lives.crawl(A, B);
    lives.when((_, _, _) -> {});
    int before = lives.visits();
    lives.directory = crashed.getFirst();
    Instant started = lives.time.instant();

    assertThat(lives.crawl(A, B)).isEqualTo(new Crawl.End.Finished());

    assertThat(lives.lastRun().continued()).isTrue();
    assertThat(lives.lastRun().pages()).isEqualTo(30);
    assertThat(inFlight).hasSizeGreaterThan(1);
    assertThat(lives.askedSince(before)).hasSize(50).doesNotHaveDuplicates().containsAll(inFlight);
    for (String host : List.of("a.example", "b.example")) {
      assertThat(lives.starts(host).stream().filter(at -> !at.isBefore(started)).findFirst())
          .hasValueSatisfying(
              first -> assertThat(first).isAfterOrEqualTo(started.plus(Duration.ofSeconds(1))));
    }
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void two_workers_want_the_same_directory_and_only_one_has_it() {
    try (SqliteStore _ = lives.open()) {
      assertThatThrownBy(() -> lives.open()).isInstanceOf(DirectoryInUse.class);
    }
  }

  @Test
  void worker_loses_the_store_it_aborts_and_the_next_goes_on() {
    boolean[] lost = {false};
    lives.when(
        (life, _, page) -> {
          if (page.isPresent() && !lost[0] && lives.visits() > 30) {
            lost[0] = true;
            life.store().close();
          }
        });
    assertThatThrownBy(() -> lives.crawl(A, B)).hasStackTraceContaining("the store is closed");
    assertThat(lives.visits()).isLessThan(40);
    assertThat(lives.crawl(A, B)).isEqualTo(new Crawl.End.Finished());
    assertThat(lives.lastRun().continued()).isTrue();
    assertThat(lives.lastRun().pages()).isPositive();
    assertThat(new HashSet<>(lives.askedSince(0))).hasSize(80);
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void version_conflict_on_finalize_the_holder_writes_nothing_and_the_domain_is_claimed_again() {
    boolean[] taken = {false};
    lives.when(
        (_, domain, page) -> {
          if (page.isPresent() && !taken[0] && domain.name().equals("a.example")) {
            taken[0] = true;
            new Operator(lives.directory, "somebody")
                .reset("a.example", false, Optional.empty(), lives.time.instant());
          }
        });
    assertThat(lives.crawl(A, B)).isEqualTo(new Crawl.End.Finished());
    assertThat(taken[0]).isTrue();
    assertThat(new HashSet<>(lives.askedSince(0))).hasSize(80);
    assertThat(lives.wrong()).isEmpty();
  }

  @Test
  void stale_priority_is_only_advice_and_is_put_right_after_the_job() throws SQLException {
    try (SqliteStore store = lives.open()) {
      store.add(List.of(QueuedUrl.seed(CrawlUrl.of(B), Optional.empty())), lives.time.instant());
    }
    change("UPDATE domains SET priority_score = 999999");
    lives.crawl(A, B);
    assertThat(new HashSet<>(lives.askedSince(0))).hasSize(80);
    try (StoreReader reader = StoreReader.open(lives.directory)) {
      assertThat(reader.domain("b.example").orElseThrow().holding().priority()).isLessThan(2000);
    }
    assertThat(lives.wrong()).isEmpty();
  }

  private void change(String sql) throws SQLException {
    try (Connection connection = lives.directory.writing();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }
}
