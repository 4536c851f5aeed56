package dev.comity.store.crawl;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.StateColumns;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A claimed domain: the next of its URLs, those in flight, and what its rows say that only its
 * holder changes. Only the holder's thread comes here, one call after the other; guarded all the
 * same, since a test may have many.
 */
public final class HeldDomain {
  /**
   * A URL and its row.
   *
   * @param place where it stands in the queue
   * @param suspect whether one more death with it in flight would set it aside
   */
  public record Waiting(
      QueuedUrl entry,
      long id,
      int place,
      boolean suspect,
      @Nullable Long referrerId,
      @Nullable Long sourceId) {}

  public final DomainName name;
  public final long id;
  public final long token;

  /** The next URLs, read ahead; their rows stay as they are. */
  final Deque<Waiting> ahead = new ArrayDeque<>();

  public final Map<CrawlUrl, Waiting> inFlight = new HashMap<>();

  private final AtomicInteger earliest = new AtomicInteger(Integer.MAX_VALUE);

  /** When the first deferred URL is due; none: {@link Long#MAX_VALUE}. */
  long nextDue = Long.MIN_VALUE;

  /** How many links are kept outside of its frontier; not known yet: -1. */
  long outside = -1;

  DomainStatus status;
  JobStreak streak;

  /** As the row has them, once this holder has written them. */
  private @Nullable Standing standing;

  private int claimClass;

  HeldDomain(DomainName name, long id, long token, DomainStatus status, JobStreak streak) {
    this.name = name;
    this.id = id;
    this.token = token;
    this.status = status;
    this.streak = streak;
  }

  /** Whether the row says already where a domain in this state stands. */
  boolean stands(DomainState state) {
    return state.standing().equals(standing) && StateColumns.claimClass(state) == claimClass;
  }

  /** This is what the row has from now on. */
  public void written(DomainState state) {
    standing = state.standing();
    claimClass = StateColumns.claimClass(state);
    status = state.standing().status();
  }

  /** Something may stand before what was read ahead, so it is read again. */
  void lookAgain() {
    ahead.clear();
  }

  /** A URL entered at this place, whoever brought it. Any thread may say so. */
  void entered(int place) {
    earliest.accumulateAndGet(place, Math::min);
  }

  /** What was read ahead holds as long as all that entered since comes after it. */
  void heedArrivals() {
    int place = earliest.getAndSet(Integer.MAX_VALUE);
    if (!ahead.isEmpty() && place < ahead.getLast().place()) {
      lookAgain();
    }
  }
}
