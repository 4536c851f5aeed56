package dev.comity.store.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Keeps the few names that are most similar to a given one. */
public final class NearestNames {
  private record Near(String name, int distance) {}

  private static final Comparator<Near> ORDER =
      Comparator.comparingInt(Near::distance).thenComparing(Near::name);

  private final String wanted;
  private final int limit;
  private final List<Near> nearest = new ArrayList<>();

  /**
   * @param limit how many names are kept
   */
  public NearestNames(String wanted, int limit) {
    this.wanted = wanted;
    this.limit = limit;
  }

  /** Offers a name. */
  public void offer(String name) {
    int distance = distance(name);
    if (distance > Math.max(2, wanted.length() / 4)) {
      return;
    }
    nearest.add(new Near(name, distance));
    if (nearest.size() > limit) {
      nearest.sort(ORDER);
      nearest.removeLast();
    }
  }

  /** The nearest, the nearest first. */
  public List<String> names() {
    nearest.sort(ORDER);
    return nearest.stream().map(Near::name).toList();
  }

  private int distance(String name) {
    // A name with a sub-domain more or less means the same site.
    if (name.endsWith("." + wanted) || wanted.endsWith("." + name)) {
      return 1;
    }
    return edits(name, wanted);
  }

  /** How many characters must be put in, taken out or replaced to make one of the other. */
  private static int edits(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int above = row[j];
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[other.length()];
  }
}
