package dev.comity.testkit.refresh;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A year of visits to a site by a rule, and what they came to. */
final class RevisitedSite {
  /** Visits and freshness count from here on. */
  static final double COUNTED_FROM = 90;

  private static final double COUNTED = ChangingSite.DAYS - COUNTED_FROM;

  /**
   * What the visits came to.
   *
   * @param visits a page and day
   * @param fresh the share of copies that were fresh, over time
   * @param found the share of visits that found a change
   */
  record Freshness(double visits, double fresh, double found) {}

  private record Due(double at, int page, long order) {}

  private final ChangingSite site;
  private final RevisitRule rule;
  private final double[] visited;
  private final double[] dueAt;
  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparingDouble(Due::at).thenComparingLong(Due::order));
  private long order;
  private long visits;
  private long found;
  private double fresh;

  private RevisitedSite(ChangingSite site, RevisitRule rule) {
    this.site = site;
    this.rule = rule;
    visited = new double[site.pages()];
    dueAt = new double[site.pages()];
  }

  /** Lets a rule visit a site that was crawled whole on the first day. */
  static Freshness of(ChangingSite site, RevisitRule rule) {
    return new RevisitedSite(site, rule).run();
  }

  private Freshness run() {
    for (int page = 0; page < site.pages(); page++) {
      due(page, rule.first(page));
    }
    double day = 0;
    long onDay = 0;
    while (!queue.isEmpty()) {
      Due due = queue.poll();
      while (due.at() >= day + 1) {
        day++;
        onDay = 0;
        for (int page : rule.hinted(day)) {
          due(page, day);
        }
        queue.add(due);
        due = queue.poll();
      }
      if (due.at() >= ChangingSite.DAYS) {
        break;
      }
      if (due.at() != dueAt[due.page()]) {
        // A hint has made the page due earlier.
        continue;
      }
      if (onDay >= rule.mostOnDay()) {
        due(due.page(), day + 1);
        continue;
      }
      onDay++;
      visit(due.page(), due.at());
    }
    for (int page = 0; page < site.pages(); page++) {
      countFresh(page, ChangingSite.DAYS);
    }
    double pageDays = site.pages() * COUNTED;
    return new Freshness(
        visits / pageDays, fresh / pageDays, visits == 0 ? 0 : (double) found / visits);
  }

  private void due(int page, double at) {
    dueAt[page] = at;
    queue.add(new Due(at, page, order++));
  }

  private void visit(int page, double now) {
    boolean changed = site.changeAfter(page, visited[page]) <= now;
    countFresh(page, now);
    if (now >= COUNTED_FROM) {
      visits++;
      found += changed ? 1 : 0;
    }
    double gap = now - visited[page];
    visited[page] = now;
    due(page, now + rule.next(page, now, gap, changed));
  }

  /** The copy of the last visit was fresh until the first change after it. */
  private void countFresh(int page, double until) {
    double from = Math.max(visited[page], COUNTED_FROM);
    double to = Math.min(until, site.changeAfter(page, visited[page]));
    fresh += Math.max(0, to - from);
  }
}
