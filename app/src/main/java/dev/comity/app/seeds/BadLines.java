package dev.comity.app.seeds;

import dev.comity.app.text.Words;
import dev.comity.core.util.Printable;
import java.util.ArrayList;
import java.util.List;

/** Lines of seed files that are no seeds: the first named, all counted. */
final class BadLines {
  /** More complaints than this are counted, not printed. */
  private static final int MOST_COMPLAINTS = 20;

  private final List<String> complaints = new ArrayList<>();
  private long bad;
  private long unnamed;

  /**
   * @param number of the line; 0 for the file as a whole
   * @param count how many lines or entries it is about
   */
  void add(String file, long number, long count, String why) {
    add(SeedFiles.spoken(file) + ":" + (number == 0 ? "" : number + ":") + " " + why, count);
  }

  /** A seed that a data directory was given before. */
  void add(String url, String why) {
    add(Printable.text(url) + ": " + why, 1);
  }

  private void add(String complaint, long count) {
    bad += count;
    if (complaints.size() < MOST_COMPLAINTS) {
      complaints.add(complaint);
    } else {
      unnamed += count;
    }
  }

  long count() {
    return bad;
  }

  /** A line for each bad one, as far as they are worth it. */
  List<String> words() {
    List<String> all = new ArrayList<>(complaints);
    if (unnamed > 0) {
      all.add("and " + Words.count(unnamed, "bad line") + " more");
    }
    return all;
  }
}
