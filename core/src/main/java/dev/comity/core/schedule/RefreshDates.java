package dev.comity.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Sets the date of the next look at a page, after each visit.
 *
 * @param adaptive whether the rate of change and the price of a visit decide, or else the plain
 *     rule of {@link RefreshInterval}
 */
public record RefreshDates(boolean adaptive) {
  /** The usual rule. */
  public static final RefreshDates ADAPTIVE = new RefreshDates(true);

  private static final RefreshRule RULE = RefreshRule.DEFAULTS;

  /** What they say of other pages saves visits. */
  private static final Duration SITEMAPS = Duration.ofDays(1);

  /** Shorter than a sitemap: a feed has the newest pages only, and loses those before them. */
  private static final Duration FEEDS = Duration.ofHours(6);

  /** A page is asked again so late at most after its server failed. */
  private static final Duration AFTER_FAILURE = Duration.ofDays(1);

  /** A change that a hint announced has a date, where the domain's hints are right this often. */
  private static final double DATES_CHANGES = 0.5;

  /**
   * What one visit showed.
   *
   * @param freshFor how long the answer may be kept, by its header
   */
  public record Visit(
      Instant at,
      PageSeen seen,
      Optional<String> etag,
      Optional<String> lastModified,
      Optional<Duration> freshFor,
      Subject subject) {
    boolean isListing() {
      return subject != Subject.PAGE;
    }

    /** How often a sitemap or feed is read. */
    Duration listing() {
      return subject == Subject.FEED ? FEEDS : SITEMAPS;
    }
  }

  /** What is visited. */
  public enum Subject {
    PAGE,
    SITEMAP,
    FEED
  }

  /** The next look at a page that was visited for the first time. */
  public NextLook first(Visit visit, DomainRefresh domain) {
    PageVisits visits =
        PageVisits.first(visit.at(), visit.seen(), visit.etag(), visit.lastModified());
    VisitResult result = VisitResult.of(Optional.empty(), visit.seen(), visit.at());
    return look(result, visits, visit, RULE.first(), DueReason.FIRST, domain);
  }

  /**
   * The next look at a page that was visited before.
   *
   * @param template of its URL
   */
  public NextLook again(PageVisits before, String template, Visit visit, DomainRefresh domain) {
    VisitResult result = VisitResult.of(Optional.of(before), visit.seen(), visit.at());
    Duration gap = Duration.between(before.at(), visit.at());
    return switch (result) {
      case GONE ->
          new NextLook(result, missing(before, visit), Optional.empty(), DueReason.MISSING, domain);
      case MISSING ->
          new NextLook(
              result,
              missing(before, visit),
              Optional.of(visit.at().plus(VisitResult.GONE_AFTER)),
              DueReason.MISSING,
              domain);
      case NO_EVIDENCE ->
          // A longer gap is a longer interval: the page is asked again in as long, within a day.
          new NextLook(
              result,
              before,
              Optional.of(visit.at().plus(clamped(gap, RULE.shortest(), AFTER_FAILURE))),
              DueReason.NO_EVIDENCE,
              domain);
      case NEW, FIRST_COMPARED ->
          look(
              result,
              seen(before, before.history(), visit),
              visit,
              RULE.first(),
              DueReason.FIRST,
              domain);
      case CHANGED, UNCHANGED -> judged(before, template, visit, gap, result, domain);
    };
  }

  private NextLook judged(
      PageVisits before,
      String template,
      Visit visit,
      Duration gap,
      VisitResult result,
      DomainRefresh domain) {
    boolean changed = result == VisitResult.CHANGED;
    DomainRefresh taught = domain;
    if (before.hint() != PageVisits.Hint.NONE) {
      double rate = ChangeRate.perDay(before.history(), domain.rate(template));
      taught = taught.trusting(domain.trust().visited(changed, RefreshRule.changed(rate, gap)));
    }
    boolean dated =
        changed
            && before.hint() == PageVisits.Hint.FOLLOWED
            && taught.trust().trust() >= DATES_CHANGES;
    ChangeHistory history = seen(before.history(), gap, changed, dated);
    if (visit.isListing()) {
      return look(
          result, seen(before, history, visit), visit, visit.listing(), DueReason.LISTING, taught);
    }
    taught = taught.seen(template, seen(ChangeHistory.NONE, gap, changed, dated));
    PageVisits visits = seen(before, history, visit);
    if (!adaptive) {
      Duration interval = RefreshInterval.DEFAULTS.after(gap, changed);
      return look(result, visits, visit, interval, DueReason.STEP, taught);
    }
    double rate = ChangeRate.perDay(history, taught.rate(template));
    double price = taught.price().days();
    return look(
        result,
        visits,
        visit,
        RULE.interval(rate, price),
        RefreshRule.isWorth(rate, price) ? DueReason.RATE : DueReason.TOO_FAST,
        taught);
  }

  private static ChangeHistory seen(
      ChangeHistory before, Duration gap, boolean changed, boolean dated) {
    return dated ? before.visitedAfterChange(gap) : before.visited(gap, changed);
  }

  private static NextLook look(
      VisitResult result,
      PageVisits visits,
      Visit visit,
      Duration interval,
      DueReason reason,
      DomainRefresh domain) {
    if (visit.isListing()) {
      Duration until = domain.trust().isTrusted() ? visit.listing() : RULE.first();
      return new NextLook(
          result, visits, Optional.of(visit.at().plus(until)), DueReason.LISTING, domain);
    }
    Instant due = RULE.due(visit.at(), interval, visit.freshFor());
    boolean said = due.isAfter(visit.at().plus(interval));
    return new NextLook(result, visits, Optional.of(due), said ? DueReason.SAID : reason, domain);
  }

  /** A server need not repeat its validators with a 304; the known ones still hold. */
  private static PageVisits seen(PageVisits before, ChangeHistory history, Visit visit) {
    boolean kept = visit.seen() instanceof PageSeen.SameAsBefore;
    return new PageVisits(
        visit.at(),
        kept ? before.fingerprint() : visit.seen().fingerprint(),
        history,
        Optional.empty(),
        kept ? visit.etag().or(before::etag) : visit.etag(),
        kept ? visit.lastModified().or(before::lastModified) : visit.lastModified(),
        PageVisits.Hint.NONE);
  }

  private static PageVisits missing(PageVisits before, Visit visit) {
    return new PageVisits(
        before.at(),
        before.fingerprint(),
        before.history(),
        before.missingSince().or(() -> Optional.of(visit.at())),
        Optional.empty(),
        Optional.empty(),
        PageVisits.Hint.NONE);
  }

  private static Duration clamped(Duration value, Duration least, Duration most) {
    return value.compareTo(least) < 0 ? least : value.compareTo(most) > 0 ? most : value;
  }
}
