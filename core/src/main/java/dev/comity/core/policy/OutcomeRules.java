package dev.comity.core.policy;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.Answer;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LegallyBlocked;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.NotModified;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.PortDenied;
import dev.comity.core.outcome.FetchOutcome.Pushback;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.TooSmall;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.Unreachable;
import dev.comity.core.outcome.FetchOutcome.Unsent;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.learning.DelayLearning;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.Lifecycle;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.Wishes;
import dev.comity.core.util.Doubling;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an outcome means: for its URL, for the domain's pace, for its health. Each kind of outcome
 * has its own few lines here; the rules they call live with the state they change.
 */
final class OutcomeRules {
  /** The part of a delay that is added for a request that may have been read late. */
  private static final int LATE_AT_MOST = 20;

  private final PolicySettings settings;
  private final DelayLearning delayLearning;
  private final Lifecycle lifecycle;
  private final RefusalsInARow refusals;

  OutcomeRules(PolicySettings settings, DelayLearning delayLearning, Lifecycle lifecycle) {
    this.settings = settings;
    this.delayLearning = delayLearning;
    this.lifecycle = lifecycle;
    refusals = new RefusalsInARow(settings);
  }

  Decision decide(DomainState state, Attempt attempt, Fetched fetched, Instant now) {
    FetchOutcome outcome = fetched.outcome();
    return switch (outcome) {
      case Answer answer -> answered(heard(state, attempt, fetched, now), attempt, answer, now);
      case Pushback pushback ->
          pushedBack(heard(state, attempt, fetched, now), attempt, pushback, now);
      case Unreachable unreachable ->
          unreached(state.with(latency(state, fetched)), attempt, unreachable, now);
      case Unsent unsent -> unsent(state, unsent);
    };
  }

  private DomainState heard(DomainState state, Attempt attempt, Fetched fetched, Instant now) {
    Announced said = fetched.announced();
    return new DomainState(
        state.standing(),
        state.limits().withAnnounced(said.spacing()),
        slots(state, attempt, fetched)
            .restingUntil(
                said.rest().isZero() ? Slots.NEVER : now.plus(said.rest()), Turn.Why.RETRY_AFTER),
        state.learning(),
        state.failures(),
        latency(state, fetched),
        state.heard().response(now));
  }

  /**
   * A request that was read late and one that is read in time are closer together for the site than
   * for us. How late this one was is not known, but no later than its answer was; what an answer
   * takes otherwise is not held against the pace for long. A delay that was learnt was learnt with
   * all lateness in it: more of it would only hide that the site has begun to make requests wait.
   */
  private Slots slots(DomainState state, Attempt attempt, Fetched fetched) {
    boolean isLearnt = attempt.delay().compareTo(Pace.base(state, settings)) > 0;
    if (fetched.firstByte().isEmpty() || isLearnt) {
      return state.slots();
    }
    Duration late = state.latency().lateness(fetched.firstByte().get());
    Duration most = attempt.delay().dividedBy(LATE_AT_MOST);
    return late.isZero() || most.isZero()
        ? state.slots()
        : state.slots().readLate(attempt.startedAt(), late.compareTo(most) < 0 ? late : most);
  }

  private static Latency latency(DomainState state, Fetched fetched) {
    return fetched.firstByte().isPresent()
        ? state.latency().with(fetched.firstByte().get())
        : state.latency();
  }

  private Decision answered(DomainState state, Attempt attempt, Answer answer, Instant now) {
    return switch (answer) {
      case Success _ -> served(state, attempt, Fate.Done.SUCCESS, now);
      case NotModified _ -> served(state, attempt, Fate.Done.NOT_MODIFIED, now);
      case Redirect _ -> served(state, attempt, Fate.Done.REDIRECT, now);
      case ClientError(int code) -> notFound(state, attempt, code, now);
      case PaymentRequired(int _, Optional<String> price) ->
          walled(state, attempt, CloseReason.PAYMENT_REQUIRED, answer.category(), price, now);
      case LegallyBlocked _ ->
          walled(state, attempt, CloseReason.LEGAL, answer.category(), Optional.empty(), now);
      case UsageRefused(int _, UsageRefusal refusal, Wishes _) ->
          answered(state, attempt, new Fate.Denied(refusal));
      case TooLarge(int code, long _) -> unusable(state, attempt, code, answer.category(), now);
      case TooSmall(int code, String _) -> skipped(state, attempt, code, now);
      case WrongType(int code, String _) -> skipped(state, attempt, code, now);
      case Undecodable(int code, String _) ->
          unusable(state, attempt, code, answer.category(), now);
    };
  }

  private Decision pushedBack(DomainState state, Attempt attempt, Pushback pushback, Instant now) {
    return switch (pushback) {
      case RateLimited(int _, Optional<Duration> retryAfter) ->
          refused(state, attempt, retryAfter, now);
      case ServerError _ -> failed(state, attempt, Category.SERVER_ERROR, retries(), now);
      // Asking again and again for a forbidden page is not polite.
      case Forbidden forbidden ->
          turnedAway(state, attempt, forbidden, Math.min(1, retries()), now);
      case LoginRequired wall -> turnedAway(state, attempt, wall, 0, now);
      case Challenge challenge -> turnedAway(state, attempt, challenge, 0, now);
    };
  }

  private Decision unreached(
      DomainState state, Attempt attempt, Unreachable unreachable, Instant now) {
    return switch (unreachable) {
      case TimedOut _ ->
          failed(state.with(state.latency().timedOut()), attempt, Category.TIMEOUT, retries(), now);
      case ConnectionFailed _ -> failed(state, attempt, Category.CONNECTION_FAILED, retries(), now);
      case TlsFailed _ -> failed(state, attempt, Category.TLS_FAILURE, retries(), now);
      case DnsFailed _ -> failed(state, attempt, Category.DNS_FAILURE, retries(), now);
    };
  }

  private static Decision unsent(DomainState state, Unsent unsent) {
    Fate fate =
        switch (unsent) {
          case Cancelled _ -> Fate.Returned.RETURNED;
          case AddressDenied _ -> new Fate.Failed(Category.ADDRESS_DENIED);
          case PortDenied _ -> new Fate.Failed(Category.PORT_DENIED);
          case ContactMissing _ -> new Fate.Failed(Category.CONTACT_MISSING);
        };
    return new Decision(state, fate, List.of());
  }

  private Decision served(DomainState state, Attempt attempt, Fate fate, Instant now) {
    Duration base = Pace.base(state, settings);
    LearnedDelay learning = delayLearning.served(state.learning(), attempt, base);
    boolean page = attempt.kind().speaksForTheSite();
    boolean ended = state.learning().incident().isPresent() && learning.incident().isEmpty();
    // Where a robots.txt has moved to is not yet what it says.
    boolean moved = attempt.kind() == Kind.ROBOTS && fate.equals(Fate.Done.REDIRECT);
    Contact contact = moved ? state.heard() : state.heard().answeredBy(attempt.url());
    DomainState after =
        new DomainState(
            page ? state.standing().succeeded() : state.standing(),
            state.limits(),
            state.slots(),
            learning,
            page ? state.failures().afterSuccess() : state.failures(),
            state.latency(),
            page ? admitted(state, attempt, contact.success(ended, now)) : contact);
    return new Decision(after, fate, Changes.between(state, after, settings));
  }

  /** A page was answered: that ends the row of refusals, unless they came after it was asked. */
  private Contact admitted(DomainState state, Attempt attempt, Contact contact) {
    return delayLearning.isStale(state.learning(), attempt) ? contact : contact.withoutRefusals();
  }

  /** 404 and its like: the site is well and lets us in, but this says little about our pace. */
  private Decision notFound(DomainState state, Attempt attempt, int code, Instant now) {
    boolean again = (code == 408 || code == 425) && attempt.ordinal() <= retries();
    Fate fate = again ? new Fate.Retry(now, true) : Fate.Done.CLIENT_ERROR;
    return answered(state, attempt, fate);
  }

  /**
   * 402 or 451. One is an answer about its URL, like a 404. Different URLs in a row block the
   * domain: it would only go on answering that.
   *
   * @param price what the site asks for, as it wrote it
   */
  private Decision walled(
      DomainState state,
      Attempt attempt,
      CloseReason reason,
      Category category,
      Optional<String> price,
      Instant now) {
    Decision answer = answered(state, attempt, new Fate.Done(category));
    boolean open = state.standing().mayBeAsked();
    if (!open || !attempt.kind().speaksForTheSite()) {
      return answer;
    }
    List<CrawlUrl> walls = state.failures().wallsAfter(attempt.url());
    DomainState counted = answer.state().with(answer.state().failures().withWalls(walls));
    DomainState after =
        walls.size() < settings.failures().closeAfter()
            ? counted
            : counted.with(lifecycle.closed(state.standing(), reason, now).saying(price));
    return new Decision(after, answer.fate(), Changes.between(state, after, settings));
  }

  private Decision answered(DomainState state, Attempt attempt, Fate fate) {
    boolean page = attempt.kind().speaksForTheSite();
    Contact contact = state.heard().answeredBy(attempt.url());
    DomainState after =
        state
            .with(page ? state.failures().afterAnswer() : state.failures())
            .with(page ? admitted(state, attempt, contact) : contact)
            .with(delayLearning.answered(state.learning(), attempt, Pace.base(state, settings)));
    return new Decision(after, fate, Changes.between(state, after, settings));
  }

  /** A page or image that is not kept is none; a robots.txt or sitemap of its type is unusable. */
  private Decision skipped(DomainState state, Attempt attempt, int code, Instant now) {
    if (!attempt.kind().speaksForTheSite()) {
      return unusable(state, attempt, code, Category.WRONG_TYPE, now);
    }
    Fate fate = new Fate.Skipped();
    return code < 400 ? served(state, attempt, fate, now) : answered(state, attempt, fate);
  }

  /** The site sent something at this pace; that we cannot use it is not its fault. */
  private Decision unusable(
      DomainState state, Attempt attempt, int code, Category category, Instant now) {
    if (attempt.kind() == Kind.ROBOTS) {
      // The site's wishes are unknown, so it is not asked for anything else meanwhile.
      return failed(state, attempt, category, retries(), now);
    }
    Fate fate = new Fate.Failed(category);
    return code < 400 ? served(state, attempt, fate, now) : answered(state, attempt, fate);
  }

  /**
   * 401, 403, a login or a captcha. For a robots.txt or sitemap it is an answer like any 4xx and no
   * failure, though nothing that speaks well of our pace either.
   */
  private Decision turnedAway(
      DomainState state, Attempt attempt, Pushback pushback, int retries, Instant now) {
    if (attempt.kind().speaksForTheSite() || pushback.code() >= 500) {
      return failed(state, attempt, pushback.category(), retries, now);
    }
    DomainState after =
        state
            .with(state.heard().answeredBy(attempt.url()))
            .with(delayLearning.failed(state.learning(), attempt));
    return new Decision(after, Fate.Done.CLIENT_ERROR, Changes.between(state, after, settings));
  }

  private Decision refused(
      DomainState state, Attempt attempt, Optional<Duration> retryAfter, Instant now) {
    Duration asked = retryAfter.filter(Duration::isPositive).orElse(Duration.ZERO);
    boolean absurd = asked.compareTo(DomainPolicy.BLOCK_BEYOND) > 0;
    Duration kept =
        absurd ? Duration.ZERO : asked; // Being closed for good is longer than any rest.
    boolean stale = delayLearning.isStale(state.learning(), attempt);
    DomainState taught = stale ? state : taught(state, attempt, now);
    Instant own = now.plus(stale ? Duration.ZERO : refusals.rest(taught, delayLearning, now));
    Slots slots =
        taught
            .slots()
            .restingUntil(own, Turn.Why.REFUSED)
            .restingUntil(now.plus(kept), Turn.Why.RETRY_AFTER);
    DomainState rested = taught.with(slots);
    DomainState after = rested;
    boolean open = rested.standing().mayBeAsked();
    if (absurd) {
      after =
          rested.with(
              open
                  ? lifecycle.closedForGood(rested.standing(), CloseReason.RATE_LIMITED)
                  : lifecycle.withoutEnd(rested.standing()));
    } else if (open && !stale && refusals.block(rested, now)) {
      after = rested.with(lifecycle.closed(rested.standing(), CloseReason.RATE_LIMITED, now));
    }
    List<Change> changes = Changes.between(state, after, settings);
    if (!stale && refusals.cancelJob(after)) {
      changes = Changes.and(changes, new Change.JobCancelled(after.learning().refusalsInARow()));
    }
    return new Decision(after, new Fate.Retry(slots.restUntil(), false), changes);
  }

  private DomainState taught(DomainState state, Attempt attempt, Instant now) {
    LearnedDelay learning =
        delayLearning.refused(state.learning(), attempt, Pace.base(state, settings), now);
    return state.with(learning).with(state.heard().refused(now));
  }

  private Decision failed(
      DomainState state, Attempt attempt, Category category, int retries, Instant now) {
    LearnedDelay learning = delayLearning.failed(state.learning(), attempt);
    boolean again = attempt.ordinal() <= retries;
    if (state.failures().isPagesOwn(attempt)) {
      DomainState after = state.with(learning);
      Fate fate = again ? later(after, attempt, now) : new Fate.Failed(category);
      return new Decision(after, fate, Changes.between(state, after, settings));
    }
    boolean open = state.standing().mayBeAsked();
    Failures failures = state.failures().afterFailure(attempt, category, open, !again, now);
    Slots slots =
        failures.restDomain(attempt, category)
            ? state
                .slots()
                .restingUntil(now.plus(Doubling.rest(failures.moments())), Turn.Why.FAILED)
            : state.slots();
    DomainState rested = state.with(failures).with(slots).with(learning);
    return attempt.kind() == Kind.ROBOTS
        ? robotsFailed(state, rested, attempt, category, now)
        : pageFailed(state, rested, attempt, category, again, now);
  }

  private Decision pageFailed(
      DomainState before,
      DomainState rested,
      Attempt attempt,
      Category category,
      boolean again,
      Instant now) {
    boolean full = rested.failures().streak().size() >= settings.failures().closeAfter();
    DomainState after = full ? closedFor(rested, category, now) : rested;
    Fate fate = again ? later(after, attempt, now) : new Fate.Failed(category);
    return new Decision(after, fate, Changes.between(before, after, settings));
  }

  /**
   * A URL that has failed before waits longer than its domain rests, so others come first. All
   * would be due at once otherwise, and the oldest would spend its tries before the next had one.
   */
  private Fate later(DomainState state, Attempt attempt, Instant now) {
    Instant rested = state.slots().restUntil();
    Instant due = rested.isAfter(now) ? rested : now;
    return new Fate.Retry(due.plus(Doubling.rest(attempt.ordinal() - 1)), true);
  }

  /**
   * While a robots.txt has no answer it is the only URL of its authority that may be asked, so
   * every failure of it counts. The last one closes the domain, unless another authority answers.
   */
  private Decision robotsFailed(
      DomainState before, DomainState rested, Attempt attempt, Category category, Instant now) {
    if (attempt.ordinal() < DomainPolicy.ROBOTS_TRIES) {
      return new Decision(
          rested,
          new Fate.Retry(rested.slots().restUntil(), true),
          Changes.between(before, rested, settings));
    }
    boolean stays =
        rested.heard().othersThan(attempt.url()) || CloseReason.failuresOf(category).isEmpty();
    DomainState after = stays ? rested : closedFor(rested, category, now);
    List<Change> changes = Changes.between(before, after, settings);
    return new Decision(
        after,
        new Fate.Failed(category),
        stays ? Changes.and(changes, new Change.AuthorityGivenUp(category)) : changes);
  }

  private DomainState closedFor(DomainState state, Category category, Instant now) {
    Optional<CloseReason> reason = CloseReason.failuresOf(category);
    return reason.isPresent() && state.standing().mayBeAsked()
        ? state.with(lifecycle.closed(state.standing(), reason.get(), now))
        : state;
  }

  private int retries() {
    return settings.failures().retries();
  }
}
