package dev.comity.app.command.report;

import dev.comity.app.output.DomainFields;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.QueueRecord;
import dev.comity.store.report.RequestRecord;
import dev.comity.store.report.TransitionRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One domain as a page of text, in groups of facts. */
final class DomainPage {
  private final List<String> lines = new ArrayList<>();

  private DomainPage() {}

  static List<String> of(
      DomainRecord domain,
      QueueRecord.Urls queue,
      long imageUrls,
      List<String> authorities,
      List<TransitionRecord> changes,
      List<RequestRecord> requests,
      List<String> traps) {
    DomainPage page = new DomainPage();
    page.standing(domain, authorities);
    page.urls(domain, queue, imageUrls);
    page.traps(traps);
    page.asking(domain);
    page.operator(domain.terms());
    page.holding(domain);
    page.times(domain);
    page.changes(changes);
    page.requests(requests);
    return page.lines;
  }

  private void group(String title) {
    lines.add("");
    lines.add(title);
  }

  private void fact(String name, String value) {
    lines.add(String.format(Locale.ROOT, "  %-18s %s", name, Printable.text(value)));
  }

  private void fact(String name, Optional<Instant> at) {
    at.ifPresent(time -> fact(name, Timestamps.second(time)));
  }

  private void standing(DomainRecord domain, List<String> authorities) {
    lines.add(domain.name());
    fact("status", Words.of(domain.standing().status()));
    Words.closed(domain).ifPresent(why -> fact("reason", why));
    Words.setAside(domain).ifPresent(why -> fact("set aside", why));
    if (domain.resetByHand()) {
      fact("written by hand", Words.RESET_BY_HAND);
    }
    if (domain.standing().cooldowns() > 0) {
      fact("cooldowns in a row", Long.toString(domain.standing().cooldowns()));
    }
    if (!domain.parent().equals(domain.name())) {
      fact("part of", domain.parent());
    }
    domain.origin().ifPresent(from -> fact("came from", from));
    fact("asked at", authorities.isEmpty() ? "nowhere yet" : String.join(" ", authorities));
  }

  private void urls(DomainRecord domain, QueueRecord.Urls queue, long imageUrls) {
    DomainRecord.DomainCounts counts = domain.counts();
    group("URLs");
    fact(
        "discovered",
        counts.discovered() + (imageUrls == 0 ? "" : ", " + imageUrls + " of them images"));
    fact(
        "to be asked",
        "%d queued, %d deferred%s, %d in flight"
            .formatted(
                queue.queued(),
                queue.deferred(),
                queue.firstDue().map(at -> " (first " + Timestamps.second(at) + ")").orElse(""),
                queue.inFlight()));
    fact(
        "finished",
        "%d done, %d failed, %d denied by robots.txt, %s%d set aside"
            .formatted(
                counts.done(),
                counts.failed(),
                counts.denied() - queue.refused(),
                queue.refused() == 0 ? "" : queue.refused() + " by a wish, ",
                counts.setAside()));
    if (counts.suppressed() > 0) {
      fact("suppressed", counts.suppressed() + " left alone as traps");
    }
    if (counts.skipped() > 0) {
      fact("skipped", counts.skipped() + " of a type that is not kept");
    }
    if (counts.overCap() > 0) {
      fact("beyond the cap", counts.overCap() + " counted, not kept");
    }
    fact(
        "pages",
        "%d in %s, %s, depth %d"
            .formatted(
                counts.pages(),
                Words.count(counts.requests(), "request"),
                errors(counts),
                counts.depth()));
    images(counts);
  }

  private void images(DomainRecord.DomainCounts counts) {
    if (counts.imagesFound() > 0) {
      fact(
          "images",
          "%d on its pages, %d different ones taken%s"
              .formatted(
                  counts.imagesFound(),
                  counts.imagesStored(),
                  counts
                      .imageYield()
                      .map(rate -> String.format(Locale.ROOT, ", %.2f a page", rate))
                      .orElse("")));
    }
  }

  /** {@code 2 errors (5 % of 40 page requests)}. */
  private static String errors(DomainRecord.DomainCounts counts) {
    String errors = Words.count(counts.errors(), "error");
    return counts.errors() == 0 || counts.pageRequests() == 0
        ? errors
        : "%s (%d %% of %s)"
            .formatted(
                errors,
                Math.round(100.0 * counts.errors() / counts.pageRequests()),
                Words.count(counts.pageRequests(), "page request"));
  }

  private void traps(List<String> traps) {
    if (!traps.isEmpty()) {
      group("Traps");
      traps.forEach(trap -> lines.add("  " + Printable.text(trap)));
    }
  }

  private void asking(DomainRecord domain) {
    DomainRecord.Pacing pacing = domain.pacing();
    group("Pace");
    fact("delay", Durations.seconds(DomainFields.delay(domain)) + " (comity why tells the reason)");
    if (pacing.crawlDelay().isPositive()) {
      fact("Crawl-delay", Durations.seconds(pacing.crawlDelay()));
    }
    if (pacing.learned().isPositive()) {
      fact("learned", Durations.seconds(pacing.learned()));
    }
    pacing.refused().ifPresent(refused -> fact("refused at", Durations.seconds(refused)));
    pacing.floor().ifPresent(floor -> fact("has held", Durations.seconds(floor)));
    fact("resting until", pacing.notBefore());
    if (pacing.refusalsInARow() > 0) {
      fact("refusals in a row", Long.toString(pacing.refusalsInARow()));
    }
    if (domain.counts().errorsInARow() > 0) {
      fact("failing in a row", Words.count(domain.counts().errorsInARow(), "URL"));
    }
    pacing
        .latencyAverage()
        .ifPresent(
            average ->
                fact(
                    "answers within",
                    average.toMillis()
                        + " ms on average"
                        + pacing
                            .latencyHigh()
                            .map(high -> ", " + high.toMillis() + " ms for 95 of 100")
                            .orElse("")));
  }

  private void operator(OperatorTerms terms) {
    if (terms.equals(OperatorTerms.NONE)) {
      return;
    }
    group("Set by the operator");
    if (terms.paused()) {
      fact("paused", "by the operator; --resume lets it go on");
    }
    terms.minimum().ifPresent(time -> fact("minimum interval", Durations.seconds(time)));
    terms.concurrency().ifPresent(most -> fact("in flight", "at most " + most));
    terms.maxPages().ifPresent(most -> fact("pages of a run", "at most " + most));
  }

  private void holding(DomainRecord domain) {
    DomainRecord.Holding holding = domain.holding();
    group("Claim");
    fact(
        "held by",
        holding
            .worker()
            .map(
                worker ->
                    worker
                        + holding.until().map(at -> " until " + Timestamps.second(at)).orElse(""))
            .orElse("no worker"));
    fact("token", holding.token() + ", row version " + holding.version());
    fact("priority", Long.toString(holding.priority()));
    holding
        .spentRun()
        .ifPresent(run -> fact("budget", "spent in run " + run + "; the next run goes on"));
  }

  private void times(DomainRecord domain) {
    DomainRecord.Times times = domain.times();
    group("Times");
    fact("first seen", Optional.of(times.firstSeen()));
    fact("last claimed", times.lastCrawled());
    fact("last request", times.lastStart());
    fact("last success", times.lastSuccess());
    times.lastRun().ifPresent(run -> fact("last run", Long.toString(run)));
  }

  private void changes(List<TransitionRecord> changes) {
    if (changes.isEmpty()) {
      return;
    }
    group("Changes, the newest first");
    for (TransitionRecord change : changes) {
      String words =
          "%s → %s by %s, token %d%s%s"
              .formatted(
                  change.from(),
                  change.to(),
                  change.door(),
                  change.token(),
                  change.reason().map(why -> ": " + why).orElse(""),
                  change.worker().map(worker -> " (" + worker + ")").orElse(""));
      lines.add("  " + Timestamps.second(change.at()) + "  " + Printable.text(words));
    }
  }

  private void requests(List<RequestRecord> requests) {
    if (requests.isEmpty()) {
      return;
    }
    group("Requests, the newest first");
    for (RequestRecord request : requests) {
      String words =
          "%-4s %s  %s, %s%s%s"
              .formatted(
                  request.status().isPresent() ? request.status().getAsLong() : "-",
                  request.url(),
                  request.outcome(),
                  request.fate(),
                  request.location().map(target -> " → " + target).orElse(""),
                  request.error().map(error -> ": " + error).orElse(""));
      lines.add("  " + Timestamps.second(request.startedAt()) + "  " + Printable.text(words));
    }
  }
}
