package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.util.Durations;
import java.time.Duration;
import java.util.Locale;

/**
 * How a crawl went.
 *
 * @param end why it ended
 * @param pages pages that have their answer, as many as the hook for pages heard of
 * @param images image URLs that were fetched and taken
 * @param skipped URLs of a type that is not kept, asked or known by their ending
 * @param failed URLs that ended without one
 * @param denied URLs that a robots.txt or a wish of their site keeps us from
 * @param requests requests that left this machine, robots.txt and retries included
 */
public record Summary(
    Crawl.End end,
    long pages,
    long images,
    long skipped,
    long failed,
    long denied,
    long requests,
    Duration took) {

  /** {@code finished: 12 pages, 3 skipped, 1 failed, 2 denied, 17 requests in 16.2 s}. */
  @Override
  public String toString() {
    String why =
        switch (end) {
          case Crawl.End.Finished _ -> "finished";
          case Crawl.End.OutOfBudget _ -> "page budget spent";
          case Crawl.End.OutOfImages _ -> "image budget spent";
          case Crawl.End.OutOfTime _ -> "out of time";
          case Crawl.End.Parked(var until) -> "the rest may not be asked before " + until;
          case Crawl.End.AllPaused _ -> "the rest is paused by the operator";
          case Crawl.End.Stopped _ -> "stopped";
        };
    return String.format(
        Locale.ROOT,
        "%s: %d pages, %s%s%d failed, %d denied, %d requests in %s",
        why,
        pages,
        images > 0 ? images + " images, " : "",
        skipped > 0 ? skipped + " skipped, " : "",
        failed,
        denied,
        requests,
        Durations.tenths(took));
  }
}
