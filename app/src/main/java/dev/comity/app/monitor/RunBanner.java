package dev.comity.app.monitor;

import dev.comity.app.text.Words;
import dev.comity.core.port.run.Run;
import dev.comity.core.usage.Purpose;
import dev.comity.core.util.Printable;
import java.util.Set;

/** The first line of a crawl with a store. */
public final class RunBanner {
  private RunBanner() {}

  /** The run, and the purposes of the crawl where they are not the usual one. */
  public static String words(Run run, String place, Set<Purpose> purposes) {
    String words = words(run, place);
    return purposes.equals(Purpose.USUAL)
        ? words
        : words + " Purpose: " + Purpose.keys(purposes).replace(",", ", ") + ".";
  }

  private static String words(Run run, String place) {
    String kept = Printable.text(place);
    if (run.continued()) {
      return "Continuing run %d in %s, which has %s so far.%s"
          .formatted(run.id(), kept, Words.count(run.pages(), "page"), reread(run));
    }
    if (run.superseded().isPresent()) {
      return "Run %d begins in %s; run %d, begun on other terms and not finished, is closed for it."
          .formatted(run.id(), kept, run.superseded().getAsLong());
    }
    return "Run %d begins in %s.".formatted(run.id(), kept);
  }

  private static String reread(Run run) {
    return run.reread() == 0
        ? ""
        : " Its scope is wider: %s asked once more, for links."
            .formatted(run.reread() == 1 ? "1 known page is" : run.reread() + " known pages are");
  }
}
