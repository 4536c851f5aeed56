package dev.comity.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Domains at one address.
 *
 * @param domains how many there are
 * @param apart the limit that each has for itself; empty if they share one
 * @param known whether the crawl knows that they are neighbours, and may give them one budget
 */
record SimCrowd(int domains, Optional<IntFunction<SimServer>> apart, boolean known) {
  /** A single domain. */
  static final SimCrowd ALONE = new SimCrowd(1, Optional.empty(), false);

  /** So many that share one limit. */
  static SimCrowd sharing(int domains) {
    return new SimCrowd(domains, Optional.empty(), true);
  }

  /** So many with a limit each. */
  static SimCrowd apart(int domains, IntFunction<SimServer> limit) {
    return new SimCrowd(domains, Optional.of(limit), true);
  }

  /** The same, and the crawl does not know that they are neighbours. */
  SimCrowd unknown() {
    return new SimCrowd(domains, apart, false);
  }

  /** The server of each domain. */
  List<SimServer> servers(Supplier<SimServer> shared) {
    List<SimServer> servers = new ArrayList<>();
    SimServer one = shared.get();
    for (int i = 0; i < domains; i++) {
      servers.add(apart.isPresent() ? apart.get().apply(i) : one);
    }
    return servers;
  }
}
