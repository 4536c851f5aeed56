package dev.comity.store.crawl;

import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Portion;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Begins and ends a run, and decides which domains it has. Any thread may call it. */
public final class RunControl {
  private final StoreSettings settings;
  private final Statements writing;
  private final GroupWriter writer;
  private final Runs runs;
  private final Revisits revisits;

  public RunControl(
      StoreSettings settings,
      Statements writing,
      GroupWriter writer,
      Runs runs,
      FrontierWriter urls) {
    this.settings = settings;
    this.writing = writing;
    this.writer = writer;
    this.runs = runs;
    revisits = new Revisits(writing, settings.policy(), urls);
  }

  /** Known pages of a domain are asked for their links. In the writer's thread. */
  public void readLinksAgain(DomainName domain, long now) {
    revisits.links(List.of(domain), now);
  }

  /**
   * Joins or begins a run for this worker.
   *
   * @param time by the store's clock
   */
  public Run begin(RunTerms terms, String worker, Instant now, long time) {
    long at = now.toEpochMilli();
    return writer.write(
        () -> {
          Run run = runs.begin(terms, () -> isHeldByOthers(worker, time), at);
          if (workers() == 1) {
            runs.freeAllotted();
          }
          // In this transaction, so that a crash loses no page that is to be asked for links.
          return runs.reachesFurther() ? run.rereading(revisits.links(reached(terms), at)) : run;
        });
  }

  private Set<DomainName> reached(RunTerms terms) {
    Set<DomainName> reached = new TreeSet<>(Comparator.comparing(DomainName::name));
    terms.seeds().forEach(seed -> reached.add(settings.grouping().domainOf(seed)));
    reached.addAll(runs.domains());
    return reached;
  }

  /** Workers of this directory that are up, this one among them. */
  private int workers() {
    return (int) writing.number("SELECT count(*) FROM workers WHERE ended_at IS NULL");
  }

  /** Ends the run if nothing is left of it. Runs in the writer's thread. */
  public boolean end(RunEnding ending, Instant now, long at) {
    // Images that an earlier run has left are no work of a run that collects none.
    boolean onlyPages =
        writing.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND max_images = 0", runs.id());
    Outlook outlook = outlook(now, at, onlyPages ? Wanted.PAGES : Wanted.ANY);
    boolean idle =
        ending == RunEnding.FINISHED
            ? outlook instanceof Outlook.Nothing
            : !(outlook instanceof Outlook.Others);
    return runs.end(ending, idle, now.toEpochMilli());
  }

  /**
   * What a worker without a claim can expect. Runs in the writer's thread, after expired claims
   * were ended.
   */
  public Outlook outlook(Instant now, long at, Wanted wanted) {
    return Lookups.outlook(writing, now, at, wanted);
  }

  public Portion draw(String worker, long pages) {
    return writer.write(() -> runs.draw(pages, workers(), isHeldByOthers(worker, 0)));
  }

  public Portion drawImages(String worker, long images) {
    return writer.write(() -> runs.drawImages(images, workers(), isHeldByOthers(worker, 0)));
  }

  /** Whether another worker holds a domain with a lease that ends after this time. */
  private boolean isHeldByOthers(String worker, long time) {
    return writing.exists(
        """
        SELECT 1 FROM domains INDEXED BY domains_claims
        WHERE claimed_by IS NOT NULL AND claimed_by <> ? AND claim_expires_at > ?
        """,
        worker,
        time);
  }

  public void confine(Collection<DomainName> domains, long now) {
    writer.run(() -> new RunScope(writing).confine(runs.id(), domains, now));
  }

  /** Asks for the files of images that are known without them. */
  public int files(Collection<DomainName> sources, Instant now) {
    return writer.write(() -> revisits.files(runs.id(), sources, now.toEpochMilli()));
  }

  /** Makes all that is known of these domains due again; returns how many URLs. */
  public int again(Collection<DomainName> domains, boolean whole, Instant now) {
    return domains.stream()
        .mapToInt(domain -> writer.write(() -> revisits.again(domain, whole, now.toEpochMilli())))
        .sum();
  }
}
