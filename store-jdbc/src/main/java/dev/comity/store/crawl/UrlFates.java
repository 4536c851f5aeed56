package dev.comity.store.crawl;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.store.crawl.HeldDomains.Held;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.refresh.DomainLesson;
import dev.comity.store.refresh.DueDomains;
import dev.comity.store.refresh.VisitColumns;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of URLs that are settled: their state and, for pages, what the visit showed and
 * when the next look is. Runs in the writer's thread.
 */
final class UrlFates {
  private static final String RETRY =
      updateOf("due_at = ?, asked = asked + ?, tries_spent = tries_spent + ?, place = place + ?");

  /** A page that was asked for its links keeps the date that it had, or gets the usual one. */
  private static final String FINISH_LINKS =
      updateOf("state = ?, due_at = (visited_at + 1209600) * 1000, asked = asked + ?, kind = 0");

  private static final String FINISH =
      updateOf("state = ?, due_at = NULL, asked = asked + ?, content_hash = ?");
  private static final String FINISH_PAGE =
      updateOf("state = ?, asked = asked + ?, " + VisitColumns.SET);

  private static String updateOf(String columns) {
    return "UPDATE domain_frontier SET " + columns + " WHERE id = ? AND state = 0 AND asked = ?";
  }

  private final Statements sql;
  private final RefreshDates dates;
  private final DueDomains domains;

  UrlFates(Statements sql, RefreshDates dates) {
    this.sql = sql;
    this.dates = dates;
    domains = new DueDomains(sql);
  }

  /**
   * Changes the URL's row, if it is as it was when the URL was taken. So a repeated settlement
   * changes nothing.
   */
  boolean move(Held held, Settling settling) {
    Settlement settlement = settling.settlement();
    int asked = settlement.attempt().isPresent() ? 1 : 0;
    return switch (settlement.lasting()) {
      case Fate.Returned _ ->
          sql.exists(
              "SELECT 1 FROM domain_frontier WHERE id = ? AND state = 0 AND asked = ?",
              settling.waiting().id(),
              settlement.entry().asked());
      case Fate.Retry(var due, var spends) ->
          update(
              settling,
              RETRY,
              StateColumns.ceilMillis(due),
              asked,
              spends ? asked : 0,
              settling.waiting().place() < FrontierCodes.TRIED / 2
                  ? asked * FrontierCodes.TRIED
                  : 0);
      case Fate _ when settlement.entry().kind() == Kind.LINKS ->
          update(settling, FINISH_LINKS, settling.ending().state, asked);
      case Fate _ when settlement.isDated() ->
          update(
              settling,
              FINISH_PAGE,
              StateColumns.and(
                  new @Nullable Object[] {settling.ending().state, asked},
                  VisitColumns.of(look(held, settlement))));
      case Fate _ ->
          update(
              settling,
              FINISH,
              settling.ending().state,
              asked,
              settlement.isImage() ? settling.contentHash().map(Body::bytes).orElse(null) : null);
    };
  }

  private boolean update(Settling settling, String statement, @Nullable Object... values) {
    return sql.update(
            statement,
            StateColumns.and(
                values, settling.waiting().id(), settling.settlement().entry().asked()))
        == 1;
  }

  private NextLook look(Held held, Settlement settlement) {
    DomainLesson.DatedVisit dated =
        held.lesson.next(dates, settlement, at -> domains.of(held.id, at.toEpochMilli()));
    held.lesson = dated.after();
    return dated.look();
  }

  /** Writes what the visits of a group have taught about their domain. */
  void written(Held held) {
    if (held.lesson.isNew() && held.lesson.known() != null) {
      domains.write(held.id, held.lesson.known());
      held.lesson = held.lesson.written();
    }
  }
}
