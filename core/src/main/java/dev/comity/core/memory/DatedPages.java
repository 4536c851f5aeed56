package dev.comity.core.memory;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.PageSeen;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.schedule.RefreshPrice;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pages of a domain that were visited, each with the date of the next look at it. */
final class DatedPages {
  /**
   * A page and its date, in seconds. Nearly all pages of a crawl were visited once: then the text
   * is all there is to know.
   *
   * @param entry without its visits: the frontier has the same object
   * @param more what visits have shown, where it is more than a text
   */
  private record Dated(
      QueuedUrl entry, long text, int visited, int due, @Nullable PageVisits more) {
    static Dated of(QueuedUrl entry, PageVisits seen, Instant visited, Instant due) {
      PageVisits visits = seen.inSeconds();
      int at = Math.toIntExact(visited.getEpochSecond());
      int next = Math.toIntExact(due.plusNanos(999_999_999).getEpochSecond());
      long text = visits.fingerprint().orElse(0);
      Dated plain = new Dated(entry, text, at, next, null);
      return plain.visits().equals(visits) ? plain : new Dated(entry, text, at, next, visits);
    }

    PageVisits visits() {
      return more != null
          ? more
          : PageVisits.first(
              visitedAt(), new PageSeen.SeenText(text), Optional.empty(), Optional.empty());
    }

    QueuedUrl known() {
      return entry.visited(Optional.of(visits()));
    }

    Instant visitedAt() {
      return Instant.ofEpochSecond(visited);
    }

    Instant dueAt() {
      return Instant.ofEpochSecond(due);
    }

    double visitsADay() {
      return 86_400.0 / Math.max(due - visited, 3600);
    }
  }

  private Map<CrawlUrl, Dated> pages = Map.of();
  private Optional<DomainRefresh> refresh = Optional.empty();

  /** Visits that the claim of a refresh may still make for hints. */
  private long left;

  /** Sets the date of the next look at a settled page. */
  void settle(DomainRow row, Settlement settlement, RefreshDates dates) {
    if (settlement.isDated()) {
      QueuedUrl entry = DomainRow.after(settlement, false).unspent();
      QueuedUrl shared = row.urls.shared(entry.visited(Optional.empty()));
      settle(entry.visits(), shared, settlement, dates);
    }
  }

  private void settle(
      Optional<PageVisits> before, QueuedUrl entry, Settlement settlement, RefreshDates dates) {
    Instant at = settlement.attempt().map(Attempt::startedAt).orElseThrow();
    DomainRefresh domain = refresh.orElseGet(() -> DomainRefresh.first(at));
    RefreshDates.Visit visit = settlement.visit(at);
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
    put(Dated.of(entry, look.visits(), at, look.due().get()));
  }

  private void put(Dated page) {
    CrawlUrl url = page.entry().url();
    if (pages.isEmpty()) {
      pages = Map.of(url, page);
      return;
    }
    pages = pages.size() == 1 ? new LinkedHashMap<>(pages) : pages;
    pages.put(url, page);
  }

  /**
   * Makes pages due of which the site says that they have changed, as far as it is trusted. Returns
   * those that are visited now.
   *
   * @param refreshes whether the run visits pages that are due
   */
  List<QueuedUrl> hint(List<PageHint> hints, Instant now, boolean refreshes) {
    List<QueuedUrl> visited = new ArrayList<>();
    DomainRefresh domain = refresh.orElseGet(() -> DomainRefresh.first(now));
    for (PageHint hint : hints) {
      Dated page = pages.get(hint.url());
      if (page == null) {
        continue;
      }
      PageVisits visits = page.visits();
      PageVisits.Hint heeded =
          domain.heeds(visits, Traps.templateOf(hint.url()), hint.modified(), outstanding());
      if (heeded != visits.hint()) {
        boolean sooner = heeded == PageVisits.Hint.FOLLOWED && page.dueAt().isAfter(now);
        Instant due = sooner ? now : page.dueAt();
        Dated hinted = Dated.of(page.entry(), visits.hinted(heeded), page.visitedAt(), due);
        put(hinted);
        if (heeded == PageVisits.Hint.FOLLOWED && refreshes && left > 0) {
          left--;
          visited.add(hinted.known());
        }
      }
    }
    take(visited);
    return visited;
  }

  private void take(List<QueuedUrl> visited) {
    pages = new LinkedHashMap<>(pages);
    visited.forEach(entry -> pages.remove(entry.url()));
  }

  /** Whether its pages may be made due now, though the domain is claimed for something else. */
  boolean mayBegin(Instant now) {
    return lessons(now).mayBegin(now);
  }

  /**
   * What visits have taught. Before the first refresh it counts from the oldest page, not from the
   * last crawl: a domain that gets URLs every hour would never be due.
   */
  private DomainRefresh lessons(Instant now) {
    return refresh.orElseGet(
        () ->
            DomainRefresh.first(
                pages.values().stream()
                    .map(Dated::visitedAt)
                    .min(Comparator.naturalOrder())
                    .orElse(now)));
  }

  /** A claim without a budget follows no hints. */
  void leave() {
    left = 0;
  }

  private long outstanding() {
    return pages.values().stream()
        .filter(page -> page.visits().hint() == PageVisits.Hint.FOLLOWED)
        .count();
  }

  /** When the domain is due: with its first page, and never at once again. */
  Optional<Instant> due(Instant now) {
    DomainRefresh domain = lessons(now);
    return pages.values().stream()
        .map(Dated::dueAt)
        .min(Comparator.naturalOrder())
        .map(domain::next);
  }

  /** Takes the pages that are due, as many as the budget of the domain allows. */
  List<QueuedUrl> takeDue(Instant now) {
    DomainRefresh before = lessons(now);
    double asked = pages.values().stream().mapToDouble(Dated::visitsADay).sum();
    List<QueuedUrl> due = new ArrayList<>();
    long most = before.allowance(now, pages.size());
    pages.values().stream()
        .filter(page -> !page.dueAt().isAfter(now))
        .sorted(Comparator.comparing(Dated::dueAt))
        .limit(most)
        .forEach(page -> due.add(page.known()));
    refresh = Optional.of(before.begun(now, asked, RefreshPrice.budget(pages.size())));
    left = most - due.size();
    take(due);
    return due;
  }
}
