package dev.comity.core.policy;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.policy.SharedBudget.Doubt;
import dev.comity.core.policy.learning.Evidence;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Delays;
import dev.comity.core.util.Doubling;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which domains share a {@link SharedBudget}, by the address of their server.
 *
 * <p>Three or more domains of one address that are refused within a minute, and at least half of
 * those asked there, are taken to share a limit. A single refusal is a domain's own affair, and an
 * address where most are served has no limit of its own: a content network serves hundreds.
 *
 * <p>A wrong guess costs little. A budget is given up when something speaks against it, and then
 * none is tried at that address for ten minutes, twenty, and so on to a day.
 *
 * <p>It has no clock and no lock. Nothing is stored: a limit that is shared shows itself again
 * within seconds. Only addresses that have refused are remembered, and these for an hour.
 */
public final class SharedBudgets {
  /** Two domains that are refused within a minute are often chance. */
  private static final int FEWEST = 3;

  /** Refusals this close to each other are looked at together. */
  private static final Duration TOGETHER = Duration.ofMinutes(1);

  /** So long no budget is tried where one was wrong: what domains learn alone takes minutes. */
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(10);

  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

  /**
   * What a domain had learned before it was refused, and what it was refused under.
   *
   * @param trying whether it was only trying that delay
   */
  private record Refused(LearnedDelay before, Duration delay, Instant at, boolean trying) {}

  private record Place(String address, DomainName domain) {}

  private static final class Address {
    final Map<DomainName, Refused> refused = new LinkedHashMap<>();
    @Nullable SharedBudget budget;
    int mistakes;
    Instant pausedUntil = Slots.NEVER;
    Instant lastUse = Slots.NEVER;
  }

  /**
   * A budget that began or ended.
   *
   * @param delay between two starts of any of them: when they were refused, or at the end
   * @param endedFor what spoke against it, if it ended
   */
  public record BudgetChange(
      String address, List<DomainName> domains, Duration delay, Optional<String> endedFor) {

    /** What it is for, or what spoke against it. */
    public String why() {
      return endedFor.orElse("their server refused them within a minute of each other");
    }
  }

  private final LearningSettings settings;
  private final Consumer<BudgetChange> listener;

  /** Domains asked within the last minute, the longest ago first. */
  private final LinkedHashMap<Place, Instant> asked = new LinkedHashMap<>();

  /** Where refusals were, the longest ago first. */
  private final LinkedHashMap<String, Address> addresses = new LinkedHashMap<>();

  private int groups;

  public SharedBudgets(PolicySettings settings, Consumer<BudgetChange> listener) {
    this.settings = settings.learning();
    this.listener = listener;
  }

  /** When this domain should ask again; empty if it may start as far as its neighbours go. */
  public Optional<Instant> ask(String address, DomainName domain, Instant now) {
    Optional<SharedBudget> budget = budget(address, domain);
    return budget.isPresent() ? budget.get().ask(domain, now) : Optional.empty();
  }

  /** A domain that asked does not want to start any more. */
  public void leave(String address, DomainName domain) {
    budget(address, domain).ifPresent(budget -> budget.leave(domain));
  }

  /** A start: whether it is in time, and the group's delay it is under, if there is a group. */
  public record Start(boolean inTime, Optional<Duration> shared) {}

  /** A request is about to write its first byte. */
  public Start started(String address, DomainName domain, Instant at) {
    Optional<SharedBudget> budget = budget(address, domain);
    Optional<Duration> shared = budget.flatMap(group -> group.started(domain, at));
    if (budget.isPresent() && shared.isEmpty()) {
      return new Start(false, shared);
    }
    asked.putLast(new Place(address, domain), at);
    while (asked.firstEntry().getValue().isBefore(at.minus(TOGETHER))) {
      asked.pollFirstEntry();
    }
    return new Start(true, shared);
  }

  /** The first byte of a request has left. */
  public void left(String address, DomainName domain, Instant at) {
    budget(address, domain).ifPresent(budget -> budget.left(domain, at));
  }

  /**
   * A domain was answered. Where it shares a budget, the answer is the group's lesson.
   *
   * @param shared the group's delay under which the request was started
   * @param before what the domain had learned before this answer
   * @param after what it has learned by it
   * @return what the domain has learned after all
   */
  public LearnedDelay answered(
      String address,
      DomainName domain,
      Attempt attempt,
      Optional<Duration> shared,
      FetchOutcome outcome,
      LearnedDelay before,
      LearnedDelay after,
      Instant now) {
    boolean refused = outcome instanceof RateLimited;
    if (!refused && !(outcome instanceof FetchOutcome.Answer)) {
      return after; // It says nothing about any pace.
    }
    Address place = addresses.get(address);
    if (place == null && !refused) {
      return after;
    }
    if (refused) {
      place = used(address, now);
      // Neither a delay that a domain was only trying nor noise says anything about neighbours.
      // Where a group has ended its domains search at the same time: then what they try counts too,
      // if all of them are refused.
      boolean trying = before.probe().isPresent() && place.mistakes == 0;
      boolean explained = trying || before.evidence().noise().share() > 0;
      boolean counts = after.lastRefusal().isAfter(before.lastRefusal()) && !explained;
      if (place.budget == null && counts) {
        note(place, domain, attempt, before, now);
        form(address, place, attempt, now);
      } else if (place.budget != null && !place.budget.has(domain)) {
        // It was refused at its own pace beside the group's, so the group learns nothing by it.
        place.budget.join(domain, before);
        return after;
      }
    }
    if (place == null || place.budget == null || !place.budget.has(domain)) {
      return after;
    }
    used(address, now);
    SharedBudget budget = place.budget;
    Duration delay = shared.orElse(budget.firstDelay());
    Attempt theirs =
        new Attempt(attempt.url(), attempt.kind(), attempt.ordinal(), attempt.startedAt(), delay);
    LearnedDelay kept = after.incident().isPresent() ? after : budget.kept(domain, after);
    Optional<Doubt> doubt = budget.answered(domain, theirs, outcome, now);
    if (doubt.isPresent()) {
      end(address, place, budget, doubt.get(), now);
    }
    return kept;
  }

  /** The member of the group at this address that is next. */
  public Optional<DomainName> next(String address) {
    Address place = addresses.get(address);
    return place == null || place.budget == null ? Optional.empty() : place.budget.first();
  }

  /** Whether any domains share a budget now. Without one no domain has to wait for another. */
  public boolean isGroupAnywhere() {
    return groups > 0;
  }

  /** The budget that a domain shares, as a note. */
  public Optional<Sharing> sharing(String address, DomainName domain, Instant now) {
    return budget(address, domain).map(group -> new Sharing(group.size(), group.delay(), now));
  }

  private Optional<SharedBudget> budget(String address, DomainName domain) {
    Address place = addresses.get(address);
    return place == null || place.budget == null || !place.budget.has(domain)
        ? Optional.empty()
        : Optional.of(place.budget);
  }

  private Address used(String address, Instant now) {
    Address place = addresses.get(address);
    if (place == null) {
      place = new Address();
    }
    place.lastUse = now;
    addresses.putLast(address, place);
    while (isIdle(addresses.firstEntry().getValue(), now)) {
      groups -= addresses.pollFirstEntry().getValue().budget == null ? 0 : 1;
    }
    return place;
  }

  private static boolean isIdle(Address place, Instant now) {
    return now.isAfter(place.lastUse.plus(DomainPolicy.IDLE)) && now.isAfter(place.pausedUntil);
  }

  private static void note(
      Address place, DomainName domain, Attempt attempt, LearnedDelay before, Instant now) {
    place.refused.values().removeIf(old -> old.at().isBefore(now.minus(TOGETHER)));
    Refused first = place.refused.remove(domain);
    LearnedDelay earliest = first == null ? before : first.before();
    place.refused.put(
        domain, new Refused(earliest, attempt.delay(), now, before.probe().isPresent()));
  }

  private void form(String address, Address place, Attempt attempt, Instant now) {
    int refused = place.refused.size();
    if (refused < FEWEST || now.isBefore(place.pausedUntil)) {
      return;
    }
    Instant since = now.minus(TOGETHER);
    long askedThere =
        asked.entrySet().stream()
            .filter(it -> it.getKey().address().equals(address) && !it.getValue().isBefore(since))
            .count();
    boolean trying = place.refused.values().stream().anyMatch(Refused::trying);
    if ((trying ? 1 : 2) * (long) refused < askedThere) {
      return;
    }
    double delays = 0;
    int served = 0;
    Instant openSince = attempt.startedAt();
    for (Refused it : place.refused.values()) {
      delays += Delays.millis(it.delay());
      Evidence own = it.before().evidence();
      int pages = served(it.before());
      served += pages;
      boolean earlier = pages > 0 && own.openSince().isBefore(openSince);
      openSince = earlier ? own.openSince() : openSince;
    }
    long all = Math.max(refused, askedThere);
    Duration delay = Delays.of(delays / refused / all);
    // Those that were not refused yet were served as much as those that were.
    int servedToAll = (int) (served * all / refused);
    Evidence evidence = new Evidence(Slots.NEVER, openSince, servedToAll, Evidence.NONE.shown());
    SharedBudget budget =
        new SharedBudget(
            settings, delay, Delays.of(delays / refused), evidence, attempt.startedAt());
    place.refused.forEach((domain, it) -> budget.join(domain, it.before()));
    place.refused.clear();
    place.budget = budget;
    groups++;
    listener.accept(new BudgetChange(address, budget.domains(), delay, Optional.empty()));
  }

  /**
   * What a domain was served, as far as it says something about the group. Until a domain's first
   * refusal its missing robots.txt is left out: domains that begin together ask for one each, and
   * often it comes from elsewhere than what is limited.
   */
  private static int served(LearnedDelay before) {
    int served = before.evidence().served();
    boolean isFirst = before.evidence().emptyAt().equals(Slots.NEVER);
    return isFirst ? Math.min(served, before.row()) : served;
  }

  private void end(String address, Address place, SharedBudget budget, Doubt doubt, Instant now) {
    place.budget = null;
    groups--;
    place.pausedUntil = now.plus(Doubling.after(FIRST_PAUSE, place.mistakes, LONGEST_PAUSE));
    place.mistakes++;
    listener.accept(
        new BudgetChange(address, budget.domains(), budget.delay(), Optional.of(doubt.words())));
  }
}
