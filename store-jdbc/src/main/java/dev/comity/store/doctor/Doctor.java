package dev.comity.store.doctor;

import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.store.DataDirectory;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
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
            FileCheck.check(),
            RowsCheck.check(),
            new TimesCheck(now).check(),
            RunsCheck.check(),
            ClaimsCheck.check(),
            StateCheck.check(),
            SpacingCheck.check(),
            new LearningCheck(longestLearned).check(),
            RestsCheck.check(),
            LifecycleCheck.check(),
            new BudgetsCheck(budgets).check(),
            FrontierCheck.check(),
            OnceCheck.check(),
            new ImagesCheck(directory).check(),
            SourcesCheck.check(),
            CountersCheck.check());
  }

  /** Makes every check, in one read transaction, and tells of each as soon as it is done. */
  public List<Examination> examine(Consumer<Examination> listener) {
    Schema.require(directory);
    List<Examination> all = new ArrayList<>();
    try (Statements sql = new Statements(directory.reading())) {
      sql.execute("BEGIN");
      for (Check check : checks) {
        Examination examination = check.examine(sql);
        listener.accept(examination);
        all.add(examination);
      }
      sql.execute("COMMIT");
    }
    return all;
  }
}
