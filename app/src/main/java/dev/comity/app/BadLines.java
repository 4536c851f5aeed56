package dev.comity.app;

import java.util.ArrayList;
import java.util.List;

/** Lines of seed files that are no seeds: the first named, all counted. */
final class BadLines {
  /** More complaints than this help nobody. */
  private static final int MOST_COMPLAINTS = 20;

  private final List<String> complaints = new ArrayList<>();
  private long bad;

  /**
   * @param number of the line; 0 for the file as a whole
   */
  void add(String file, long number, String why) {
    bad++;
    if (complaints.size() < MOST_COMPLAINTS) {
      complaints.add(SeedFiles.spoken(file) + ":" + (number == 0 ? "" : number + ":") + " " + why);
    }
  }

  long count() {
    return bad;
  }

  /** A line for each bad one, as far as they are worth it. */
  List<String> words() {
    if (bad <= complaints.size()) {
      return List.copyOf(complaints);
    }
    List<String> all = new ArrayList<>(complaints);
    all.add("and " + Words.count(bad - complaints.size(), "bad line") + " more");
    return all;
  }
}
