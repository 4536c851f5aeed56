package dev.comity.store.report;

import java.util.List;

/**
 * How many pages are read at once. Pages with their bodies may be a thousand times as large as
 * those without, so each batch goes by the largest page of the one before.
 */
final class PageBatch {
  private static final long MEMORY = 8 << 20;
  private static final int FIRST = 16;

  private final int most;
  private int next;

  PageBatch(int most) {
    this.most = most;
    next = Math.min(FIRST, most);
  }

  int next() {
    return next;
  }

  /** Takes a batch in; says whether it was the last. */
  boolean saw(List<PageRecord> pages) {
    int asked = next;
    long heaviest = pages.stream().mapToLong(PageRecord::weight).max().orElse(1);
    next = Math.clamp(MEMORY / heaviest, 1, most);
    return pages.size() < asked;
  }
}
