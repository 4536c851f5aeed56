package dev.comity.store.doctor;

import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.util.Map;

/** No run has more than it may. */
final class BudgetsCheck {
  private final Map<String, Long> budgets;

  /**
   * @param budgets pages per run of the domains that have a number of their own
   */
  BudgetsCheck(Map<String, Long> budgets) {
    this.budgets = Map.copyOf(budgets);
  }

  Check check() {
    return new Check(
        "budgets",
        10,
        "a run has no more pages than it may, in all and of one domain",
        Check.HISTORY,
        this::examine);
  }

  private void examine(Statements sql, Examination.Findings findings) {
    sql.each(
        "SELECT id, pages, max_pages FROM crawl_runs WHERE pages > max_pages",
        row ->
            findings.add(
                "run " + row.number("id"),
                "it has %d pages and may have %d"
                    .formatted(row.number("pages"), row.number("max_pages"))));
    sql.each(
        """
        SELECT d.domain, j.run_id, j.pages, r.max_pages_per_domain AS most FROM jobs j
        JOIN crawl_runs r ON r.id = j.run_id JOIN domains d ON d.id = j.domain_id
        WHERE j.pages > r.max_pages_per_domain
        """,
        row -> examine(row, findings));
  }

  private void examine(ResultRow row, Examination.Findings findings) {
    long most = Math.max(row.number("most"), budgets.getOrDefault(row.text("domain"), 0L));
    if (row.number("pages") > most) {
      findings.add(
          row.text("domain"),
          "run %d has %d pages of it and may have %d"
              .formatted(row.number("run_id"), row.number("pages"), most));
    }
  }
}
