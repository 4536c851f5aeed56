package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.url.DomainName;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreUnusable;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupWriterTest {
  @TempDir private Path home;
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private final List<String> followed = new CopyOnWriteArrayList<>();
  private Statements sql;
  private GroupWriter writer;

  @BeforeEach
  void open() {
    sql = new Statements(new DataDirectory(home).writing());
    sql.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    writer = new GroupWriter(sql, this::trouble);
    writer.follow(
        new GroupWriter.Follower() {
          @Override
          public void committed() {
            followed.add("committed");
          }

          @Override
          public void rolledBack() {
            followed.add("rolled back");
          }
        });
    writer.start(() -> 0);
  }

  @AfterEach
  void close() {
    writer.close();
    sql.close();
  }

  /** The disk has room again as soon as somebody complains. */
  private void trouble(String words) {
    troubles.add(words);
    try {
      sql.each("PRAGMA max_page_count = 1000000", _ -> {});
    } catch (StoreUnusable failed) {
      throw new AssertionError(failed);
    }
  }

  private int write(String text) {
    return sql.update("INSERT INTO notes (text) VALUES (?)", text);
  }

  /** Holds the writer's thread, hands all of these in, and lets go: they become one group. */
  private List<CompletableFuture<Integer>> together(List<Supplier<Integer>> works)
      throws Exception {
    CountDownLatch handed = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    List<CompletableFuture<Integer>> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      writer.later(() -> hold(busy, handed));
      busy.await();
      for (Supplier<Integer> work : works) {
        results.add(CompletableFuture.supplyAsync(() -> writer.write(work), threads));
      }
      while (writer.waiting() < works.size()) {
        Thread.onSpinWait();
      }
      handed.countDown();
    }
    return results;
  }

  private static int hold(CountDownLatch busy, CountDownLatch handed) {
    busy.countDown();
    try {
      handed.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private long notes() {
    return writer.write(() -> sql.number("SELECT count(*) FROM notes"));
  }

  @Test
  void what_returned_is_durable() {
    writer.write(() -> write("one"));
    assertThat(Stores.number(home, "SELECT count(*) FROM notes")).isEqualTo(1);
  }

  @Test
  void a_lost_claim_fails_alone() throws Exception {
    var results =
        together(
            List.of(
                () -> write("one"),
                () -> {
                  throw new ClaimLost(new DomainName("a.example"), 1);
                },
                () -> write("two")));
    assertThat(results.get(0).join()).isEqualTo(1);
    assertThat(results.get(2).join()).isEqualTo(1);
    assertThatThrownBy(results.get(1)::join).hasRootCauseInstanceOf(ClaimLost.class);
    assertThat(notes()).isEqualTo(2);
    assertThat(followed).doesNotContain("rolled back");
  }

  @Test
  void a_piece_that_fails_half_way_is_undone_and_spoils_nobody_s() throws Exception {
    var results =
        together(
            List.of(
                () -> write("one"),
                () -> {
                  write("half");
                  return sql.update("INSERT INTO notes (text) VALUES (NULL)");
                },
                () -> {
                  write("quarter");
                  throw new IllegalStateException("a mistake of ours");
                },
                () -> write("two")));
    assertThat(results.get(0).join()).isEqualTo(1);
    assertThat(results.get(3).join()).isEqualTo(1);
    assertThatThrownBy(results.get(1)::join).hasCauseInstanceOf(StoreUnusable.class);
    assertThatThrownBy(results.get(2)::join).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(notes()).isEqualTo(2);
    assertThat(followed).contains("rolled back");
    assertThat(troubles).isEmpty();
  }

  @Test
  void an_error_fails_its_piece_and_the_writer_goes_on() {
    assertThatThrownBy(
            () ->
                writer.write(
                    () -> {
                      throw new NoClassDefFoundError("Missing");
                    }))
        .hasRootCauseInstanceOf(NoClassDefFoundError.class);
    assertThat(writer.write(() -> write("one"))).isEqualTo(1);
  }

  @Test
  void a_full_disk_is_waited_for_and_told() {
    sql.each("PRAGMA max_page_count = 2", _ -> {});
    writer.write(() -> write("x".repeat(100_000)));
    assertThat(notes()).isEqualTo(1);
    assertThat(troubles).hasSize(2);
    assertThat(troubles.getFirst()).startsWith("the disk is full");
    assertThat(troubles.getLast()).isEmpty();
  }

  @Test
  void nothing_is_taken_after_closing() {
    writer.close();
    assertThatThrownBy(() -> writer.write(() -> write("late")))
        .isInstanceOf(StoreUnusable.class)
        .hasMessageContaining("closed");
  }
}
