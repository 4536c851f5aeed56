package dev.comity.store.report;

import dev.comity.core.schedule.ChangeRate;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.RefreshPrice;
import dev.comity.store.refresh.RefreshText;
import dev.comity.store.refresh.VisitColumns;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * When the pages of a domain are looked at again.
 *
 * @param pages how many have a date
 * @param dueNow how many of them are due
 * @param nextDue when the first one is due
 * @param domainDue when the domain may be claimed for a refresh
 * @param visitsADay what the intervals of its pages add up to
 * @param budget the visits a day that it may have
 * @param fresh the share of its pages whose copy is expected to be fresh
 * @param learnt the price of a visit and the trust in hints
 */
public record RefreshRecord(
    String domain,
    long pages,
    long dueNow,
    Optional<Instant> nextDue,
    Optional<Instant> domainDue,
    double visitsADay,
    double budget,
    double fresh,
    DomainRefresh learnt) {

  private static final double DAY = 86_400;

  private record Domain(long id, String name, Optional<Instant> due, DomainRefresh learnt) {}

  /** Requests a day, no more than the budget allows. */
  public double requestsADay() {
    return Math.min(visitsADay, budget);
  }

  static List<RefreshRecord> all(Statements sql, Set<String> names, Instant now) {
    List<Domain> domains =
        sql.list(
            """
            SELECT id, domain, next_crawl_after, refresh_state,
              coalesce(last_crawled_at, first_seen_at) AS crawled FROM domains
            WHERE status = 'exhausted' ORDER BY coalesce(image_yield_rate, 0) DESC, next_crawl_after
            """,
            row ->
                new Domain(
                    row.number("id"),
                    row.text("domain"),
                    row.optionalTime("next_crawl_after"),
                    RefreshText.read(
                        row.optionalText("refresh_state").orElse(null), row.time("crawled"))));
    List<RefreshRecord> records = new ArrayList<>();
    for (Domain domain : domains) {
      if (names.isEmpty() || names.contains(domain.name())) {
        RefreshRecord record = of(sql, domain, now);
        if (record.pages() > 0) {
          records.add(record);
        }
      }
    }
    return records;
  }

  private static RefreshRecord of(Statements sql, Domain domain, Instant now) {
    Sums sums = new Sums(now);
    sql.each(
        """
        SELECT changes, due_at, visited_at FROM domain_frontier
        WHERE domain_id = ? AND state = 1 AND kind = 0 AND due_at IS NOT NULL
          AND visited_at IS NOT NULL
        """,
        row -> sums.add(row),
        domain.id());
    return new RefreshRecord(
        domain.name(),
        sums.pages,
        sums.due,
        sums.pages == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(sums.first)),
        domain.due(),
        sums.visits,
        RefreshPrice.budget(sums.pages),
        sums.pages == 0 ? 0 : sums.fresh / sums.pages,
        domain.learnt());
  }

  /** What is summed up over pages. */
  private static final class Sums {
    private final Instant now;
    private final Map<Long, Double> rates = new HashMap<>();
    private long pages;
    private long due;
    private long first = Long.MAX_VALUE;
    private double visits;
    private double fresh;

    Sums(Instant now) {
      this.now = now;
    }

    void add(ResultRow row) {
      long at = row.number("due_at");
      double days = Math.max((at / 1000 - row.number("visited_at")) / DAY, 1.0 / 24);
      pages++;
      due += at <= now.toEpochMilli() ? 1 : 0;
      first = Math.min(first, at);
      visits += 1 / days;
      double changes = days * rate(row.optionalNumber("changes"));
      // The mean over an interval of the chance that nothing has changed since its beginning.
      fresh += changes < 1e-6 ? 1 : -Math.expm1(-changes) / changes;
    }

    private double rate(OptionalLong changes) {
      return changes.isEmpty()
          ? ChangeRate.UNKNOWN
          : rates.computeIfAbsent(
              changes.getAsLong(), _ -> ChangeRate.perDay(VisitColumns.history(changes)));
    }
  }
}
