package dev.comity.core.port.queue;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import java.util.List;
import java.util.Optional;

/** What a store keeps of queues that lie outside of it. Thread-safe. */
public interface QueueCheckpoints {

  /** Where the queues are: an address without a password; empty while they are in the store. */
  Optional<QueueHome> home();

  /** Sets where the queues are; empty for the store itself. */
  void moveTo(Optional<QueueHome> home);

  /** Refuses while other workers are on, which would go on with queues where they were. */
  default void requireAlone() {}

  /** The last checkpoint of a claimed domain. */
  Optional<QueueCheckpoint> last(Claim claim);

  /** Keeps a checkpoint. It is durable when the claim's next write is. */
  void keep(Claim claim, QueueCheckpoint checkpoint);

  /**
   * The queue of a claimed domain was lost. Its known pages are asked once more for their links,
   * and the audit says why.
   *
   * @param fresh the queue that takes its place
   * @return how many pages are asked again
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  int readAgain(Claim claim, QueueCheckpoint fresh, String reason);

  /** Every queue that lies outside, of claimed domains and others. */
  List<OutsideQueue> queues();

  /**
   * The store has all URLs of a queue from now on.
   *
   * @param lost whether URLs of it were lost: known pages are then asked for their links
   */
  void forget(DomainName domain, boolean lost);

  /**
   * The queue outside has URLs now that were taken under a claim and not asked. The store forgets
   * them.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  void handOver(Claim claim, List<QueuedUrl> urls, QueueCheckpoint checkpoint);

  /**
   * A queue outside of the store.
   *
   * @param token of the domain's last claim
   */
  record OutsideQueue(DomainName domain, long token, QueueCheckpoint checkpoint) {}
}
