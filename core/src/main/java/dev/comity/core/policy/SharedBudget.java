package dev.comity.core.policy;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Answer;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.policy.learning.DelayLearning;
import dev.comity.core.policy.learning.Evidence;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.learning.LearningDraft;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Delays;
import dev.comity.core.util.Doubling;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One budget for domains that were refused together, because one server limits their sum.
 *
 * <p>The group is learned about like one domain: a bucket is as empty for its neighbour as for the
 * domain that was refused, so what was served and how long it took belong to the group. A {@link
 * LearnedDelay} of the group hears what all members are answered; its delay lies between any two
 * starts of theirs. What a member has learned itself stands still meanwhile: its refusals were the
 * group's.
 *
 * <p>That the members share a limit is a guess, and it is given up as soon as something speaks
 * against it ({@link Doubt}). Members take turns: the one that has waited longest is next. Now and
 * then one is favoured, to see whether it has a limit of its own ({@link FavouredMember}).
 */
final class SharedBudget {
  /** Starts farther apart than this were not held back by the group and say nothing about it. */
  private static final double HELD_BACK = 1.25;

  /** So late a member that was next is passed over: it may have no work any more. */
  private static final Duration PASSED_OVER = Duration.ofSeconds(1);

  /** Paces this close are the same, as for a domain's own bounds. */
  private static final double AS_FAST = 1.04;

  /** Members that wait for each other look again after this, however short the delay. */
  private static final Duration LEAST_WAIT = Duration.ofMillis(10);

  /** Why domains share no budget after all. */
  enum Doubt {
    SERVED("they are served at a pace at which they were refused"),
    NOISE("a slower pace does not make the refusals rarer"),
    ALONE("one alone is refused at a pace at which all of them are served"),
    CLOSED("everything is refused, so each is left alone by itself");

    private final String words;

    Doubt(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  private final DelayLearning delayLearning;

  /** What each member had learned before. */
  private final Map<DomainName, LearnedDelay> members = new LinkedHashMap<>();

  /** Members that could start, and when each was told to ask again; the first is next. */
  private final LinkedHashMap<DomainName, Instant> line = new LinkedHashMap<>();

  private final Duration firstDelay;
  private final Duration ownDelay;
  private LearnedDelay learning;
  private Instant lastStart;
  private Instant restUntil = Slots.NEVER;
  private Optional<DomainName> departing = Optional.empty();
  private Instant departs = Slots.NEVER;
  private final FavouredMember favoured = new FavouredMember();

  /**
   * @param delay the delay between two starts of the group, as it was when it was refused
   * @param ownDelay the delay between two starts of one member then
   * @param evidence what the group was served before
   */
  SharedBudget(
      LearningSettings settings,
      Duration delay,
      Duration ownDelay,
      Evidence evidence,
      Instant lastStart) {
    this.ownDelay = ownDelay;
    delayLearning = new DelayLearning(settings.withStyle(ProbeStyle.MIDPOINT));
    firstDelay = delay;
    learning = LearnedDelay.NOTHING.with(evidence);
    this.lastStart = lastStart;
  }

  void join(DomainName domain, LearnedDelay before) {
    members.putIfAbsent(domain, before);
  }

  boolean has(DomainName domain) {
    return members.containsKey(domain);
  }

  /** What a member had learned before; it is as if nothing had been counted since. */
  LearnedDelay kept(DomainName domain, LearnedDelay now) {
    LearnedDelay kept = members.getOrDefault(domain, now);
    LearningDraft draft = new LearningDraft(kept);
    draft.lastRefusal = now.lastRefusal();
    draft.emptyAt = Slots.NEVER;
    draft.openSince = Slots.NEVER;
    draft.served = 0;
    return draft.done();
  }

  int size() {
    return members.size();
  }

  List<DomainName> domains() {
    return List.copyOf(members.keySet());
  }

  Duration delay() {
    return learning.learned();
  }

  /**
   * When this member should ask again; empty if it may start now, and then the start is its own
   * until it has {@linkplain #started started} or {@linkplain #leave left}.
   */
  Optional<Instant> ask(DomainName domain, Instant now) {
    line.putIfAbsent(domain, now);
    while (!line.firstEntry().getKey().equals(domain)
        && line.firstEntry().getValue().plus(PASSED_OVER).isBefore(now)) {
      line.pollFirstEntry();
    }
    Instant next = next();
    boolean taken = departing.isPresent() && now.isBefore(departs.plus(PASSED_OVER));
    int before = waitingBefore(domain);
    if (before == 0 && !taken && !now.isBefore(next)) {
      departing = Optional.of(domain);
      departs = now;
      return Optional.empty();
    }
    Instant least = next.isAfter(now) ? next : now;
    Instant turn = least.plus(Delays.longer(delay(), LEAST_WAIT).multipliedBy(before));
    Instant again = before == 0 && taken ? departs.plus(PASSED_OVER) : turn;
    line.put(domain, again);
    return Optional.of(again);
  }

  private int waitingBefore(DomainName domain) {
    if (favoured.is(domain)) {
      return 0;
    }
    List<DomainName> all = List.copyOf(line.keySet());
    Optional<DomainName> ahead = favoured.in(line.keySet());
    int place = all.indexOf(domain);
    return ahead.isPresent() && all.indexOf(ahead.get()) > place ? place + 1 : place;
  }

  /** The member that is next, if nothing departs: it may go when its time has come. */
  Optional<DomainName> first() {
    return favoured
        .in(line.keySet())
        .or(() -> line.isEmpty() ? Optional.empty() : Optional.of(line.firstEntry().getKey()));
  }

  private Instant next() {
    Instant slot = lastStart.plus(delay());
    return slot.isAfter(restUntil) ? slot : restUntil;
  }

  /** It does not want to start any more. */
  void leave(DomainName domain) {
    line.remove(domain);
    if (departing.equals(Optional.of(domain))) {
      departing = Optional.empty();
    }
  }

  /**
   * A member is about to write its first byte. Empty if another one came in between; otherwise the
   * delay that its answer says something about.
   */
  Optional<Duration> started(DomainName domain, Instant at) {
    boolean late = at.isBefore(next());
    leave(domain);
    if (late) {
      return Optional.empty();
    }
    departing = Optional.of(domain);
    departs = at;
    favoured.started(domain);
    Duration gap = Duration.between(lastStart, at);
    lastStart = at;
    boolean heldBack = Delays.millis(gap) <= HELD_BACK * Delays.millis(delay());
    return Optional.of(heldBack ? delay() : gap);
  }

  /** The first byte has left, perhaps somewhat later; the next start is counted from here. */
  void left(DomainName domain, Instant at) {
    leave(domain);
    lastStart = at.isAfter(lastStart) ? at : lastStart;
  }

  /** Hears what a member was answered; says why they share no budget, if so. */
  Optional<Doubt> answered(DomainName domain, Attempt attempt, FetchOutcome outcome, Instant now) {
    switch (outcome) {
      case RateLimited(int _, Optional<Duration> retryAfter) -> {
        refused(domain, attempt, now);
        retryAfter.filter(Duration::isPositive).ifPresent(rest -> rest(now.plus(rest)));
      }
      case Answer _ -> {
        favoured.served(domain, learning, members.keySet());
        boolean served = outcome.status().isPresent() && outcome.status().getAsInt() < 400;
        learning =
            served
                ? delayLearning.served(learning, attempt, Duration.ZERO)
                : delayLearning.answered(learning, attempt, Duration.ZERO);
      }
      case FetchOutcome _ -> {}
    }
    return doubt(now);
  }

  private void refused(DomainName domain, Attempt attempt, Instant now) {
    if (favoured.refused(domain, learning) || delayLearning.isStale(learning, attempt)) {
      return;
    }
    learning = delayLearning.refused(learning, attempt, Duration.ZERO, now);
    // The member rests by itself; the others only once it is not the member alone.
    int others = learning.refusalsInARow() - 1;
    rest(now.plus(Doubling.rest(others)));
  }

  private void rest(Instant until) {
    restUntil = until.isAfter(restUntil) ? until : restUntil;
  }

  /** The delay of requests that had started before there was a group. */
  Duration firstDelay() {
    return firstDelay;
  }

  private Optional<Doubt> doubt(Instant now) {
    if (learning.incident().isPresent()) {
      Instant since = learning.evidence().emptyAt();
      return now.isAfter(since.plus(Delays.LONGEST)) ? Optional.of(Doubt.CLOSED) : Optional.empty();
    }
    // No limit refuses twice the delay that it has served.
    int refusals = learning.probe().filter(Probe::slower).map(Probe::refusals).orElse(0);
    if (refusals > 1 || learning.evidence().noise().share() > 0) {
      return Optional.of(Doubt.NOISE);
    }
    if (learning.refused().isEmpty()
        && learning.floor().isPresent()
        && Delays.millis(learning.floor().get()) <= AS_FAST * Delays.millis(ownDelay) / size()) {
      return Optional.of(Doubt.SERVED);
    }
    return favoured.isRefusedAlone() ? Optional.of(Doubt.ALONE) : Optional.empty();
  }
}
