package dev.comity.core.memory;

import dev.comity.core.port.run.Wanted;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Exhausted domains with pages that are due, for a run that refreshes.
 *
 * @param rows best yield first, then the oldest
 */
record DueRows(List<DomainRow> rows, Instant now) {
  private static final Comparator<DomainRow> ORDER =
      Comparator.comparingDouble(DueRows::imageYield)
          .reversed()
          .thenComparing(row -> row.dated.due(row.lastCrawled).orElse(Instant.MAX));

  static DueRows of(Tables tables, Wanted wanted) {
    Instant now = tables.now();
    boolean none = !tables.run.isRefresh() || wanted == Wanted.IMAGES;
    return new DueRows(
        none
            ? List.of()
            : tables.domains.all().stream()
                .filter(row -> row.isAtRest(tables.run.number()) && isDue(row, now))
                .sorted(ORDER)
                .toList(),
        now);
  }

  private static boolean isDue(DomainRow row, Instant now) {
    return row.dated.due(row.lastCrawled).filter(due -> !due.isAfter(now)).isPresent();
  }

  /** Images stored for each page. */
  private static double imageYield(DomainRow row) {
    return row.pages == 0 ? 0 : (double) row.imagesStored / row.pages;
  }

  /** Queues the pages that are due, if it is one of these. */
  void queue(DomainRow row) {
    if (rows.contains(row)) {
      row.dated.takeDue(now, row.lastCrawled).forEach(row.urls::visitAgain);
    }
  }
}
