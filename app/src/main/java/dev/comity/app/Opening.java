package dev.comity.app;

import dev.comity.core.port.Run;
import java.nio.file.Path;

/** The first words of a crawl that remembers. */
final class Opening {
  private Opening() {}

  static String words(Run run, Path directory) {
    String kept = Visible.text(directory.toString());
    if (run.continued()) {
      return "Going on with run %d in %s, which has %s so far."
          .formatted(run.id(), kept, Words.count(run.pages(), "page"));
    }
    if (run.superseded().isPresent()) {
      return "Run %d begins in %s; run %d, begun on other terms and not finished, is closed for it."
          .formatted(run.id(), kept, run.superseded().getAsLong());
    }
    return "Run %d begins in %s.".formatted(run.id(), kept);
  }
}
