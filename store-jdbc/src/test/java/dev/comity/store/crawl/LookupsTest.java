package dev.comity.store.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How SQLite goes about looking for work. */
class LookupsTest {
  @TempDir private Path home;

  /** A million domains may wait for other runs; a look every few seconds must not read them. */
  @Test
  void whether_paused_domains_have_work_is_asked_of_paused_domains_alone() {
    DataDirectory directory = new DataDirectory(home);
    try (DataDirectory.Hold _ = directory.hold()) {
      Schema.migrate(directory);
    }
    try (Statements sql = new Statements(directory.writing())) {
      List<String> plan =
          sql.list("EXPLAIN QUERY PLAN " + Lookups.PAUSED_WORK, row -> row.getString(4));
      assertThat(plan.getFirst()).contains("domains USING INDEX domains_paused");
      assertThat(plan).noneMatch(step -> step.equals("SCAN domains"));
    }
  }
}
