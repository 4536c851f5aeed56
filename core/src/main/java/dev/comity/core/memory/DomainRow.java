package dev.comity.core.memory;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.Claim;
import dev.comity.core.port.Ending;
import dev.comity.core.port.QueuedUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** One domain: who holds it, when it may be claimed again, and its URLs. */
final class DomainRow {
  private final DomainName name;
  final UrlQueue urls = new UrlQueue();
  DomainState state = DomainState.FRESH;
  private long token;
  private boolean held;

  /** This run has had what it may have of it, or all it could get. */
  private boolean doneForThisRun;

  private Instant notBefore = Instant.MIN;

  DomainRow(DomainName name) {
    this.name = name;
  }

  boolean add(QueuedUrl url) {
    return urls.add(url);
  }

  /** Whether it has work and nothing but time can stand in the way. */
  boolean isClaimable() {
    return !held && !doneForThisRun && !urls.isEmpty() && state.standing().reason().isEmpty();
  }

  boolean isHeldBy(long claimToken) {
    return held && token == claimToken;
  }

  /** When it may be claimed: not while it rests, nor while all its URLs are deferred. */
  Instant notBefore(Instant now) {
    Instant due = urls.firstDue(now);
    return due.isAfter(notBefore) ? due : notBefore;
  }

  Claim claim() {
    held = true;
    token++;
    return new Claim(name, token, state);
  }

  void takeBack(UnaryOperator<DomainState> change) {
    if (!held) {
      state = change.apply(state);
    }
  }

  void release(DomainState last, Ending ending) {
    held = false;
    state = last;
    urls.returnInFlight();
    switch (ending) {
      case Ending.RestUntil(var at, _) -> notBefore = at;
      case Ending.JobFailed _, Ending.OutOfBudget _ -> doneForThisRun = true;
      case Ending.Closed _,
          Ending.Exhausted _,
          Ending.RunOutOfBudget _,
          Ending.Stopped _,
          Ending.Lost _ -> {}
    }
  }
}
