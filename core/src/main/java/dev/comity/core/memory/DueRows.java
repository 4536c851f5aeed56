package dev.comity.core.memory;

import dev.comity.core.port.run.Wanted;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Exhausted domains with pages that are due, for a run that refreshes.
 *
 * @param rows best yield first, then the oldest
 */
record DueRows(List<DomainRow> rows, Tables tables, Instant now, boolean refreshes) {
  static DueRows of(Tables tables, Wanted wanted) {
    Instant now = tables.now();
    boolean none = !tables.run.isRefresh() || wanted == Wanted.IMAGES;
    return new DueRows(
        none
            ? List.of()
            : tables.domains.all().stream()
                .filter(row -> row.isAtRest(tables.run.number()) && isDue(tables, row, now))
                .sorted(
                    Comparator.comparingDouble(DueRows::imageYield)
                        .reversed()
                        .thenComparing(row -> due(tables, row).orElse(Instant.MAX)))
                .toList(),
        tables,
        now,
        !none);
  }

  private static boolean isDue(Tables tables, DomainRow row, Instant now) {
    return due(tables, row).filter(due -> !due.isAfter(now)).isPresent();
  }

  private static Optional<Instant> due(Tables tables, DomainRow row) {
    return tables.dated(row).due(tables.now());
  }

  /** Images stored for each page. */
  private static double imageYield(DomainRow row) {
    return row.pages == 0 ? 0 : (double) row.imagesStored / row.pages;
  }

  /** Queues the pages of a claimed domain that are due, if the run refreshes. */
  void queue(DomainRow row) {
    if (!refreshes) {
      return;
    }
    DatedPages pages = tables.dated(row);
    boolean isOpen = row.isOpenTo(tables.run.number());
    if (rows.contains(row) || (isOpen && pages.mayBegin(now))) {
      pages.takeDue(now).forEach(row.urls::visitAgain);
    } else {
      pages.leave();
    }
  }
}
