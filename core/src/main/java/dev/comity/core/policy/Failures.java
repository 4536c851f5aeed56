package dev.comity.core.policy;

import dev.comity.core.outcome.Category;
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
 * <p>A <em>moment</em> is a failure whose request started after the one before had arrived. Five
 * requests that were in flight during one hiccup are one moment; so is a retry, which makes the
 * next rest longer but does not bring the domain closer to being closed.
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
 */
public record Failures(
    List<Counted> streak,
    int moments,
    List<Instant> recent,
    Optional<Category> last,
    boolean succeeded,
    List<Counted> robots) {

  /** What went wrong where every robots.txt was answered. */
  public Failures(
      List<Counted> streak,
      int moments,
      List<Instant> recent,
      Optional<Category> last,
      boolean succeeded) {
    this(streak, moments, recent, last, succeeded, List.of());
  }

  /** A URL that adds to the streak, when it did, and what it failed with. */
  public record Counted(CrawlUrl url, Instant at, Category category) {}

  /** As far back as taking back may reach: rests of 2, 4 and 8 s leave room for three in 10 s. */
  private static final int KEPT = 4;

  /** Tries of robots.txt files that are remembered: enough to give up four authorities. */
  private static final int KEPT_ROBOTS = 20;

  /** How long after its last try a robots.txt without an answer is remembered as such. */
  private static final Duration SILENCE = Duration.ofHours(1);

  static final Failures NONE = new Failures(List.of(), 0, List.of(), Optional.empty(), false);

  private static final Failures SUCCEEDED =
      new Failures(List.of(), 0, List.of(), Optional.empty(), true);

  /** A page was served. */
  Failures afterSuccess() {
    return equals(SUCCEEDED) ? this : SUCCEEDED.withRobots(robots);
  }

  /** A page was answered, though not with what was wanted: the site is well. */
  Failures afterAnswer() {
    return moments == 0 ? this : (succeeded ? SUCCEEDED : NONE).withRobots(robots);
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
        : new Failures(streak, moments, recent, last, succeeded, tries);
  }

  /** Work begins anew; what was served last time says nothing about today. */
  Failures anew() {
    return succeeded ? new Failures(streak, moments, recent, last, false, robots) : this;
  }

  /** Times stamped by a clock ahead of ours are taken to be now, or no failure would be news. */
  Failures notAheadOf(Instant now) {
    boolean ahead =
        (!recent.isEmpty() && recent.getLast().isAfter(now))
            || (!robots.isEmpty() && robots.getLast().at().isAfter(now));
    return ahead
        ? new Failures(
            streak,
            moments,
            recent.stream().map(at -> at.isAfter(now) ? now : at).toList(),
            last,
            succeeded,
            robots.stream()
                .map(
                    tried ->
                        tried.at().isAfter(now)
                            ? new Counted(tried.url(), now, tried.category())
                            : tried)
                .toList())
        : this;
  }

  /** Whether a failure of a request started then is news, or part of the hiccup already counted. */
  boolean isMoment(Instant startedAt) {
    return recent.isEmpty() || startedAt.isAfter(recent.getLast());
  }

  Failures afterFailure(Attempt attempt, Category category, Instant now) {
    boolean moment = isMoment(attempt.startedAt());
    boolean counts = moment && attempt.kind().speaksForTheSite() && !holds(attempt.url());
    return new Failures(
        counts
            ? append(streak, new Counted(attempt.url(), now, category), Integer.MAX_VALUE)
            : streak,
        moment ? moments + 1 : moments,
        moment ? append(recent, now, KEPT) : recent,
        attempt.kind() == Kind.SITEMAP ? last : Optional.of(category),
        succeeded,
        robots);
  }

  /** Forgets what was counted since then. */
  Failures takenBack(Instant since) {
    List<Counted> before = streak.stream().filter(c -> c.at().isBefore(since)).toList();
    List<Instant> left = recent.stream().filter(at -> at.isBefore(since)).toList();
    return new Failures(
        before,
        moments - (recent.size() - left.size()),
        left,
        left.size() == recent.size() ? last : lastOf(before),
        succeeded,
        robots.stream().filter(tried -> tried.at().isBefore(since)).toList());
  }

  private static Optional<Category> lastOf(List<Counted> streak) {
    return streak.isEmpty() ? Optional.empty() : Optional.of(streak.getLast().category());
  }

  private boolean holds(CrawlUrl url) {
    for (Counted counted : streak) {
      if (counted.url().equals(url)) {
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
