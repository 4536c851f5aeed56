package dev.comity.core.memory;

import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The latest run of a store: its terms, its counts, and the domains that its seeds moved to. */
final class CurrentRun {
  private Optional<RunTerms> terms = Optional.empty();

  /** Whether a process may continue the run on the same terms. */
  private boolean open;

  /** What each worker may settle of the run's pages. */
  private final Map<String, Share> shares = new HashMap<>();

  private long number;
  private long pages;
  private long unkept;

  /** Other domains that redirects of seeds lead to. */
  private final Set<DomainName> movedTo = new HashSet<>();

  /** Domains of {@link #movedTo} on which the redirects ended. */
  private final Set<DomainName> starts = new HashSet<>();

  /** One worker's part of the run's pages. */
  private static final class Share {
    private long limit;
    private long settled;
    private long unkept;

    private long unused() {
      return limit - Math.max(settled, unkept);
    }

    /** The worker uses no further page. */
    private void leave() {
      limit = Math.max(settled, unkept);
    }
  }

  long number() {
    return number;
  }

  long pages() {
    return pages;
  }

  /** Begins a run on these terms, or continues the latest one if they are the same or wider. */
  Run begin(RunTerms wanted, String worker, Tables tables) {
    DomainTable domains = tables.domains;
    boolean same = open && terms.equals(Optional.of(wanted));
    boolean goesOn = same || terms.filter(earlier -> widens(wanted, earlier)).isPresent();
    OptionalLong superseded = goesOn || !open ? OptionalLong.empty() : OptionalLong.of(number);
    if (superseded.isPresent() && tables.isHeldByOthers(worker)) {
      throw new RunInUse(number);
    }
    if (!goesOn) {
      number++;
      pages = 0;
      unkept = 0;
      movedTo.clear();
      starts.clear();
      shares.clear();
    } else if (!same) {
      domains.all().forEach(row -> row.openAgain(number));
    }
    boolean further = goesOn && terms.filter(old -> wanted.reachFurther(old.scope())).isPresent();
    int reread = further ? domains.askForLinks(wanted.seeds(), number) : 0;
    terms = Optional.of(wanted);
    open = true;
    // What an earlier process of this name drew, it can use no more.
    share(worker).leave();
    return new Run(number, goesOn, pages, unkept, starts, superseded).rereading(reread);
  }

  private static boolean widens(RunTerms wanted, RunTerms earlier) {
    return !wanted.equals(earlier)
        && Set.copyOf(wanted.seeds()).equals(Set.copyOf(earlier.seeds()))
        && wanted.widen(earlier.scope(), earlier.maxPages(), earlier.maxPagesPerDomain());
  }

  /**
   * Ends the run, if its work is over and that is its end; answers whether it is over.
   *
   * @param idle whether nothing is left to do for any worker
   */
  boolean end(RunEnding ending, boolean idle) {
    if (ending.ended() && idle) {
      open = false;
    }
    return !open;
  }

  /**
   * Draws pages for a worker.
   *
   * @param holders the workers that hold a domain; others can use no page
   */
  Portion draw(String worker, long wanted, Set<String> holders) {
    shares.forEach(
        (name, share) -> {
          if (!name.equals(worker) && !holders.contains(name)) {
            share.leave();
          }
        });
    Share share = share(worker);
    if (wanted > 0 && !holders.contains(worker)) {
      // It has used up what it knows of, and may have drawn pages without hearing of it.
      share.leave();
    }
    if (wanted < 0) {
      long back = Math.min(-wanted, share.unused());
      share.limit -= back;
      return new Portion(-back, isSpent());
    }
    long granted = Math.min(wanted, Portion.size(left(), holders.size()));
    share.limit += granted;
    return new Portion(granted, isSpent());
  }

  /** Whether this worker may settle these: pages that its portion lacks are drawn, if left. */
  boolean counts(String worker, List<Settlement> settlements) {
    Share share = share(worker);
    long settled = share.settled + settlements.stream().filter(Settlement::isPage).count();
    long notKept = share.unkept + settlements.stream().filter(Settlement::isUnkept).count();
    long lacks = Math.max(settled, notKept) - share.limit;
    if (lacks > left()) {
      return false;
    }
    share.limit += Math.max(0, lacks);
    share.settled = settled;
    share.unkept = notKept;
    return true;
  }

  private Share share(String worker) {
    return shares.computeIfAbsent(worker, _ -> new Share());
  }

  private long left() {
    long drawn = shares.values().stream().mapToLong(share -> share.limit).sum();
    return terms.map(RunTerms::maxPages).orElse(Long.MAX_VALUE) - drawn;
  }

  private boolean isSpent() {
    return left() <= 0 && shares.values().stream().allMatch(share -> share.unused() == 0);
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
