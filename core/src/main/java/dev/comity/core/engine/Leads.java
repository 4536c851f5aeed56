package dev.comity.core.engine;

import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.trap.TrapBook;
import dev.comity.core.trap.TrapReason;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Where an answer leads: the URLs it adds to the frontiers. */
record Leads(CrawlPlan plan) {

  /**
   * The links of a page, or where it redirects to, as far as they are in scope and, where they are
   * the domain's own, in no trap. Links to other domains are theirs to judge, when they are asked.
   */
  List<QueuedUrl> found(
      QueuedUrl entry, Answer answer, TrapBook traps, Predicate<CrawlUrl> isOurs) {
    List<QueuedUrl> kept = new ArrayList<>();
    for (QueuedUrl lead : inScope(entry, answer)) {
      Optional<TrapReason> trap =
          isOurs.test(lead.url()) ? traps.trap(lead.url()) : Optional.empty();
      if (trap.isPresent()) {
        traps.leftOut(lead.url(), trap.get(), answer.at());
      } else {
        kept.add(lead);
      }
    }
    return List.copyOf(kept);
  }

  private List<QueuedUrl> inScope(QueuedUrl entry, Answer answer) {
    if (answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect) {
      return redirect.target().stream()
          .filter(_ -> entry.hops() < Flight.MOST_HOPS)
          .filter(target -> plan.follows(entry.url(), target, entry.depth()))
          .map(entry::hop)
          .toList();
    }
    return answer.links().stream()
        .filter(link -> plan.follows(entry.url(), link, entry.depth() + 1))
        .map(entry::link)
        .toList();
  }

  /**
   * A seed given as a bare host is asked over http too once no https connection could be made. Its
   * robots.txt is always asked first, so a page never leads there: then https has worked.
   */
  List<QueuedUrl> fallback(Flight flight, Answer answer) {
    QueuedUrl entry = flight.entry();
    Category category = answer.fetched().outcome().category();
    boolean noConnection =
        answer.startedAt().isEmpty()
            && (category == Category.CONNECTION_FAILED
                || category == Category.TLS_FAILURE
                || category == Category.TIMEOUT);
    return noConnection
        ? entry.fallback().map(url -> QueuedUrl.seed(url, Optional.empty())).stream().toList()
        : List.of();
  }
}
