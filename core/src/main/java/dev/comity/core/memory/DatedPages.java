package dev.comity.core.memory;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.schedule.RefreshPrice;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages of a domain that were visited, each with the date of the next look at it. */
final class DatedPages {
  private record Dated(QueuedUrl entry, Instant visited, Instant due) {
    double visitsADay() {
      double days = Duration.between(visited, due).toSeconds() / 86_400.0;
      return 1 / Math.max(days, 1.0 / 24);
    }
  }

  private Map<CrawlUrl, Dated> pages = Map.of();
  private Optional<DomainRefresh> refresh = Optional.empty();

  /** Sets the date of the next look at a settled page. */
  void settle(Settlement settlement, RefreshDates dates) {
    if (settlement.isDated()) {
      settle(DomainRow.after(settlement, false), settlement, dates);
    }
  }

  private void settle(QueuedUrl entry, Settlement settlement, RefreshDates dates) {
    Instant at = settlement.attempt().map(Attempt::startedAt).orElseThrow();
    DomainRefresh domain = refresh.orElseGet(() -> DomainRefresh.first(at));
    RefreshDates.Visit visit = settlement.visit(at);
    Optional<PageVisits> before = entry.visits();
    NextLook look =
        before.isPresent()
            ? dates.again(before.get(), Traps.templateOf(entry.url()), visit, domain)
            : dates.first(visit, domain);
    if (before.isPresent()) {
      refresh = Optional.of(look.domain());
    }
    if (look.due().isEmpty()) {
      return;
    }
    if (pages.isEmpty()) {
      pages = new LinkedHashMap<>();
    }
    QueuedUrl page = entry.unspent().visited(Optional.of(look.visits()));
    pages.put(entry.url(), new Dated(page, at, look.due().get()));
  }

  /** Makes pages due of which the site says that they have changed, as far as it is trusted. */
  void hint(List<PageHint> hints, Instant now) {
    DomainRefresh domain = refresh.orElseGet(() -> DomainRefresh.first(now));
    for (PageHint hint : hints) {
      Dated page = pages.get(hint.url());
      Optional<PageVisits> visits = page == null ? Optional.empty() : page.entry().visits();
      if (page == null || visits.isEmpty()) {
        continue;
      }
      PageVisits.Hint heeded =
          domain.heeds(visits.get(), Traps.templateOf(hint.url()), hint.modified(), outstanding());
      if (heeded != visits.get().hint()) {
        boolean sooner = heeded == PageVisits.Hint.FOLLOWED && page.due().isAfter(now);
        QueuedUrl entry = page.entry().visited(Optional.of(visits.get().hinted(heeded)));
        pages.put(hint.url(), new Dated(entry, page.visited(), sooner ? now : page.due()));
      }
    }
  }

  private long outstanding() {
    return pages.values().stream()
        .flatMap(page -> page.entry().visits().stream())
        .filter(visits -> visits.hint() == PageVisits.Hint.FOLLOWED)
        .count();
  }

  /**
   * When the domain is due: with its first page, and never at once again.
   *
   * @param crawled when it was crawled last
   */
  Optional<Instant> due(Instant crawled) {
    DomainRefresh domain = refresh.orElseGet(() -> DomainRefresh.first(crawled));
    return pages.values().stream().map(Dated::due).min(Comparator.naturalOrder()).map(domain::next);
  }

  /** Takes the pages that are due, as many as the budget of the domain allows. */
  List<QueuedUrl> takeDue(Instant now, Instant crawled) {
    DomainRefresh before = refresh.orElseGet(() -> DomainRefresh.first(crawled));
    double asked = pages.values().stream().mapToDouble(Dated::visitsADay).sum();
    List<QueuedUrl> due = new ArrayList<>();
    pages.values().stream()
        .filter(page -> !page.due().isAfter(now))
        .sorted(Comparator.comparing(Dated::due))
        .limit(before.allowance(now, pages.size()))
        .forEach(page -> due.add(page.entry()));
    refresh = Optional.of(before.begun(now, asked, RefreshPrice.budget(pages.size())));
    due.forEach(entry -> pages.remove(entry.url()));
    return due;
  }
}
