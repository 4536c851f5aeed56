package dev.comity.core.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the visits of a domain's pages have taught: the price of a visit, how far its hints are
 * believed, and how often pages of its templates change.
 *
 * @param refreshedAt when pages were made due for a refresh last; before the first, when the domain
 *     was first crawled to its end
 */
public record DomainRefresh(
    RefreshPrice price,
    HintTrust trust,
    Map<String, ChangeHistory> templates,
    Instant refreshedAt) {
  /** Templates beyond these share the rate of the domain. */
  private static final int MOST_TEMPLATES = 64;

  /** The template of all others. */
  private static final String OTHERS = "*";

  /** A day may see so many times the budget; the rest waits. */
  private static final double MOST_OVER_BUDGET = 2;

  /** No domain is refreshed sooner: pages are not visited sooner either. */
  private static final Duration LEAST_PAUSE = RefreshRule.DEFAULTS.shortest();

  public DomainRefresh {
    templates = Map.copyOf(templates);
  }

  /** A domain that was never refreshed. */
  public static DomainRefresh first(Instant now) {
    return new DomainRefresh(RefreshPrice.first(now), HintTrust.UNKNOWN, Map.of(), now);
  }

  /** The rate of a template, in changes a day. */
  public double rate(String template) {
    ChangeHistory seen = templates.get(key(template));
    return seen == null ? ChangeRate.UNKNOWN : ChangeRate.perDay(seen);
  }

  private String key(String template) {
    return templates.containsKey(template) || templates.size() < MOST_TEMPLATES ? template : OTHERS;
  }

  /** The same domain after one more visit of a page of this template. */
  DomainRefresh seen(String template, ChangeHistory visit) {
    Map<String, ChangeHistory> more = new LinkedHashMap<>(templates);
    more.merge(key(template), visit, ChangeHistory::and);
    return new DomainRefresh(price, trust, more, refreshedAt);
  }

  DomainRefresh trusting(HintTrust judged) {
    return new DomainRefresh(price, judged, templates, refreshedAt);
  }

  /**
   * The price and the time of a refresh that begins now.
   *
   * @param asked the visits a day that the domain's intervals add up to
   * @param budget the visits a day that it may have
   */
  public DomainRefresh begun(Instant now, double asked, double budget) {
    return new DomainRefresh(price.at(now, asked, budget), trust, templates, now);
  }

  /**
   * How many pages may be visited now: twice the budget of the days since the last refresh. A crawl
   * made all pages due at once, and its pace is not that of a refresh.
   */
  public long allowance(Instant now, long pages) {
    double days = Math.max(0, ChangeHistory.days(Duration.between(refreshedAt, now)));
    return Math.max(1, (long) (MOST_OVER_BUDGET * RefreshPrice.budget(pages) * days));
  }

  /**
   * What to do about the site's word that a page has changed: nothing where it was visited since.
   *
   * @param outstanding pages made due by hints and not visited
   */
  public PageVisits.Hint heeds(
      PageVisits page, String template, Instant modified, long outstanding) {
    if (!modified.isAfter(page.at()) || page.hint() != PageVisits.Hint.NONE) {
      return page.hint();
    }
    double rate = ChangeRate.perDay(page.history(), rate(template));
    return RefreshRule.isWorth(rate, price.days()) && trust.mayTry(outstanding) > 0
        ? PageVisits.Hint.FOLLOWED
        : PageVisits.Hint.LEFT;
  }

  /** Whether its pages may be made due now, though the domain is claimed for something else. */
  public boolean mayBegin(Instant now) {
    return !next(now).isAfter(now);
  }

  /** When the domain may be refreshed again, if its first page is due then. */
  public Instant next(Instant due) {
    Instant least = refreshedAt.plus(LEAST_PAUSE);
    return due.isBefore(least) ? least : due;
  }
}
