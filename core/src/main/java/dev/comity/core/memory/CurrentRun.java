package dev.comity.core.memory;

import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
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

  /** What each worker may settle of the run's pages. */
  private final Shares pageShares = new Shares();

  /** The same of its images. */
  private final Shares imageShares = new Shares();

  private long number;
  private long pages;
  private long unkept;
  private long images;

  /** Other domains that redirects of seeds lead to. */
  private final Set<DomainName> movedTo = new HashSet<>();

  /** Domains of {@link #movedTo} on which the redirects ended. */
  private final Set<DomainName> starts = new HashSet<>();

  long number() {
    return number;
  }

  /** Whether the run visits known pages that are due. */
  boolean isRefresh() {
    return terms.filter(RunTerms::isRefresh).isPresent();
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
      images = 0;
      pageShares.clear();
      imageShares.clear();
    } else if (!same) {
      domains.all().forEach(row -> row.openAgain(number));
    }
    boolean further = goesOn && terms.filter(old -> wanted.reachFurther(old.scope())).isPresent();
    int reread = further ? domains.askForLinks(wanted.seeds(), number) : 0;
    terms = Optional.of(wanted);
    open = true;
    pageShares.leave(worker);
    imageShares.leave(worker);
    return new Run(number, goesOn, pages, unkept, starts, superseded)
        .rereading(reread)
        .withImages(images);
  }

  private static boolean widens(RunTerms wanted, RunTerms earlier) {
    return !wanted.equals(earlier)
        && Set.copyOf(wanted.seeds()).equals(Set.copyOf(earlier.seeds()))
        && wanted.widen(
            earlier.scope(), earlier.maxPages(), earlier.maxPagesPerDomain(), earlier.maxImages());
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
    return pageShares.draw(worker, wanted, maxPages(), holders);
  }

  /** Draws images for a worker, in the same way. */
  Portion drawImages(String worker, long wanted, Set<String> holders) {
    return imageShares.draw(worker, wanted, maxImages(), holders);
  }

  /** Whether this worker may settle these: what its portions lack is drawn, if left. */
  boolean counts(String worker, List<Settlement> settlements) {
    long settled = settlements.stream().filter(Settlement::isPage).count();
    long notKept = settlements.stream().filter(Settlement::isUnkept).count();
    long kept = settlements.stream().filter(Settlement::isImage).count();
    boolean fits =
        pageShares.fits(worker, settled, notKept, maxPages())
            && (kept == 0 || imageShares.fits(worker, kept, 0, maxImages()));
    if (fits) {
      pageShares.count(worker, settled, notKept);
      imageShares.count(worker, kept, 0);
    }
    return fits;
  }

  private long maxPages() {
    return terms.map(RunTerms::maxPages).orElse(Long.MAX_VALUE);
  }

  /** What has to be done before the run is finished. */
  Wanted wanted() {
    return maxImages() == 0 ? Wanted.PAGES : Wanted.ANY;
  }

  private long maxImages() {
    return terms.map(RunTerms::maxImages).orElse(Long.MAX_VALUE);
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
    images += settlement.isImage() ? 1 : 0;
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
