package dev.comity.core.policy;

import dev.comity.core.policy.learning.BracketSearch;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.url.DomainName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells a limit that domains share from limits that each has for itself, by giving one member as
 * much of the group's budget as it can use.
 *
 * <p>While all take turns both look the same: eight domains that are allowed two requests a second
 * each are served sixteen together. A server that limits their sum does not care which of them
 * asks. One that limits each refuses the favoured member, though the group is no faster than
 * before. Two members that are refused so, one after the other, are no chance.
 *
 * <p>Where the limit is shared, the trial costs nothing: the budget is used up as before.
 */
final class FavouredMember {
  /** Successes at a settled delay before the first trial: fewer, and the delay is not sure. */
  private static final int FIRST_AFTER = 50;

  /** A favoured member starts at least this often: more than the burst of most limits. */
  private static final int FEWEST_STARTS = 20;

  /** And this many times as often as a member had started when all were first refused. */
  private static final int BURSTS = 2;

  /** More says nothing that still matters. */
  private static final int MOST_STARTS = 200;

  /** One refusal may be noise. */
  private static final int SURE = 2;

  private Optional<DomainName> member = Optional.empty();

  /** Refused when they were favoured, and not served since. */
  private final Set<DomainName> refusing = new HashSet<>();

  private int startsLeft;
  private int turn;
  private int refusals;
  private int served;
  private int dueAfter = FIRST_AFTER;

  boolean is(DomainName domain) {
    return member.isPresent() && member.get().equals(domain);
  }

  /** The favoured member, if it is among these. */
  Optional<DomainName> in(Set<DomainName> waiting) {
    return member.filter(waiting::contains);
  }

  /** Whether members are refused that are favoured, and only these. */
  boolean isRefusedAlone() {
    return refusals >= SURE;
  }

  void started(DomainName domain) {
    if (is(domain)) {
      startsLeft--;
    }
  }

  /** A member was served; begins a trial if one is due, and ends one that has shown enough. */
  void served(DomainName domain, LearnedDelay learning, Set<DomainName> members) {
    served++;
    refusing.remove(domain);
    boolean steady = learning.probe().isEmpty() && learning.incident().isEmpty();
    if (member.isPresent()) {
      if (!steady) {
        member = Optional.empty(); // A shorter delay is tried, so a refusal may be the group's.
      } else if (startsLeft <= 0) {
        member = Optional.empty();
        refusals = 0;
        served = 0;
        dueAfter += dueAfter;
      }
    } else if (steady
        && served >= dueAfter
        && learning.row() >= FIRST_AFTER
        && BracketSearch.isSettled(learning)) {
      begin(learning, members);
    }
  }

  private void begin(LearnedDelay learning, Set<DomainName> members) {
    turn++;
    member = Optional.of(List.copyOf(members).get(turn % members.size()));
    int each = BURSTS * learning.evidence().shown().burst() / members.size();
    startsLeft = Math.clamp(each, FEWEST_STARTS, MOST_STARTS);
  }

  /**
   * A member was refused. Says whether that is its own affair, of which the group learns nothing:
   * it was favoured, or it was refused when it was and not served since.
   */
  boolean refused(DomainName domain, LearnedDelay learning) {
    if (refusing.contains(domain)) {
      return true; // A trial of another member goes on.
    }
    boolean steady = learning.probe().isEmpty() && learning.incident().isEmpty();
    if (is(domain) && steady) {
      refusals++;
      served = dueAfter; // The next trial comes as soon as the group is steady.
      refusing.add(domain);
    }
    member = Optional.empty();
    return refusing.contains(domain);
  }
}
