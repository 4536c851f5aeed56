package dev.comity.core.engine;

import dev.comity.core.engine.Flight.Answer;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Doors;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where an answer leads: the URLs it adds to the frontiers. */
record Leads(CrawlPlan plan) {

  /**
   * The links of a page, or where it redirects to, as far as they are in scope and, where they are
   * the domain's own, in no trap. Links to other domains are theirs to judge, when they are asked.
   * Where an authority of its own domain has moved, they are as they are to be asked now.
   */
  List<QueuedUrl> found(QueuedUrl entry, Answer answer, Tenure tenure, TrapWatch traps) {
    List<QueuedUrl> kept = new ArrayList<>();
    for (QueuedUrl lead : inScope(entry, answer, tenure.state().heard().doors())) {
      if (!tenure.owns(lead.url()) || !traps.catches(lead.url(), answer.at())) {
        kept.add(lead);
      }
    }
    return List.copyOf(kept);
  }

  private List<QueuedUrl> inScope(QueuedUrl entry, Answer answer, Doors doors) {
    if (answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect) {
      return redirect.target().stream()
          .filter(_ -> entry.hops() < Flight.MOST_HOPS)
          .map(target -> now(entry, target, entry.depth(), doors))
          .filter(target -> plan.follows(entry.url(), target, entry.depth()))
          .map(entry::hop)
          .toList();
    }
    return answer.links().stream()
        .map(link -> now(entry, link, entry.depth() + 1, doors))
        .filter(link -> plan.follows(entry.url(), link, entry.depth() + 1))
        .map(entry::link)
        .toList();
  }

  /** Where the site says that this URL is from now on, if we follow it there. */
  Optional<CrawlUrl> goneTo(QueuedUrl entry, Answer answer) {
    return answer.fetched().outcome() instanceof FetchOutcome.Redirect redirect
            && redirect.permanent()
        ? redirect.target().filter(target -> plan.follows(entry.url(), target, entry.depth()))
        : Optional.empty();
  }

  /** The same page where it is to be asked now, if its authority has moved since it was found. */
  Optional<QueuedUrl> moved(QueuedUrl entry, Doors doors) {
    return Optional.of(now(entry, entry.url(), entry.depth(), doors))
        .filter(url -> !url.equals(entry.url()))
        .map(entry::at);
  }

  /** Nothing leaves the scope by moving. */
  private CrawlUrl now(QueuedUrl entry, CrawlUrl url, int depth, Doors doors) {
    CrawlUrl now = doors.now(url);
    return now.equals(url) || plan.follows(entry.url(), now, depth) ? now : url;
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
