package dev.comity.core.policy;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Kind;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What went wrong since the site last answered well.
 *
 * <p>A failure adds its URL to the <em>streak</em> if its request started after the last counted
 * failure had arrived: five requests in flight during one hiccup count once. A URL that is given up
 * is added in any case, so overlapping requests cannot hide a dead site. No URL is in it twice.
 *
 * <p>A <em>moment</em> makes the next rest longer. Its request started after the moment before, so
 * a failed retry is one too.
 *
 * <p>A URL that fails again after the site served another page is the <em>page's own</em> failure.
 * It says nothing about the site and changes nothing here.
 *
 * @param streak different URLs that failed in a row; never longer than what closes a domain
 * @param moments how often in a row, retries included
 * @param recent when the latest moments were, oldest first; enough of them to take back what our
 *     own outage caused
 * @param last the latest failure, in case nothing better is ever heard
 * @param succeeded whether a page was served since the present work on the domain began
 * @param robots tries of robots.txt files that have no answer yet, oldest first, each named by the
 *     file its authority should have; they outlive a claim, or a dead file would be asked afresh
 *     with every one
 * @param failing every URL that failed since the last success, with its first failure, oldest first
 * @param walls different URLs in a row that were answered with 402 or 451; a streak of its own
 */
public record Failures(
    List<Counted> streak,
    int moments,
    List<Instant> recent,
    Optional<Category> last,
    boolean succeeded,
    List<Counted> robots,
    List<Counted> failing,
    List<CrawlUrl> walls) {

  /** What went wrong where every robots.txt was answered. */
  public Failures(
      List<Counted> streak,
      int moments,
      List<Instant> recent,
      Optional<Category> last,
      boolean succeeded) {
    this(streak, moments, recent, last, succeeded, List.of(), List.of(), List.of());
  }

  /** A URL that failed, when its answer came or did not, and what it failed with. */
  public record Counted(CrawlUrl url, Instant at, Category category) {}

  /** As far back as taking back may reach: rests of 2, 4 and 8 s leave room for three in 10 s. */
  private static final int KEPT = 4;

  /** URLs that are known to be failing: the five of the streak and what overlapped with them. */
  private static final int KEPT_FAILING = 100;

  /** Tries of robots.txt files that are remembered: enough to give up four authorities. */
  private static final int KEPT_ROBOTS = 20;

  /** How long after its last try a robots.txt without an answer is remembered as such. */
  private static final Duration SILENCE = Duration.ofHours(1);

  public static final Failures NONE =
      new Failures(List.of(), 0, List.of(), Optional.empty(), false);

  private static final Failures SUCCEEDED =
      new Failures(List.of(), 0, List.of(), Optional.empty(), true);

  /** A page was served. */
  Failures afterSuccess() {
    return equals(SUCCEEDED) ? this : SUCCEEDED.withRobots(robots);
  }

  /**
   * A page was answered, though not with what was wanted: the site is well. What failed before is
   * still failing, for only a success tells that it is the page's own.
   */
  Failures afterAnswer() {
    return moments == 0 && walls.isEmpty()
        ? this
        : new Failures(
            List.of(), 0, List.of(), Optional.empty(), succeeded, robots, failing, List.of());
  }

  /** The streak of 402 and 451 after one for this URL. */
  List<CrawlUrl> wallsAfter(CrawlUrl url) {
    return walls.contains(url) ? walls : append(walls, url, Integer.MAX_VALUE);
  }

  Failures withWalls(List<CrawlUrl> other) {
    return new Failures(streak, moments, recent, last, succeeded, robots, failing, other);
  }

  /** The robots.txt of this authority was asked for and not answered. */
  Failures robotsTried(Authority authority, Category category, Instant now) {
    return withRobots(
        append(robots, new Counted(authority.robotsTxt(), now, category), KEPT_ROBOTS));
  }

  /** It was answered, or is not waited for any more. */
  Failures robotsAnswered(Authority authority) {
    CrawlUrl file = authority.robotsTxt();
    return robots.stream().noneMatch(tried -> tried.url().equals(file))
        ? this
        : withRobots(robots.stream().filter(tried -> !tried.url().equals(file)).toList());
  }

  /** How often this authority's robots.txt was asked for in vain, as far as that still counts. */
  List<Counted> robotsTries(Authority authority, Instant now) {
    if (robots.isEmpty()) {
      return robots;
    }
    CrawlUrl file = authority.robotsTxt();
    List<Counted> tries = robots.stream().filter(tried -> tried.url().equals(file)).toList();
    boolean over = !tries.isEmpty() && tries.getLast().at().plus(SILENCE).isBefore(now);
    return over ? List.of() : tries;
  }

  private Failures withRobots(List<Counted> tries) {
    return tries.equals(robots)
        ? this
        : new Failures(streak, moments, recent, last, succeeded, tries, failing, walls);
  }

  /** Work begins anew; what was served last time says nothing about today. */
  Failures anew() {
    return succeeded
        ? new Failures(streak, moments, recent, last, false, robots, failing, walls)
        : this;
  }

  /** Times stamped by a clock ahead of ours are taken to be now, or no failure would be news. */
  Failures notAheadOf(Instant now) {
    boolean ahead =
        (!recent.isEmpty() && recent.getLast().isAfter(now))
            || isAhead(streak, now)
            || isAhead(robots, now)
            || isAhead(failing, now);
    return ahead
        ? new Failures(
            notAheadOf(streak, now),
            moments,
            recent.stream().map(at -> at.isAfter(now) ? now : at).toList(),
            last,
            succeeded,
            notAheadOf(robots, now),
            notAheadOf(failing, now),
            walls)
        : this;
  }

  private static boolean isAhead(List<Counted> list, Instant now) {
    return !list.isEmpty() && list.getLast().at().isAfter(now);
  }

  private static List<Counted> notAheadOf(List<Counted> list, Instant now) {
    return list.stream()
        .map(one -> one.at().isAfter(now) ? new Counted(one.url(), now, one.category()) : one)
        .toList();
  }

  /** Whether a failure of a request started then is news, or part of the hiccup already known. */
  private boolean isMoment(Instant startedAt) {
    return recent.isEmpty() || startedAt.isAfter(recent.getLast());
  }

  /**
   * Whether a failure of this request says nothing about the site: the URL failed before, and the
   * site served another page since.
   */
  boolean isPagesOwn(Attempt attempt) {
    return succeeded
        && attempt.kind() != Kind.ROBOTS
        && attempt.ordinal() > 1
        && !holds(failing, attempt.url())
        && !holds(streak, attempt.url());
  }

  /**
   * Whether this request was the first failure of its URL since the last success. A URL is in
   * flight once at a time, so an entry that is not older than the request was made by it.
   */
  public boolean beganWith(Attempt attempt) {
    return failing.stream()
        .anyMatch(
            one -> one.url().equals(attempt.url()) && !one.at().isBefore(attempt.startedAt()));
  }

  /**
   * @param mayCount whether the domain may still be closed by this
   * @param givenUp whether the URL is not asked again
   */
  Failures afterFailure(
      Attempt attempt, Category category, boolean mayCount, boolean givenUp, Instant now) {
    boolean moment = isMoment(attempt.startedAt());
    boolean isNews = streak.isEmpty() || attempt.startedAt().isAfter(streak.getLast().at());
    boolean counts =
        mayCount
            && attempt.kind().speaksForTheSite()
            && (isNews || givenUp)
            && !holds(streak, attempt.url());
    boolean first = attempt.kind() != Kind.ROBOTS && !holds(failing, attempt.url());
    Counted counted = new Counted(attempt.url(), now, category);
    return new Failures(
        counts ? append(streak, counted, Integer.MAX_VALUE) : streak,
        moment ? moments + 1 : moments,
        moment ? append(recent, now, KEPT) : recent,
        attempt.kind() == Kind.SITEMAP || attempt.kind() == Kind.TDMREP
            ? last
            : Optional.of(category),
        succeeded,
        robots,
        first ? append(failing, counted, KEPT_FAILING) : failing,
        walls);
  }

  /** What failed lately and with what, as far as it is known: the reason of a rest, in words. */
  Optional<String> spoken() {
    if (last.isEmpty()) {
      return Optional.empty();
    }
    String category = last.get().code();
    if (failing.size() > 1) {
      return Optional.of(
          "%d URLs failed in a row, the last with %s, and we rest"
              .formatted(failing.size(), category));
    }
    List<Counted> known = failing.isEmpty() ? robots : failing;
    return known.isEmpty()
        ? Optional.empty()
        : Optional.of("%s failed (%s) and we rest".formatted(known.getLast().url(), category));
  }

  /** Forgets what was counted since then; what failed then is asked again and may fail again. */
  Failures takenBack(Instant since) {
    List<Counted> before = streak.stream().filter(c -> c.at().isBefore(since)).toList();
    List<Instant> left = recent.stream().filter(at -> at.isBefore(since)).toList();
    boolean unchanged = left.size() == recent.size() && before.size() == streak.size();
    return new Failures(
        before,
        moments - (recent.size() - left.size()),
        left,
        unchanged ? last : lastOf(before),
        succeeded,
        robots.stream().filter(tried -> tried.at().isBefore(since)).toList(),
        failing,
        walls);
  }

  private static Optional<Category> lastOf(List<Counted> streak) {
    return streak.isEmpty() ? Optional.empty() : Optional.of(streak.getLast().category());
  }

  private static boolean holds(List<Counted> list, CrawlUrl url) {
    for (Counted one : list) {
      if (one.url().equals(url)) {
        return true;
      }
    }
    return false;
  }

  private static <T> List<T> append(List<T> list, T last, int most) {
    List<T> longer =
        new ArrayList<>(list.subList(Math.max(0, list.size() + 1 - most), list.size()));
    longer.add(last);
    return List.copyOf(longer);
  }
}
