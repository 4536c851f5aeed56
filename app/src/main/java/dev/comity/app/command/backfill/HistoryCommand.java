package dev.comity.app.command.backfill;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreSettings;
import dev.comity.store.backfill.Backfill;
import dev.comity.store.backfill.DirectoryHistory;
import dev.comity.store.backfill.HistoryStore;
import dev.comity.store.backfill.LeftOutRows;
import dev.comity.store.backfill.PastRows;
import dev.comity.store.backfill.PastUnreadable;
import dev.comity.store.backfill.PostgresHistory;
import dev.comity.store.backfill.StagedHistory;
import dev.comity.store.backfill.StoredHistory;
import dev.comity.store.postgres.connect.PostgresDatabase;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that takes over what another program crawled. */
abstract class HistoryCommand extends DataCommand {
  private static final long SECOND = 1_000_000_000L;

  /** Fewer are written before a reader has read how many. */
  private static final long DOMAINS = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--dry-run",
      description = "Read everything and say what would be new. Nothing is written.")
  private boolean dry;

  @Option(
      names = "--strip-subdomains",
      description = "Treat all hosts under one registered name as one domain.")
  private boolean stripSubdomains;

  private long said = System.nanoTime();

  /** Reads all that was named. */
  abstract void read(PastRows rows);

  /** What new domains came from. */
  abstract String origin();

  /** Whether most requests of a domain that failed close it. */
  boolean closesDomains() {
    return true;
  }

  @Override
  protected final int answer(DataOption data) {
    Grouping grouping = stripSubdomains ? Grouping.BY_REGISTRABLE_DOMAIN : Grouping.BY_HOST;
    LeftOutRows leftOut = new LeftOutRows();
    try (StagedHistory staged = StagedHistory.make()) {
      PastRows rows =
          new PastRows(
              staged, grouping, leftOut, read -> progress(read, "rows read"), Instant.now());
      read(rows);
      if (rows.read() == leftOut.count()) {
        leftOut.lines().forEach(err()::println);
        throw new WrongSetting("there is no row that could be used");
      }
      Backfill backfill = new Backfill(staged, origin(), closesDomains());
      Backfill.BackfillResult done = dry ? look(backfill, data) : write(backfill, data, grouping);
      try (StoredHistory after = StoredHistory.open(data.place())) {
        HistoryReport report =
            new HistoryReport(
                rows.read(), leftOut, staged.extent(), done, after.coverage(origins()), dry);
        leftOut.lines().forEach(err()::println);
        if (inJson()) {
          say(report.fields());
        } else {
          say(report.lines());
        }
      }
    } catch (PastUnreadable unreadable) {
      throw new WrongSetting(String.valueOf(unreadable.getMessage()));
    } finally {
      err().flush();
    }
    return leftOut.count() > 0 ? Exit.BAD_LINES : Exit.DONE;
  }

  private static Backfill.BackfillResult look(Backfill backfill, DataOption data) {
    try (StoredHistory store = StoredHistory.open(data.place())) {
      return backfill.look(store);
    }
  }

  private Backfill.BackfillResult write(Backfill backfill, DataOption data, Grouping grouping) {
    try (HistoryStore store = store(data, settings(grouping))) {
      return backfill.write(store, this::written);
    }
  }

  /** A backfill has one origin, an import another for each crawler. */
  private String origins() {
    return origin().substring(0, origin().indexOf('_'));
  }

  private static HistoryStore store(DataOption data, StoreSettings settings) {
    return switch (data.place()) {
      case DataDirectory directory -> DirectoryHistory.open(directory, settings);
      case ServerDatabase server -> PostgresHistory.open(PostgresDatabase.at(server), settings);
    };
  }

  private StoreSettings settings(Grouping grouping) {
    Settings crawl = settings();
    return StoreSettings.of(new DomainPolicy(crawl.policy()), grouping, Clock.systemUTC())
        .with(crawl.storeLimits());
  }

  private void written(long domains) {
    if (domains % DOMAINS == 0) {
      progress(domains, "domains written");
    }
  }

  /** A line a second at most, on standard error. */
  private void progress(long count, String what) {
    if (System.nanoTime() - said > SECOND) {
      said = System.nanoTime();
      err().println("%d %s".formatted(count, what));
      err().flush();
    }
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
