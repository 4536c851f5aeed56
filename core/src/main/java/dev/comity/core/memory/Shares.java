package dev.comity.core.memory;

import dev.comity.core.port.run.Portion;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What each worker may settle of a run's budget of pages, or of images. */
final class Shares {
  private final Map<String, Share> shares = new HashMap<>();

  /** One worker's part. */
  private static final class Share {
    private long limit;
    private long settled;
    private long unkept;

    private long unused() {
      return limit - Math.max(settled, unkept);
    }

    /** The worker uses no more. */
    private void leave() {
      limit = Math.max(settled, unkept);
    }
  }

  void clear() {
    shares.clear();
  }

  /** What an earlier process of this name drew, it can use no more. */
  void leave(String worker) {
    share(worker).leave();
  }

  /**
   * Draws a portion for a worker.
   *
   * @param most the whole budget
   * @param holders the workers that hold a domain; others can use nothing
   */
  Portion draw(String worker, long wanted, long most, Set<String> holders) {
    shares.forEach(
        (name, share) -> {
          if (!name.equals(worker) && !holders.contains(name)) {
            share.leave();
          }
        });
    Share share = share(worker);
    if (wanted > 0 && !holders.contains(worker)) {
      // It has used up what it knows of, and may have drawn more without hearing of it.
      share.leave();
    }
    if (wanted < 0) {
      long back = Math.min(-wanted, share.unused());
      share.limit -= back;
      return new Portion(-back, isSpent(most));
    }
    long granted = Math.min(wanted, Portion.size(left(most), holders.size()));
    share.limit += granted;
    return new Portion(granted, isSpent(most));
  }

  /** Whether this worker may settle so many more: what its portion lacks is drawn, if left. */
  boolean fits(String worker, long settled, long unkept, long most) {
    return lacks(share(worker), settled, unkept) <= left(most);
  }

  /** Counts what a worker settles. */
  void count(String worker, long settled, long unkept) {
    Share share = share(worker);
    share.limit += Math.max(0, lacks(share, settled, unkept));
    share.settled += settled;
    share.unkept += unkept;
  }

  private static long lacks(Share share, long settled, long unkept) {
    return Math.max(share.settled + settled, share.unkept + unkept) - share.limit;
  }

  private Share share(String worker) {
    return shares.computeIfAbsent(worker, _ -> new Share());
  }

  private long left(long most) {
    return most - shares.values().stream().mapToLong(share -> share.limit).sum();
  }

  private boolean isSpent(long most) {
    return left(most) <= 0 && shares.values().stream().allMatch(share -> share.unused() == 0);
  }
}
