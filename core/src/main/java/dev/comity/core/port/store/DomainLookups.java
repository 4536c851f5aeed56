package dev.comity.core.port.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a crawl reads of domains, claimed or not. Thread-safe. */
public interface DomainLookups {

  /** The last known state of a domain. */
  Optional<DomainState> state(DomainName domain);

  /**
   * The domains of the run that are quarantined because their stored data cannot be read, up to the
   * limit.
   */
  default List<String> damaged(int limit) {
    return List.of();
  }

  /** The statistics of the templates of a domain's URLs. */
  List<TemplateStats> templates(DomainName domain);

  /** The last copy of an authority's robots.txt, however old. */
  Optional<RobotsCopy> robots(Authority authority);

  /** The last copy of an authority's tdmrep.json, however old. */
  Optional<RobotsCopy> tdmRep(Authority authority);

  /** When a request to this domain last started, according to the log. */
  Optional<Instant> lastStart(DomainName domain);

  /** When a request for a URL of this source last started, or took its turn. */
  Optional<Instant> lastStartOfSource(String source);
}
