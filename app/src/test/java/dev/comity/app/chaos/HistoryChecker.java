package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

/** Says which invariants a history breaks, and where. */
final class HistoryChecker {
  private static final int MOST_OF_EACH = 5;

  private final ChaosHistory history;
  private final List<String> broken = new ArrayList<>();
  private final int[] found = new int[20];

  HistoryChecker(ChaosHistory history) {
    this.history = history;
  }

  /** Every broken invariant, by its number, with its first cases. */
  static List<String> broken(ChaosHistory history) {
    HistoryChecker checker = new HistoryChecker(history);
    new ClaimChecks(history, checker).all();
    new PaceChecks(history, checker).all();
    new UrlChecks(history, checker).all();
    checker.statuses();
    for (int number = 0; number < checker.found.length; number++) {
      if (checker.found[number] > MOST_OF_EACH) {
        checker.broken.add(
            "invariant %d: %d more".formatted(number, checker.found[number] - MOST_OF_EACH));
      }
    }
    return checker.broken;
  }

  /** Each value takes the place of one %s. */
  void require(int invariant, boolean holds, String otherwise, Object... values) {
    if (!holds && ++found[invariant] <= MOST_OF_EACH) {
      String words = otherwise;
      for (Object value : values) {
        words = words.replaceFirst("%s", Matcher.quoteReplacement(String.valueOf(value)));
      }
      broken.add("invariant " + invariant + ": " + words);
    }
  }

  /** Invariant 8. */
  private void statuses() {
    ChaosHistory.by(history.changes(), Change::domain)
        .forEach(
            (domain, changes) -> {
              String now = changes.getFirst().from();
              for (Change change : changes) {
                require(
                    8,
                    history
                        .terms()
                        .matrix()
                        .contains(List.of(change.from(), change.to(), change.door())),
                    "%s may not change so",
                    change);
                require(8, change.from().equals(now), "%s was %s: %s", domain, now, change);
                now = change.to();
              }
            });
  }
}
