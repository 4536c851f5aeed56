package dev.comity.store.postgres;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Written;
import dev.comity.core.schedule.NextLook;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.refresh.DomainLesson;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A write under a claim; many are written together. */
sealed interface FlushPiece {

  HeldDomain domain();

  /** Whether its caller waits, so that the domain's queue elsewhere is not written meanwhile. */
  default boolean isWaitedFor() {
    return !(this instanceof Outside || this instanceof Hinted);
  }

  /** What the piece has found. */
  default List<FoundUrl> found() {
    return List.of();
  }

  /**
   * URLs of the domain meet their fates.
   *
   * @param looks when each of them is looked at again, where it is
   * @param lesson what their visits have taught
   */
  record SettledPiece(
      HeldDomain domain,
      List<Settling> members,
      List<List<FoundUrl>> finds,
      List<Optional<NextLook>> looks,
      DomainLesson lesson)
      implements FlushPiece {
    @Override
    public List<FoundUrl> found() {
      return finds.stream().flatMap(List::stream).toList();
    }
  }

  /** A request that settled no URL. */
  record Noted(HeldDomain domain, Note note, List<FoundUrl> found) implements FlushPiece {}

  /** Links that the scope leaves out. */
  record Outside(HeldDomain domain, List<QueuedUrl> urls) implements FlushPiece {}

  /**
   * The site says of pages that they have changed.
   *
   * @param queued how many of them are visited at once, as the write says
   */
  record Hinted(HeldDomain domain, List<PageHint> hints, AtomicInteger queued)
      implements FlushPiece {}

  /** The domain is given back. */
  record Released(HeldDomain domain, DomainState state, Ending ending) implements FlushPiece {}

  /** Nothing is written; whether the claim is held is seen. */
  record Checked(HeldDomain domain) implements FlushPiece {}

  /**
   * What became of a piece.
   *
   * @param lost whether the claim was lost, so that nothing was written
   */
  record FlushResult(boolean lost, Written written) {
    static final FlushResult LOST = new FlushResult(true, Written.NOTHING);
    static final FlushResult DONE = new FlushResult(false, Written.NOTHING);
  }

  /** A URL that was taken from the frontier. */
  record TakenUrl(HeldDomain domain, long url) {}
}
