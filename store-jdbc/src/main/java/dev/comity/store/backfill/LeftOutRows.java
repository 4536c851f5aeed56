package dev.comity.store.backfill;

import dev.comity.core.util.Printable;
import java.util.ArrayList;
import java.util.List;

/** Rows that cannot be used: the first are named, all are counted. */
public final class LeftOutRows {
  private static final int NAMED = 20;

  private final List<String> named = new ArrayList<>();
  private long count;

  /**
   * Leaves a row out.
   *
   * @param origin the file or table
   * @param row its number from 1
   */
  public void add(String origin, long row, String why) {
    count++;
    if (named.size() < NAMED) {
      named.add("%s:%d: %s".formatted(Printable.text(origin), row, Printable.text(why)));
    }
  }

  public long count() {
    return count;
  }

  /** A line for each of the first, and one for the others. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(named);
    if (count > NAMED) {
      lines.add("and %d more rows are left out".formatted(count - NAMED));
    }
    return lines;
  }
}
