package dev.comity.app.monitor;

import dev.comity.app.process.Terminal.Window;
import dev.comity.app.text.Cells;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.engine.plan.CrawlSnapshot;
import dev.comity.core.engine.plan.CrawlSnapshot.AtWork;
import dev.comity.core.engine.plan.CrawlSnapshot.Wait;
import dev.comity.core.policy.Pace.Rule;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.core.util.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Draws a crawl: what was done, how its domains stand, which are slow, which rest and why, and when
 * nothing happens, until when. From a snapshot and the size of a window to lines that fit into it,
 * and nothing else.
 */
final class LiveView {
  /** More lines than this hide what scrolls by above them. */
  private static final int TALLEST = 12;

  /** Too low for more than what matters most. */
  private static final int LOW = 6;

  /** A gap between two requests that looks like a standstill. */
  private static final Duration STILL = Duration.ofSeconds(2);

  private final Snapshot crawl;
  private final CrawlSnapshot snapshot;
  private final int room;

  private LiveView(Snapshot crawl, int room) {
    this.crawl = crawl;
    this.snapshot = crawl.snapshot();
    this.room = room;
  }

  static List<String> lines(Snapshot crawl, Window window) {
    // The last cell of a line stays free: some terminals wrap as soon as it is written.
    LiveView view = new LiveView(crawl, window.columns() - 1);
    Optional<String> still = view.stillness();
    List<String> lines = new ArrayList<>();
    lines.add(view.fitting(view.headline()));
    if (window.rows() >= LOW) {
      lines.add(view.fitting(view.domains()));
      lines.add(view.fitting(view.queue()));
      int more = Math.min(TALLEST, window.rows() - 1) - lines.size() - (still.isPresent() ? 1 : 0);
      lines.addAll(view.details(more));
    }
    // Below the last line there is room for the cursor.
    if (window.rows() > 2) {
      still.ifPresent(lines::add);
    }
    return lines.stream().map(line -> Cells.cut(line, view.room)).toList();
  }

  /** The domains that are left alone for what they did, the longest first. */
  static List<AtWork> resting(Snapshot crawl) {
    return new LiveView(crawl, Integer.MAX_VALUE).resting();
  }

  /** Why nothing happens and until when, if nothing does. */
  static Optional<String> stillness(Snapshot crawl) {
    return new LiveView(crawl, Integer.MAX_VALUE).stillness();
  }

  /** As many of the pieces as fit, the first always. */
  private String fitting(List<String> pieces) {
    StringBuilder line = new StringBuilder(pieces.getFirst());
    for (String piece : pieces.subList(1, pieces.size())) {
      if (Cells.width(line.toString()) + 2 + Cells.width(piece) > room) {
        break;
      }
      line.append(", ").append(piece);
    }
    return line.toString();
  }

  private List<String> headline() {
    List<String> pieces = new ArrayList<>();
    pieces.add(Words.count(crawl.pages(), "page"));
    pieces.add(String.format(Locale.ROOT, "%.1f/s", crawl.rate()));
    crawl.left().ifPresent(left -> pieces.add("about " + Durations.rounded(left) + " left"));
    pieces.add(crawl.failed() + " failed");
    pieces.add(crawl.refused() + " refused");
    pieces.add(Words.count(crawl.requests(), "request"));
    pieces.add(Durations.rounded(crawl.elapsed()) + " so far");
    return pieces;
  }

  private List<String> domains() {
    List<String> pieces = new ArrayList<>();
    pieces.add(Words.count(snapshot.domains().size(), "domain") + " at work");
    add(pieces, resting().size(), "resting");
    if (crawl.census().isPresent()) {
      Census census = crawl.census().get();
      long open = census.domains(DomainStatus.PENDING) + census.domains(DomainStatus.ACTIVE);
      add(pieces, open - census.spent() - snapshot.domains().size(), "waiting");
      add(pieces, census.spent(), "out of pages");
      add(pieces, census.domains(DomainStatus.EXHAUSTED), "done");
      add(pieces, census.domains(DomainStatus.BLOCKED), "blocked");
      add(pieces, census.domains(DomainStatus.UNREACHABLE), "unreachable");
    }
    return pieces;
  }

  private static void add(List<String> pieces, long number, String word) {
    if (number > 0) {
      pieces.add(number + " " + word);
    }
  }

  private List<String> queue() {
    List<String> pieces = new ArrayList<>();
    pieces.add("%d of %d in flight".formatted(snapshot.inFlight(), crawl.maxInFlight()));
    crawl.census().ifPresent(census -> pieces.add(Words.count(census.urls(), "URL") + " queued"));
    add(pieces, snapshot.queuing(), "waiting for a place");
    return pieces;
  }

  /**
   * Those that rest, the longest first, then those that must be asked slowly, the slowest first.
   */
  private List<String> details(int most) {
    List<AtWork> resting = resting();
    List<AtWork> slow =
        snapshot.domains().stream()
            .filter(LiveView::isSlow)
            .sorted(
                Comparator.comparing((AtWork one) -> one.pace().effective())
                    .reversed()
                    .thenComparing(one -> one.domain().name()))
            .toList();
    int slowOnes = Math.min(slow.size(), Math.max(most / 2, most - resting.size()));
    int restingOnes = Math.min(resting.size(), most - slowOnes);
    List<AtWork> shownResting = first(resting, restingOnes);
    List<AtWork> shownSlow = first(slow, slowOnes);
    int widest = Math.min(room / 3, Math.max(longestName(shownResting), longestName(shownSlow)));
    List<String> lines = new ArrayList<>();
    for (AtWork one : shownResting) {
      one.waiting()
          .ifPresent(
              wait ->
                  lines.add(
                      "  rests  "
                          + name(one, widest)
                          + "  until "
                          + until(wait)
                          + ": "
                          + wait.why()));
    }
    for (AtWork one : shownSlow) {
      lines.add(
          "  slow   "
              + name(one, widest)
              + "  "
              + Durations.seconds(one.pace().effective())
              + " between requests: "
              + one.pace().rule().words());
    }
    return lines;
  }

  private static <T> List<T> first(List<T> list, int most) {
    return list.subList(0, Math.max(0, Math.min(most, list.size())));
  }

  private static int longestName(List<AtWork> domains) {
    return domains.stream().mapToInt(one -> one.domain().name().length()).max().orElse(0);
  }

  private static String name(AtWork one, int cells) {
    return Cells.padded(Cells.cut(one.domain().name(), cells), cells);
  }

  private List<AtWork> resting() {
    return snapshot.domains().stream()
        .filter(one -> wait(one).filter(Wait::rest).isPresent())
        .sorted(
            Comparator.comparing((AtWork one) -> wait(one).orElseThrow().until())
                .reversed()
                .thenComparing(one -> one.domain().name()))
        .toList();
  }

  /** What is over is not waited for. */
  private Optional<Wait> wait(AtWork one) {
    return one.waiting().filter(wait -> wait.until().isAfter(crawl.now()));
  }

  private static boolean isSlow(AtWork one) {
    return one.pace().rule() != Rule.NONE && one.pace().rule() != Rule.MINIMUM;
  }

  private Optional<String> stillness() {
    if (snapshot.outage()) {
      return Optional.of("waiting: the network here seems to be down");
    }
    if (snapshot.inFlight() > 0) {
      return Optional.empty();
    }
    if (snapshot.domains().isEmpty()) {
      return snapshot
          .idleUntil()
          .filter(at -> at.isAfter(crawl.now()))
          .map(at -> "waiting: nothing may be asked before " + until(at));
    }
    if (!snapshot.domains().stream().allMatch(one -> wait(one).isPresent())) {
      return Optional.empty();
    }
    return snapshot.domains().stream()
        .min(Comparator.comparing(one -> wait(one).orElseThrow().until()))
        .filter(next -> isLong(wait(next).orElseThrow()))
        .map(this::awaited);
  }

  /** Between two requests nothing ever happens; that is the pace and no reason to explain it. */
  private boolean isLong(Wait wait) {
    return Duration.between(crawl.quietSince(), wait.until()).compareTo(STILL) >= 0;
  }

  private String awaited(AtWork one) {
    Wait wait = wait(one).orElseThrow();
    return "waiting: " + one.domain() + " until " + until(wait) + ": " + wait.why();
  }

  private String until(Wait wait) {
    return until(wait.until());
  }

  private String until(Instant at) {
    return Timestamps.near(at, crawl.now())
        + " ("
        + Durations.rounded(Duration.between(crawl.now(), at))
        + ")";
  }
}
