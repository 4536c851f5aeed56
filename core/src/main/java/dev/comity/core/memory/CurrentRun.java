package dev.comity.core.memory;

import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.core.port.store.RunTerms;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The latest run of a store: its terms, its counts, and the domains that its seeds moved to. */
final class CurrentRun {
  private Optional<RunTerms> terms = Optional.empty();

  /** Whether a process may continue the run on the same terms. */
  private boolean open;

  private long number;
  private long pages;
  private long unkept;

  /** Other domains that redirects of seeds lead to. */
  private final Set<DomainName> movedTo = new HashSet<>();

  /** Domains of {@link #movedTo} on which the redirects ended. */
  private final Set<DomainName> starts = new HashSet<>();

  long number() {
    return number;
  }

  /** Begins a run on these terms, or continues the latest one if they are the same or wider. */
  Run begin(RunTerms wanted, DomainTable domains) {
    boolean same = open && terms.equals(Optional.of(wanted));
    boolean goesOn = same || terms.filter(earlier -> widens(wanted, earlier)).isPresent();
    OptionalLong superseded = goesOn || !open ? OptionalLong.empty() : OptionalLong.of(number);
    if (!goesOn) {
      number++;
      pages = 0;
      unkept = 0;
      movedTo.clear();
      starts.clear();
    } else if (!same) {
      domains.all().forEach(row -> row.openAgain(number));
    }
    boolean further = goesOn && terms.filter(old -> wanted.reachFurther(old.scope())).isPresent();
    int reread = further ? domains.askForLinks(wanted.seeds(), number) : 0;
    terms = Optional.of(wanted);
    open = true;
    return new Run(number, goesOn, pages, unkept, starts, superseded).rereading(reread);
  }

  private static boolean widens(RunTerms wanted, RunTerms earlier) {
    return !wanted.equals(earlier)
        && Set.copyOf(wanted.seeds()).equals(Set.copyOf(earlier.seeds()))
        && wanted.widen(earlier.scope(), earlier.maxPages(), earlier.maxPagesPerDomain());
  }

  void end(RunEnding ending) {
    open = !ending.ended();
  }

  /**
   * Counts a settlement.
   *
   * @param domain the domain of its URL
   * @param targets the domains of the URLs it found, if it is a redirect of a seed
   */
  void settled(DomainName domain, Settlement settlement, List<DomainName> targets) {
    pages += settlement.isPage() ? 1 : 0;
    unkept += settlement.isUnkept() ? 1 : 0;
    for (DomainName target : targets) {
      if (!target.equals(domain)) {
        movedTo.add(target);
      }
    }
    if (settlement.endsMove() && movedTo.contains(domain)) {
      starts.add(domain);
    }
  }
}
