package dev.comity.app.command.report;

import dev.comity.app.settings.Settings;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Explanation;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Durations;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.QueueRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Why a domain is asked as it is, by the settings that hold here. The policy explains the pace by
 * what it remembers; claims, budgets, runs and the frontier explain the rest.
 *
 * @param working whether a crawl is at work on the data directory
 */
record Reasons(
    DomainRecord domain, QueueRecord.Urls queue, Settings settings, boolean working, Instant now) {

  /** What the policy says, with the least interval that is set for the domain. */
  Explanation explanation() {
    DomainPolicy policy = new DomainPolicy(settings.withMinimumInterval(minimum()).policy());
    DomainState kept = domain.remembered();
    DomainState begun = domain.resetByHand() ? policy.reset(kept, now) : kept;
    Limits limits = limits(begun.limits());
    DomainState state = limits.equals(begun.limits()) ? begun : policy.limited(begun, limits);
    int open = isHeld() ? (int) Math.min(queue.inFlight(), Integer.MAX_VALUE) : 0;
    Explanation explained = policy.explain(state, InFlight.started(open), now);
    return domain.terms().paused() ? paused(explained) : explained;
  }

  /** What is set for the domain: by its operator, or else by its holder or by the settings. */
  private Limits limits(Limits kept) {
    DomainTerms set =
        settings.domains().getOrDefault(new DomainName(domain.name()), DomainTerms.NONE);
    OperatorTerms operator = domain.terms();
    OptionalInt concurrency = isHeld() ? kept.concurrency() : set.concurrency();
    return new Limits(
        operator.minimum().or(() -> isHeld() ? kept.minimum() : set.minimum()),
        kept.crawlDelay(),
        operator.concurrency().isPresent() ? operator.concurrency() : concurrency,
        kept.announced(),
        kept.visitTime());
  }

  private Explanation paused(Explanation explained) {
    List<String> changes = new ArrayList<>(explained.toChange());
    changes.addFirst("`comity domain set %s --resume`".formatted(domain.name()));
    return new Explanation(
        explained.pace(),
        explained.considered(),
        explained.concurrency(),
        Optional.empty(),
        Optional.of("paused by the operator"),
        changes);
  }

  private Duration minimum() {
    return limits(domain.remembered().limits())
        .minimum()
        .or(domain.pacing()::runMinimum)
        .orElse(settings.minimumInterval());
  }

  private boolean isHeld() {
    return working && domain.holding().worker().isPresent();
  }

  /**
   * The facts that explain the domain's state, the most important first.
   *
   * @param openRun the run that goes on or can be taken up
   */
  List<String> facts(Optional<Long> openRun) {
    List<String> facts = new ArrayList<>();
    if (domain.terms().paused()) {
      facts.add("it is " + Words.paused(domain.name()));
    }
    Words.setAside(domain).ifPresent(why -> facts.add("it is set aside as damaged: " + why));
    if (domain.resetByHand()) {
      facts.add(Words.RESET_BY_HAND);
    }
    Words.closed(domain)
        .ifPresent(
            why ->
                facts.add(
                    "it is closed: %s; `comity domain-reset %s` opens it"
                        .formatted(why, domain.name())));
    frontier(facts);
    budget(facts, openRun);
    claim(facts);
    terms(facts);
    return facts;
  }

  /** What the operator has set, and where the minimum interval comes from. */
  private void terms(List<String> facts) {
    OperatorTerms terms = domain.terms();
    terms
        .concurrency()
        .ifPresent(
            most ->
                facts.add(
                    "the operator allows %s in flight".formatted(Words.count(most, "request"))));
    terms
        .maxPages()
        .ifPresent(
            most -> facts.add("the operator allows " + Words.count(most, "page") + " in a run"));
    if (terms.minimum().isPresent()) {
      facts.add(
          "the operator has set its minimum interval to "
              + Durations.seconds(terms.minimum().get())
              + "; what the site asks for or has taught counts where it is longer");
    } else if (limits(domain.remembered().limits()).minimum().isEmpty()) {
      minimum(facts);
    }
  }

  private void minimum(List<String> facts) {
    String interval = Durations.seconds(minimum());
    facts.add(
        domain.pacing().runMinimum().isPresent()
            ? "no minimum interval is set for it, so that of its last run counts, %s"
                .formatted(interval)
            : "no minimum interval is set for it and no run has asked it yet, so the usual one of"
                + " %s is taken; a crawl with --delay goes by that".formatted(interval));
  }

  private void frontier(List<String> facts) {
    if (queue.queued() + queue.deferred() + queue.inFlight() == 0) {
      facts.add(
          domain.standing().status() == DomainStatus.EXHAUSTED
              ? "all its URLs are settled"
              : "it has no URL to ask");
      return;
    }
    facts.add(
        "%s queued, %d deferred, %d in flight"
            .formatted(Words.count(queue.queued(), "URL"), queue.deferred(), queue.inFlight()));
    if (queue.queued() == 0 && queue.inFlight() == 0) {
      queue.firstDue().ifPresent(at -> facts.add("nothing is due before " + Timestamps.second(at)));
    }
  }

  private void budget(List<String> facts, Optional<Long> openRun) {
    OptionalLong spent = domain.holding().spentRun();
    if (spent.isPresent()) {
      boolean goesOn = openRun.equals(Optional.of(spent.getAsLong()));
      String share = "run %d has had as many pages of it as it may".formatted(spent.getAsLong());
      String other = "run %d is about other domains".formatted(spent.getAsLong());
      facts.add(
          (domain.holding().hadShare() ? share : other)
              + (goesOn ? "; another run may go on with it" : ""));
    }
    if (openRun.isEmpty()) {
      facts.add("no run is open; `comity crawl` begins one");
    }
  }

  private void claim(List<String> facts) {
    DomainRecord.Holding holding = domain.holding();
    String worker = holding.worker().orElse("");
    if (isHeld()) {
      facts.add(worker + " holds it and is at work");
      return;
    }
    if (holding.worker().isPresent()) {
      facts.add(
          worker + " held it and is gone; the crawl that takes over waits one full delay first");
    }
    if (!working) {
      facts.add("no crawl is running");
    } else if (domain.damage().isEmpty()
        && !domain.terms().paused()
        && (domain.standing().status() == DomainStatus.PENDING
            || domain.standing().status() == DomainStatus.ACTIVE)) {
      facts.add(whenClaimed(holding.claimableAt()));
    }
  }

  private String whenClaimed(OptionalLong claimableAt) {
    if (claimableAt.isEmpty()) {
      return "it waits for a URL, or for the next run";
    }
    Instant at = Instant.ofEpochMilli(claimableAt.getAsLong());
    return at.isAfter(now)
        ? "it may be claimed from " + Timestamps.second(at) + " on"
        : "it waits for its turn to be claimed, with priority " + domain.holding().priority();
  }
}
