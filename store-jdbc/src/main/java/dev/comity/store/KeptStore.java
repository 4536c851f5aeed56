package dev.comity.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/** The store of a crawl that outlives its process: in a data directory or on a server. */
public interface KeptStore extends CrawlStore, AutoCloseable {

  /**
   * What is stored of a domain that a crawl was given.
   *
   * @param state empty where it cannot be read
   * @param paused whether the operator has paused it
   * @param damage why it is set aside, where it is
   */
  record GivenDomain(
      DomainName domain, Optional<DomainState> state, boolean paused, Optional<String> damage) {}

  /** Keeps the run to these domains: others that have work left are not claimed in it. */
  void confine(Collection<DomainName> domains);

  /**
   * Requeues images that pages of these domains show, where only their rows are kept; returns how
   * many. Called before the run is confined.
   */
  int askForFiles(Collection<DomainName> sources, Instant now);

  /**
   * Requeues all known URLs of these domains, where they are exhausted; returns how many.
   *
   * @param whole whether their content is wanted, changed or not
   */
  int again(Collection<DomainName> domains, boolean whole, Instant now);

  /** Reads what is stored of each of these domains, in their order. */
  void given(Collection<DomainName> domains, Consumer<GivenDomain> each);

  /** How many URLs of the run's domains are set aside, since processes died while asking them. */
  long setAside();

  /** What it keeps of queues that lie outside of it. */
  QueueCheckpoints checkpoints();

  /**
   * Lets other workers join the run, which is prepared. A data directory has none.
   *
   * @param settings of the run, which they take over
   */
  default void openToWorkers(String settings) {}

  @Override
  void close();
}
