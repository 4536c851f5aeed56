package dev.comity.store.postgres;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.crawl.ReadAhead.WaitingSource;
import dev.comity.store.refresh.DomainLesson;
import dev.comity.store.sql.StateColumns;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A claimed domain in memory: its next URLs, those in flight, and values of its row that only the
 * holder changes. The next URLs and those in flight are guarded by its monitor, the values of its
 * row by the lock for writing.
 */
final class HeldDomain {
  final DomainName name;
  final long id;
  final long token;
  final boolean imagesOnly;

  /** Held by the one write under its claim, until that is durable. Taken before the monitor. */
  final Object writing = new Object();

  /** The next URLs, read ahead; their rows stay as they are. */
  final Deque<Waiting> ahead = new ArrayDeque<>();

  final Map<CrawlUrl, Waiting> inFlight = new HashMap<>();

  private final AtomicInteger earliest = new AtomicInteger(Integer.MAX_VALUE);

  /** Whether no URL was due but those read ahead and those in flight, when they were read. */
  boolean readAll;

  Wanted wanted = Wanted.ANY;

  /** When the first deferred URL is due; none: {@link Long#MAX_VALUE}. */
  long nextDue = Long.MIN_VALUE;

  /** Sources of queued URLs that have no turn now, by their rows. */
  final Map<Long, WaitingSource> waiting = new HashMap<>();

  private boolean passedOver;

  /** How many pages a refresh may still visit because of hints. */
  private final AtomicLong hintsLeft;

  DomainStatus status = DomainStatus.ACTIVE;
  JobStreak streak;

  /** What visits of its pages have taught. */
  DomainLesson lesson = DomainLesson.NONE;

  volatile OperatorTerms terms;

  /** The operators' signal when the row was last read for them. */
  volatile long termsAsOf = -1;

  /** The checkpoint of its queue elsewhere that the next write has to keep. */
  private final AtomicReference<@Nullable QueueCheckpoint> checkpoint = new AtomicReference<>();

  private @Nullable Standing standing;
  private int claimClass;

  HeldDomain(Claim claim, long id, long hintsLeft) {
    this.hintsLeft = new AtomicLong(hintsLeft);
    name = claim.domain();
    token = claim.token();
    this.id = id;
    imagesOnly = claim.imagesOnly();
    streak = claim.job().streak();
    terms = claim.terms();
  }

  /** The next write keeps this checkpoint. URLs without room count with those before. */
  void keep(QueueCheckpoint next) {
    checkpoint.accumulateAndGet(
        next, (before, now) -> before == null || now == null ? now : now.after(before));
  }

  /** The checkpoint that the next write has to keep. */
  Optional<QueueCheckpoint> checkpoint() {
    return Optional.ofNullable(checkpoint.get());
  }

  /** This checkpoint is durable. */
  void kept(QueueCheckpoint written) {
    checkpoint.compareAndSet(written, null);
  }

  /** The row of a URL that was taken and is not settled. */
  synchronized Optional<Waiting> inFlight(QueuedUrl entry) {
    return Optional.ofNullable(inFlight.get(entry.url()))
        .filter(waiting -> waiting.entry().equals(entry));
  }

  /** Whether the row already has the standing of this state. */
  boolean stands(DomainState state) {
    return state.standing().equals(standing) && StateColumns.claimClass(state) == claimClass;
  }

  /** The row has this state now. */
  void written(DomainState state) {
    standing = state.standing();
    claimClass = StateColumns.claimClass(state);
    status = state.standing().status();
  }

  /** A URL may come before those read ahead, so they are read again. */
  void lookAgain() {
    ahead.clear();
    readAll = false;
  }

  /** What is read ahead is what is wanted. */
  void read(Wanted now) {
    if (wanted != now) {
      wanted = now;
      lookAgain();
      nextDue = Long.MIN_VALUE;
    }
  }

  /** How many pages may be queued because of hints. The domain's worker alone hints. */
  long hintsLeft() {
    return hintsLeft.get();
  }

  /** So many pages were queued because of hints. */
  void hinted(int pages) {
    if (pages > 0) {
      hintsLeft.addAndGet(-pages);
      entered(Integer.MIN_VALUE);
    }
  }

  /** A URL entered at this place. Any thread may call it. */
  void entered(int place) {
    earliest.accumulateAndGet(place, Math::min);
  }

  /** URLs read ahead stay valid while all later arrivals come after them. */
  void heedArrivals() {
    int place = earliest.getAndSet(Integer.MAX_VALUE);
    readAll &= place == Integer.MAX_VALUE;
    if (!ahead.isEmpty() && place < ahead.getLast().place()) {
      lookAgain();
    }
  }

  /** Whether URLs were passed over since the last look. */
  boolean passesOver() {
    boolean did = passedOver;
    passedOver = false;
    return did;
  }

  /** Sources may have a turn again. */
  void heedSources(SourceWaits waits, Instant now) {
    if (waiting.isEmpty()) {
      return;
    }
    waiting.replaceAll(
        (_, one) ->
            new WaitingSource(one.name(), waits.until(one.name(), now).orElse(Instant.MIN)));
    if (waiting.values().removeIf(one -> one.until().equals(Instant.MIN))) {
      lookAgain();
    }
  }

  Optional<WaitingSource> firstSource() {
    return waiting.values().stream().min(Comparator.comparing(WaitingSource::until));
  }

  private boolean waitsForSource(Waiting one, SourceWaits waits, Instant now) {
    Long id = one.sourceId();
    Optional<String> source = one.entry().source();
    if (id == null || source.isEmpty()) {
      return false;
    }
    Optional<Instant> until = waits.until(source.get(), now);
    until.ifPresent(at -> waiting.put(id, new WaitingSource(source.get(), at)));
    return until.isPresent();
  }

  /**
   * The first URL that may be requested. One suspect is in flight at a time: the next death then
   * shows which one it was.
   */
  @Nullable Waiting admitted(SourceWaits waits, Instant now) {
    boolean quarantined = inFlight.values().stream().anyMatch(Waiting::suspect);
    for (Iterator<Waiting> next = ahead.iterator(); next.hasNext(); ) {
      Waiting one = next.next();
      if (waitsForSource(one, waits, now)) {
        next.remove();
        passedOver = true;
        continue;
      }
      if (!one.suspect() || !quarantined) {
        next.remove();
        return one;
      }
    }
    return null;
  }
}
