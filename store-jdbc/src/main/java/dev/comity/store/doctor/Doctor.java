package dev.comity.store.doctor;

import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
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
  private final StoreLocation place;
  private final List<Check> checks = new ArrayList<>();

  public Doctor(StoreLocation place) {
    this(place, LearningSettings.DEFAULTS.longest(), Map.of(), Instant.now());
  }

  /**
   * @param longestLearned how long a learned delay may be
   * @param budgets pages per run of the domains that have a number of their own
   * @param now nothing has happened after this
   */
  public Doctor(
      StoreLocation place, Duration longestLearned, Map<String, Long> budgets, Instant now) {
    this.place = place;
    boolean server = place instanceof ServerDatabase;
    checks.add(server ? SchemaCheck.check() : FileCheck.check());
    checks.add(RowsCheck.check());
    checks.add(new TimesCheck(now).check());
    checks.add(RunsCheck.check());
    if (server) {
      checks.add(WorkersCheck.check());
    }
    checks.add(ClaimsCheck.check());
    checks.add(StateCheck.check());
    checks.add(SpacingCheck.check());
    checks.add(new LearningCheck(longestLearned).check());
    checks.add(RestsCheck.check());
    checks.add(LifecycleCheck.check());
    checks.add(new BudgetsCheck(budgets).check());
    checks.add(FrontierCheck.check());
    checks.add(OnceCheck.check());
    if (place instanceof DataDirectory directory) {
      checks.add(new ImagesCheck(directory).check());
    }
    checks.add(SourcesCheck.check());
    checks.add(CountersCheck.check());
  }

  /** Compares the files of images, too, that workers on a server keep in this directory. */
  public Doctor withImagesIn(DataDirectory directory) {
    checks.add(new ImagesCheck(directory).check());
    return this;
  }

  /** Makes every check, in one read transaction, and tells of each as soon as it is done. */
  public List<Examination> examine(Consumer<Examination> listener) {
    Schema.require(place);
    List<Examination> all = new ArrayList<>();
    try (Statements sql = new Statements(place.snapshot(), place.dialect())) {
      for (Check check : checks) {
        Examination examination = check.examine(sql);
        listener.accept(examination);
        all.add(examination);
      }
    }
    return all;
  }
}
