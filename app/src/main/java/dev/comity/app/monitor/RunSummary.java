package dev.comity.app.monitor;

import dev.comity.app.process.Exit;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.engine.Crawl;
import dev.comity.core.port.store.DomainLookups;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The last line of a crawl, and its exit code. */
public final class RunSummary {
  /** Longer lists of names are cut; the commands show all. */
  private static final int MOST_NAMED = 5;

  private RunSummary() {}

  public static String words(Crawl.End end, CrawlCounts counts, Duration took) {
    String reason =
        switch (end) {
          case Crawl.End.Finished _ when counts.isFailed() -> "failed";
          case Crawl.End.Finished _ -> counts.isIdle() ? "nothing left to do" : "done";
          case Crawl.End.OutOfBudget _ when counts.unkept() > counts.pages() ->
              "as many answers not kept as pages are allowed (--max-pages gives more)";
          case Crawl.End.OutOfBudget _ -> "page budget spent (--max-pages gives more)";
          case Crawl.End.OutOfImages _ -> "image budget spent (--max-images gives more)";
          case Crawl.End.OutOfTime _ -> "time is up (--max-time gives more)";
          case Crawl.End.Parked(var until) ->
              "what is left may not be asked before " + Timestamps.second(until);
          case Crawl.End.AllPaused _ ->
              "what is left is paused by the operator (`comity domain set NAME --resume` lets it go"
                  + " on)";
          case Crawl.End.Stopped _ -> "stopped";
        };
    return reason
        + ": "
        + counts.spoken()
        + " in "
        + Durations.rounded(took)
        + ", "
        + Words.count(counts.requests(), "request")
        + counts.descriptors().map(limit -> "\n" + shortOfDescriptors(limit)).orElse("");
  }

  /** The shortage and its fix. */
  static String shortOfDescriptors(long limit) {
    return "Too few file descriptors: the limit is "
        + limit
        + ". Fewer connections are used at once. A higher limit makes it faster: ulimit -n 4096";
  }

  /** Names the damaged domains and the command that mends them. */
  public static String damaged(DomainLookups store) {
    List<String> names = store.damaged(MOST_NAMED + 1);
    if (names.isEmpty()) {
      return "";
    }
    String more = names.size() > MOST_NAMED ? " and more" : "";
    return "; set aside as damaged: %s%s (`comity doctor` says what is wrong, `comity domain-reset NAME` mends it)"
        .formatted(
            names.stream().limit(MOST_NAMED).map(Printable::text).collect(Collectors.joining(", ")),
            more);
  }

  /**
   * The exit code of a crawl that ended this way.
   *
   * @param before pages the run had when this process joined it
   */
  public static int exit(Crawl.End end, CrawlCounts counts, long before) {
    return switch (end) {
      case Crawl.End.Finished _ when counts.isFailed() -> Exit.FAILED;
      case Crawl.End.Finished _ ->
          counts.isIdle()
                  || counts.isQuietRefresh()
                  || before + counts.pages() + counts.images() > 0
              ? Exit.DONE
              : Exit.FAILED;
      case Crawl.End.OutOfBudget _,
          Crawl.End.OutOfImages _,
          Crawl.End.OutOfTime _,
          Crawl.End.Stopped _ ->
          Exit.DONE;
      case Crawl.End.Parked _, Crawl.End.AllPaused _ -> Exit.PARKED;
    };
  }
}
