package dev.comity.store.doctor;

import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.util.Map;
import java.util.regex.Pattern;

/** No run has more than it may. */
final class BudgetsCheck {
  /** As {@link dev.comity.store.sql.TermsColumns#words} writes it. */
  private static final Pattern ALLOWED = Pattern.compile("max_pages_per_run \\w+ -> (\\d{1,18})");

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
        """
        SELECT r.id, r.pages + ${pages of lanes} AS pages, r.max_pages FROM crawl_runs r
        WHERE r.pages + ${pages of lanes} > r.max_pages
        """,
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
        row -> examine(sql, row, findings));
  }

  private void examine(Statements sql, ResultRow row, Examination.Findings findings) {
    String domain = row.text("domain");
    long set = Math.max(budgets.getOrDefault(domain, 0L), byOperator(sql, domain));
    long most = Math.max(row.number("most"), set);
    if (row.number("pages") > most) {
      findings.add(
          row.text("domain"),
          "run %d has %d pages of it and may have %d"
              .formatted(row.number("run_id"), row.number("pages"), most));
    }
  }

  /** The most pages that an operator has ever allowed of a domain; the audit has every change. */
  private static long byOperator(Statements sql, String domain) {
    return sql
        .list(
            "SELECT detail FROM audit WHERE action = 'domain-set' AND subject = ?",
            row -> row.text("detail"),
            domain)
        .stream()
        .flatMap(detail -> ALLOWED.matcher(detail).results())
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .max()
        .orElse(0);
  }
}
