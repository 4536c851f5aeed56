package dev.comity.core.memory;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.Priority;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** One domain: its claim, when it may be claimed again, its state and its URLs. */
final class DomainRow {
  /** The order in which domains are claimed; among equals, the order of arrival. */
  static final Comparator<DomainRow> ORDER =
      Comparator.comparingInt(DomainRow::claimClass)
          .thenComparing(Comparator.comparingInt((DomainRow row) -> row.priority).reversed())
          .thenComparing(row -> row.lastCrawled);

  private static final int NO_RUN = -1;

  final DomainName name;
  final UrlQueue urls;

  /** Pages that may have links. */
  private List<QueuedUrl> read = List.of();

  Map<String, TemplateStats> templates = Map.of();
  DomainState state = DomainState.FRESH;
  Instant lastStart = Instant.MIN;
  private int token;

  /** Whether a worker holds it. */
  private boolean held;

  /** The worker that holds it or held it last; empty before the first. */
  private String holder = "";

  /** What the operator has set. */
  OperatorTerms terms = OperatorTerms.NONE;

  private boolean unclean;
  private Instant leaseEnds = Instant.MAX;
  private Instant notBefore = Instant.MIN;
  Instant lastCrawled = Instant.MIN;

  /** The run in which the domain has spent its share, or its job failed. */
  private int spentRun = NO_RUN;

  /** Whether its job failed in {@link #spentRun}. */
  private boolean jobFailed;

  private int jobRun = NO_RUN;
  private JobProgress job = JobProgress.NONE;
  int pages;
  int pageRequests;
  int imagesStored;

  /** Requests for pages that failed. */
  int errors;

  private int priority;
  private OptionalLong rank = OptionalLong.empty();

  /** Whether its priority is given and not computed. */
  private boolean placed;

  DomainRow(DomainName name, int mostUnfinished) {
    this.name = name;
    urls = new UrlQueue(mostUnfinished);
  }

  boolean add(QueuedUrl url, DomainPolicy policy) {
    boolean added = urls.add(url);
    if (added && !isHeld()) {
      state = policy.arrival(state);
    }
    return added;
  }

  /** Whether it is exhausted, and this run may claim it for a refresh. */
  boolean isAtRest(long run) {
    boolean isExhausted = state.standing().status() == DomainStatus.EXHAUSTED;
    return isExhausted && !isHeld() && !terms.paused() && spentRun != run;
  }

  /** Whether this run may fetch from it, now or later. */
  boolean isOpenTo(long run) {
    return spentRun != run && state.standing().mayBeAsked();
  }

  /** Whether only the spent share keeps this run from fetching from it. */
  boolean isSpentBy(long run) {
    return spentRun == run && state.standing().mayBeAsked();
  }

  /** This run may fetch more of it, unless its job failed. */
  void openAgain(long run) {
    if (spentRun == run && !jobFailed) {
      spentRun = NO_RUN;
    }
  }

  /** Whether it has work and may be claimed when its time has come. */
  boolean isClaimable(long run, Wanted wanted) {
    return !terms.paused() && hasWorkFor(run, wanted);
  }

  /** Whether only its operator's pause keeps it from being claimed. */
  boolean isWaitingForOperator(long run) {
    return terms.paused() && hasWorkFor(run, Wanted.ANY);
  }

  private boolean hasWorkFor(long run, Wanted wanted) {
    boolean isOpen = spentRun != run;
    // An active domain without URLs, too: a worker must find it exhausted.
    boolean idle = urls.isEmpty() && state.standing().status() == DomainStatus.ACTIVE;
    boolean worth = idle || !urls.isEmpty(Wanted.PAGES);
    boolean pages = wanted != Wanted.IMAGES && isOpen && worth;
    boolean images = wanted != Wanted.PAGES && urls.hasImages() && (isOpen || !jobFailed);
    return !isHeld() && (pages || images) && state.standing().reason().isEmpty();
  }

  /** Whether it may be borrowed for another domain, unless it is held. */
  boolean isLendable() {
    return !terms.paused() && state.standing().reason().isEmpty();
  }

  boolean isHeld() {
    return held;
  }

  boolean isHeldBy(String worker) {
    return held && holder.equals(worker);
  }

  Optional<String> holder() {
    return held ? Optional.of(holder) : Optional.empty();
  }

  /** The claim on it, if there is one. */
  Optional<LiveClaim> live() {
    return holder().map(worker -> new LiveClaim(name, worker, token, lastCrawled, leaseEnds));
  }

  boolean isPending() {
    return claimClass() == 1;
  }

  private int claimClass() {
    if (state.standing().recovering() || !state.failures().streak().isEmpty()) {
      return 2;
    }
    return state.standing().status() == DomainStatus.ACTIVE ? 0 : 1;
  }

  boolean isHeldBy(long claimToken) {
    return isHeld() && token == claimToken;
  }

  /** When it may be claimed: neither while it rests nor while all its URLs are deferred. */
  Instant notBefore(Instant now, long run) {
    Instant due = urls.firstDue(now, spentRun == run ? Wanted.IMAGES : Wanted.ANY);
    return due.isAfter(notBefore) ? due : notBefore;
  }

  /** Ends an expired lease and an expired cooldown. */
  void sweep(DomainPolicy policy, Instant now) {
    endExpired(now);
    if (!isHeld() && Lifecycle.cooledDown(state.standing(), now)) {
      state = policy.cooled(state, now);
      urls.enterAgain();
    }
  }

  /** Ends an expired lease. */
  void endExpired(Instant now) {
    if (!now.isBefore(leaseEnds)) {
      endClaim();
    }
  }

  /** Ends this worker's claim, as when its process has died. */
  void endClaimOf(String worker) {
    if (isHeldBy(worker)) {
      endClaim();
    }
  }

  /**
   * Forgets the state of an idle domain that no later crawl needs; answers whether it did. Known
   * URLs stay, so that none is fetched twice, and so does the domain's standing.
   */
  boolean forgetIdle(DomainPolicy policy, Instant now) {
    Instant lastUse = lastStart.isAfter(lastCrawled) ? lastStart : lastCrawled;
    if (isHeld() || !urls.isEmpty() || !policy.isIdle(state, lastUse, now)) {
      return false;
    }
    state = policy.forgotten(state);
    Map<String, TemplateStats> kept = new TreeMap<>(templates);
    kept.values().removeIf(stats -> stats.suppressed().isEmpty() && !stats.lifted());
    templates = kept.isEmpty() ? Map.of() : kept;
    return true;
  }

  /** Ends the claim of a worker that did not release it. */
  private void endClaim() {
    if (isHeld()) {
      held = false;
      leaseEnds = Instant.MAX;
      unclean = true;
      urls.returnInFlight();
    }
  }

  /**
   * Claims it for a worker. After another worker it counts as taken over: that one's clock may
   * differ, so what it wrote of the last request says too little.
   */
  Claim claim(
      String worker, long run, Duration lease, DomainPolicy policy, Instant now, Instant until) {
    boolean takenOver = unclean || (!holder.isEmpty() && !holder.equals(worker));
    held = true;
    urls.lookAgain();
    holder = worker;
    token++;
    leaseEnds = now.plus(lease);
    lastCrawled = now;
    if (jobRun != run) {
      jobRun = Math.toIntExact(run);
      job = JobProgress.NONE;
    }
    Claim claim = new Claim(name, token, state, takenOver, job, until, terms, spentRun == run);
    // Even if the worker never releases it, the domain was active.
    state = takenOver ? policy.takenOver(state, now) : policy.claimed(state, now);
    unclean = false;
    return claim;
  }

  /** Renews the lease, unless it is over: another worker may claim the domain at any time. */
  boolean renew(long claimToken, Duration lease, Instant now) {
    boolean renewed = isHeldBy(claimToken) && now.isBefore(leaseEnds);
    leaseEnds = renewed ? now.plus(lease) : leaseEnds;
    return renewed;
  }

  /** Whether it can be settled; the same settlement again cannot. */
  boolean isInFlight(Settlement settlement) {
    return urls.isInFlight(settlement.entry());
  }

  /** Settles a URL in flight. */
  void settle(Settlement settlement) {
    Fate fate = settlement.fate();
    switch (fate) {
      case Fate.Retry(var due, var spends) -> urls.defer(after(settlement, spends), due);
      case Fate.Returned _ -> urls.giveBack(settlement.entry());
      case Fate.Done _,
          Fate.Failed _,
          Fate.Denied _,
          Fate.Suppressed _,
          Fate.Skipped _,
          Fate.Moved _ ->
          urls.finish(after(settlement, false));
    }
    state = settlement.state();
    remember(settlement.tallies());
    pages += settlement.isPage() ? 1 : 0;
    pageRequests += settlement.isPageRequest() ? 1 : 0;
    errors += settlement.isError() ? 1 : 0;
    job = job.after(settlement);
  }

  /** Keeps a settled page that may have links: a wider scope fetches it again. */
  void keepRead(Settlement settlement) {
    boolean isAsked = settlement.entry().kind() == Kind.LINKS;
    if (settlement.mayLink() || (isAsked && settlement.lasting() instanceof Fate.Done)) {
      // With no tries spent: it is fetched anew, and equals the entrance.
      QueuedUrl page = urls.shared(after(settlement, false).asPage().unspent());
      if (read.isEmpty()) {
        read = List.of(page);
        return;
      }
      read = read.size() == 1 ? new ArrayList<>(read) : read;
      read.add(page);
    }
  }

  /** Whether this run has worked on it. */
  boolean isOf(long run) {
    return jobRun == run;
  }

  /** Queues the known pages to be fetched for their links; answers how many. */
  int askForLinks(DomainPolicy policy) {
    int known = read.size();
    read.forEach(urls::askForLinks);
    read = List.of();
    if (known > 0 && !isHeld()) {
      state = policy.arrival(state);
    }
    return known;
  }

  void remember(List<TemplateStats> tallies) {
    if (templates.isEmpty() && !tallies.isEmpty()) {
      templates = new TreeMap<>();
    }
    tallies.forEach(stats -> templates.put(stats.template(), stats));
  }

  static QueuedUrl after(Settlement settlement, boolean spendsTry) {
    return settlement.attempt().isPresent()
        ? settlement.entry().askedAgain(spendsTry)
        : settlement.entry();
  }

  void started(Instant at) {
    lastStart = at.isAfter(lastStart) ? at : lastStart;
  }

  /** Changes the state, if no claim was granted since the one with this token. */
  void takeBack(long claimToken, UnaryOperator<DomainState> change) {
    if (!isHeld() && token == claimToken) {
      state = change.apply(state);
    }
  }

  void release(DomainState last, Ending ending, DomainPolicy policy, Instant now) {
    held = false;
    leaseEnds = Instant.MAX;
    state = last;
    urls.returnInFlight();
    if (last.standing().status() == DomainStatus.EXHAUSTED && !urls.isEmpty()) {
      state = policy.arrival(last);
    }
    switch (ending) {
      case Ending.RestUntil(var at, _) -> notBefore = at;
      case Ending.JobFailed _, Ending.DomainOutOfBudget _ -> {
        spentRun = jobRun;
        jobFailed = ending instanceof Ending.JobFailed;
      }
      case Ending.DueLater _,
          Ending.Closed _,
          Ending.Exhausted _,
          Ending.RunOutOfBudget _,
          Ending.Borrowed _,
          Ending.Paused _,
          Ending.Stopped _,
          Ending.SetAside _,
          Ending.Lost _ -> {}
    }
    recalculate(now);
  }

  void rank(long place, Instant now) {
    rank = OptionalLong.of(place);
    recalculate(now);
  }

  /** Sets its place in the order of claims, in place of its priority. */
  void stand(int place) {
    placed = true;
    priority = place;
  }

  void recalculate(Instant now) {
    if (placed) {
      return;
    }
    priority =
        Math.toIntExact(
            Math.round(
                Priority.of(
                    new Priority.Facts(
                        rank,
                        pages,
                        imagesStored,
                        urls.size(),
                        pageRequests == 0 ? 0 : (double) errors / pageRequests,
                        lastCrawled.equals(Instant.MIN)
                            ? OptionalLong.empty()
                            : OptionalLong.of(Duration.between(lastCrawled, now).toDays())))));
  }
}
