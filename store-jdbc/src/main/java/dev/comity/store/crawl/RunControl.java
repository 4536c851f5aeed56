package dev.comity.store.crawl;

import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.core.port.store.RunTerms;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
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

  public Run begin(RunTerms terms, Instant now) {
    long at = now.toEpochMilli();
    return writer.write(
        () -> {
          Run run = runs.begin(terms, at);
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

  public void end(RunEnding ending, Instant now) {
    writer.run(() -> runs.end(ending, now.toEpochMilli()));
  }

  public void confine(Collection<DomainName> domains, long now) {
    writer.run(() -> new RunScope(writing).confine(runs.id(), domains, now));
  }

  public int again(Collection<DomainName> domains, Instant now) {
    return domains.stream()
        .mapToInt(domain -> writer.write(() -> revisits.again(domain, now.toEpochMilli())))
        .sum();
  }
}
