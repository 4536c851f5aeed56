package dev.comity.core.port.store;

import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.schedule.SourcePace;
import java.time.Instant;

/** The paces of sources, as a crawl uses them. Thread-safe. */
public interface SourceStore {

  /** The pace of a source now. An unknown source has none. */
  SourcePace pace(String source);

  /**
   * Takes the turn of a source, if its interval has passed: its last start is then now. Of several
   * workers that ask at once, one gets it. A turn that is taken and not used costs one interval.
   */
  SourceTurn takeTurn(String source, Instant now);

  /**
   * Adds one URL. The order of the checks: the source and the domain of the URL, whether the URL is
   * known, and whether its source has a turn. A known URL without a source gets the given one.
   */
  AddAnswer offer(QueuedUrl url, Instant now);
}
