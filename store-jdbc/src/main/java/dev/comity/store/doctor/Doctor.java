package dev.comity.store.doctor;

import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Query;
import dev.comity.store.sql.Schema;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Looks whether what is stored can be true. It reads one moment of the database, so a crawl that
 * goes on meanwhile neither disturbs it nor is disturbed.
 */
public final class Doctor {
  private final DataDirectory directory;
  private final List<Check> checks;

  public Doctor(DataDirectory directory) {
    this(directory, LearningSettings.DEFAULTS.longest(), Map.of(), Instant.now());
  }

  /**
   * @param longestLearned how long a learned delay may be
   * @param budgets pages per run of the domains that have a number of their own
   * @param now nothing has happened after this
   */
  public Doctor(
      DataDirectory directory, Duration longestLearned, Map<String, Long> budgets, Instant now) {
    this.directory = directory;
    checks =
        List.of(
            new FileCheck(),
            new RowsCheck(),
            new TimesCheck(now),
            new RunsCheck(),
            new ClaimsCheck(),
            new StateCheck(),
            new SpacingCheck(),
            new LearningCheck(longestLearned),
            new RestsCheck(),
            new LifecycleCheck(),
            new BudgetsCheck(budgets),
            new FrontierCheck(),
            new OnceCheck(),
            new CountersCheck());
  }

  /** Makes every check, in one read transaction, and tells of each as soon as it is done. */
  public List<Examination> examine(Consumer<Examination> listener) {
    Schema.require(directory);
    List<Examination> all = new ArrayList<>();
    Connection connection = directory.reading();
    try {
      Query.run(connection, "BEGIN");
      for (Check check : checks) {
        Examination.Notes notes = new Examination.Notes(check.fix());
        check.examine(connection, notes);
        Examination examination = notes.of(check);
        listener.accept(examination);
        all.add(examination);
      }
      Query.run(connection, "COMMIT");
    } finally {
      Query.close(connection);
    }
    return all;
  }
}
