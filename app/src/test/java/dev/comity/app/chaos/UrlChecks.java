package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.DomainRow;
import dev.comity.app.chaos.ChaosHistory.Logged;
import dev.comity.app.chaos.ChaosHistory.Visit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Invariants 9 to 13: which URLs are asked, how often, and how they are counted. */
final class UrlChecks {
  private static final String DONE = "done";

  private final ChaosHistory history;
  private final HistoryChecker checker;
  private final PaceChecks paces;

  UrlChecks(ChaosHistory history, HistoryChecker checker) {
    this.history = history;
    this.checker = checker;
    paces = new PaceChecks(history, checker);
  }

  void all() {
    allowed();
    history.domains().forEach(this::withinBudget);
    checker.require(
        10,
        history.run().pages() <= history.terms().maxPages(),
        "the run has more than %s pages: %s",
        history.terms().maxPages(),
        history.run());
    history.domains().forEach(this::accounted);
    ChaosHistory.by(history.visits(), Visit::url).values().forEach(this::askedOnce);
    ChaosHistory.by(history.log(), Logged::url).values().forEach(this::writtenOnce);
    nothingIsLost();
    counted();
  }

  /** Invariant 9. */
  private void allowed() {
    for (Visit visit : history.visits()) {
      checker.require(
          9, history.terms().allowed().contains(visit.url()), "asked though denied: %s", visit);
    }
  }

  /** Invariant 10. */
  private void withinBudget(DomainRow row) {
    long most = history.terms().maxPagesPerDomain();
    checker.require(
        10, row.jobPages() <= most && row.keptPages() <= most, "more than %s: %s", most, row);
  }

  /** Invariant 11. */
  private void accounted(DomainRow row) {
    long sum = row.kept().values().stream().mapToLong(Long::longValue).sum();
    checker.require(
        11, row.discovered() == sum + row.overCap(), "discovered is no sum of states: %s", row);
    Set<String> states = new HashSet<>(row.kept().keySet());
    states.addAll(row.counted().keySet());
    for (String state : states) {
      checker.require(
          11,
          row.kept().getOrDefault(state, 0L).equals(row.counted().getOrDefault(state, 0L)),
          "%s is counted otherwise: %s",
          state,
          row);
    }
  }

  /** Invariant 12, as the origin sees it: a page is asked again only if its answer was lost. */
  private void askedOnce(List<Visit> ofUrl) {
    int forLinks = 0;
    for (int n = 1; n < ofUrl.size(); n++) {
      Visit last = ofUrl.get(n - 1);
      Visit next = ofUrl.get(n);
      if (paces.isLogged(last) && forLinks < history.lossesBefore(next.at())) {
        forLinks++;
      } else if (last.isPage() && last.status() == 200) {
        checker.require(12, !paces.isLogged(last), "asked again though it was kept: %s", next);
        checker.require(
            12,
            history.isTroubled(last.at(), next.at()),
            "asked again though nothing was broken: %s, then %s",
            last,
            next);
      }
    }
  }

  /** Invariant 12, as the log has it. */
  private void writtenOnce(List<Logged> ofUrl) {
    long done = ofUrl.stream().filter(row -> row.isPage() && row.fate().equals(DONE)).count();
    checker.require(12, done <= 1, "%s times done: %s", done, ofUrl);
  }

  /** Every page was asked, unless a worker died with it three times, and every page is counted. */
  private void nothingIsLost() {
    Map<String, Long> done = new HashMap<>();
    history.log().stream()
        .filter(row -> row.isPage() && row.fate().equals(DONE))
        .forEach(row -> done.merge(row.url(), 1L, Long::sum));
    long setAside =
        history.domains().stream().mapToLong(row -> row.kept().getOrDefault("set_aside", 0L)).sum();
    Set<String> missing = new HashSet<>(history.terms().pages());
    missing.removeAll(done.keySet());
    checker.require(
        14, missing.size() <= setAside, "lost: %s", missing.stream().limit(10).toList());
  }

  /** Invariant 13. */
  private void counted() {
    Map<String, List<Visit>> visits = ChaosHistory.by(history.visits(), Visit::url);
    for (Logged row : history.log()) {
      checker.require(
          13,
          row.status() == 0
              || visits.getOrDefault(row.url(), List.of()).stream()
                  .anyMatch(visit -> visit.status() == row.status() && paces.isSame(visit, row)),
          "no request was answered so: %s",
          row);
    }
    Map<String, List<Logged>> log = ChaosHistory.by(history.log(), Logged::domain);
    for (DomainRow row : history.domains()) {
      long requests = log.getOrDefault(row.domain(), List.of()).size();
      checker.require(13, row.requests() == requests, "%s in the log: %s", requests, row);
      checker.require(13, row.pages() == row.keptPages(), "other pages than kept: %s", row);
    }
    long pages = history.domains().stream().mapToLong(DomainRow::jobPages).sum();
    checker.require(
        13, history.run().pages() == pages, "%s pages of domains: %s", pages, history.run());
  }
}
