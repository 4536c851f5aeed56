package dev.comity.app.seeds;

import dev.comity.app.text.Standings;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Names the domains that were given and will not be asked, with the reason and the way. */
public final class LeftOut {
  /** More names than this are counted, not printed. */
  private static final int MOST = 20;

  private final List<String> words = new ArrayList<>();
  private final boolean ofList;
  private long more;
  private long finished;

  /**
   * @param ofList whether they are domains of a list: a finished one has every answer already
   */
  public LeftOut(boolean ofList) {
    this.ofList = ofList;
  }

  /** Looks at one more domain. */
  public void look(Optional<DomainState> known, boolean paused, DomainName domain, Instant now) {
    if (ofList && !paused && known.filter(LeftOut::isFinished).isPresent()) {
      finished++;
      return;
    }
    Optional<String> why =
        paused
            ? Optional.of(Words.paused(domain.name()))
            : known.flatMap(state -> why(domain, state, now));
    if (why.isPresent() && words.size() < MOST) {
      words.add("%s is left out: %s".formatted(domain, why.get()));
    } else if (why.isPresent()) {
      more++;
    }
  }

  long count() {
    return words.size() + more;
  }

  public List<String> words() {
    List<String> all = new ArrayList<>(words);
    if (more > 0) {
      all.add("and " + more + " more are left out; `comity why DOMAIN` says why");
    }
    if (finished > 0) {
      all.add(
          Words.count(finished, "domain")
              + " of the list had every answer before; nothing more is asked there");
    }
    return all;
  }

  private static boolean isFinished(DomainState state) {
    return state.standing().status() == DomainStatus.EXHAUSTED;
  }

  private static Optional<String> why(DomainName domain, DomainState state, Instant now) {
    Standing standing = state.standing();
    if (isFinished(state)) {
      return Optional.of("all that is known of it is crawled; --again asks for it again");
    }
    if (!standing.mayBeAsked()) {
      boolean over = standing.until().isPresent() && !standing.until().get().isAfter(now);
      return over
          ? Optional.empty()
          : Optional.of(
              "%s; `comity domain-reset %s` opens it"
                  .formatted(Standings.spoken(standing), domain));
    }
    Instant rest = state.slots().restUntil();
    return rest.isAfter(now.plus(DomainPolicy.PARK_AFTER))
        ? Optional.of("it asked to be left alone until " + Timestamps.second(rest))
        : Optional.empty();
  }
}
