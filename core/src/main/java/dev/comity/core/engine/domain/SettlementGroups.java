package dev.comity.core.engine.domain;

import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.engine.shared.TaskGroup;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Settles the decided URLs of one domain in groups. One group at a time is written, by a thread of
 * its own. The next group gathers meanwhile, and the worker goes on asking. What follows a
 * settlement happens in the worker's thread, after its group is durable.
 *
 * <p>Confined to the worker's thread, except {@link #hasFailed}.
 */
final class SettlementGroups {
  /**
   * With this many gathered, no request is sent before a group is written. It is as many as a store
   * reads ahead of a domain: a store that falls behind, on a full disk for example, holds up the
   * requests.
   */
  private static final int MOST_GATHERED = 32;

  /**
   * A group that grows waits no longer than this, and no longer than until it has this many. Where
   * no delay is kept, answers come in fractions of a millisecond, and a group costs the store half
   * as much as a page.
   */
  private static final Duration GROWING = Duration.ofMillis(2);

  private static final int GROWN = 16;

  /** What follows a settlement. */
  interface AfterSettling {
    /** The settlement is durable, or never will be. Called once, and must not fail. */
    default void ended(boolean durable) {}

    /** The settlement is durable, and the events of its group are told in their order. */
    void tell();
  }

  private record Member(Settlement settlement, AfterSettling after) {}

  /** How the writing of a group ended. */
  private sealed interface Result {
    record Durable(Written written) implements Result {}

    record NotWritten(Throwable cause) implements Result {}
  }

  private final CrawlContext context;
  private final Claim claim;
  private final Signal wake;
  private final TaskGroup threads;
  private List<Member> gathered = new ArrayList<>();

  /** When the first of those gathered was added. */
  private Instant since = Instant.MIN;

  /** The group that is being written; empty without one. */
  private List<Member> outstanding = List.of();

  /** How the outstanding group ended, once it has. */
  private volatile @Nullable Result result;

  private volatile boolean failed;

  /**
   * @param wake raised when a group has ended
   */
  SettlementGroups(CrawlContext context, Claim claim, Signal wake) {
    this.context = context;
    this.claim = claim;
    this.wake = wake;
    threads = new TaskGroup(context.parts().time(), context::failed, () -> {});
  }

  /** Settles a URL with the next group. */
  void add(Settlement settlement, AfterSettling after) {
    if (gathered.isEmpty()) {
      since = context.parts().time().instant();
    }
    gathered.add(new Member(settlement, after));
  }

  /** Whether every settlement is durable. */
  boolean isEmpty() {
    return gathered.isEmpty() && outstanding.isEmpty();
  }

  /** Whether a group must be written before more is asked. */
  boolean isFull() {
    return gathered.size() >= MOST_GATHERED;
  }

  /** Whether a group could not be written, so that no request may start. Thread-safe. */
  boolean hasFailed() {
    return failed;
  }

  /** When a growing group is to be handed over; never without one. */
  Instant due() {
    return gathered.isEmpty() || !outstanding.isEmpty() ? Instant.MAX : since.plus(GROWING);
  }

  private boolean isGrown() {
    return gathered.size() >= GROWN || !context.parts().time().instant().isBefore(due());
  }

  /**
   * Follows the group that has ended, if one has, and hands over the next.
   *
   * @param grows whether more answers may come soon, which the next group waits for
   */
  void goOn(BooleanSupplier grows) {
    follow();
    if (outstanding.isEmpty() && !gathered.isEmpty() && (isGrown() || !grows.getAsBoolean())) {
      outstanding = gathered;
      gathered = new ArrayList<>();
      List<Settlement> settlements = outstanding.stream().map(Member::settlement).toList();
      try {
        threads.start("settle " + claim.domain(), () -> write(settlements));
      } catch (RuntimeException | Error unstarted) {
        // Without memory for a thread, for example: no thread would ever end the group.
        notWritten(unstarted);
        // The worker's next wait may be a long one.
        wake.raise();
      }
    }
  }

  private void notWritten(Throwable cause) {
    failed = true;
    result = new Result.NotWritten(cause);
  }

  private void write(List<Settlement> settlements) {
    try {
      result = new Result.Durable(context.parts().store().settle(claim, settlements));
    } catch (Throwable cause) {
      notWritten(cause);
    } finally {
      wake.raise();
    }
  }

  /** Waits until every settlement is durable. An interrupt does not end the wait. */
  void finish() {
    goOn(() -> false);
    while (!outstanding.isEmpty()) {
      if (threads.joinAll()) {
        // Heeded by the worker's next wait.
        Thread.currentThread().interrupt();
      }
      goOn(() -> false);
    }
  }

  private void follow() {
    Result ended = result;
    if (ended == null) {
      return;
    }
    result = null;
    List<Member> group = outstanding;
    outstanding = List.of();
    switch (ended) {
      case Result.Durable(var written) -> tell(group, written);
      case Result.NotWritten(var cause) -> {
        group.forEach(member -> member.after().ended(false));
        gathered.forEach(member -> member.after().ended(false));
        gathered = new ArrayList<>();
        throw thrown(cause);
      }
    }
  }

  private static RuntimeException thrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException("a store threw what it may not", cause);
  }

  /** A listener that fails at one event is told the others of the group all the same. */
  private void tell(List<Member> group, Written written) {
    group.forEach(member -> member.after().ended(true));
    Optional<RuntimeException> failure = Optional.empty();
    for (Member member : group) {
      try {
        member.after().tell();
      } catch (RuntimeException thrown) {
        failure = failure.or(() -> Optional.of(thrown));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (written.skipped() > 0) {
      context.parts().listener().skipped(claim.domain(), written.skipped());
    }
    if (written.elsewhere() && !context.activeDomains().hasAllOf(found(group))) {
      context.tell();
    }
  }

  private static List<QueuedUrl> found(List<Member> group) {
    return group.stream().flatMap(member -> member.settlement().found().stream()).toList();
  }
}
