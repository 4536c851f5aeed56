package dev.comity.store.postgres;

import dev.comity.core.port.store.ClaimLost;
import dev.comity.store.StoreSettings;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.AuditSignal;
import dev.comity.store.postgres.connect.OutageWait;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.ReadSessions;
import dev.comity.store.postgres.rows.SightedImages;
import dev.comity.store.postgres.rows.SourcePaces;
import java.util.function.Function;

/** The parts of one worker's store, put together and started. */
final class PostgresParts {
  private static final int HINTS = 1 << 16;

  final PostgresDatabase database;
  final StoreSettings settings;
  final ReadSessions reading;
  final AuditSignal signal;
  final RunRows runs;
  final StoreWorker worker;
  final FlushWriter writer;
  final FrontierInserts inserts;
  final RunOutlook outlook;
  final ClaimGrants claims;
  final FleetSweep sweep;
  final IntakeRows intake;
  final HeldFrontier held;
  final SourcePaces sources;
  final SightedImages images;

  PostgresParts(PostgresDatabase database, StoreSettings settings) {
    this.database = database;
    this.settings = settings;
    Priorities priorities = new Priorities();
    DomainIds ids = new DomainIds(priorities);
    reading = new ReadSessions(database, new OutageWait(settings.trouble()));
    signal = new AuditSignal(reading, database.clock().isEmpty());
    runs = new RunRows(settings.policy().minimumInterval(), ids);
    outlook = new RunOutlook(runs);
    images = new SightedImages(settings.grouping()::domainOf, runs::isRefresh);
    sources = new SourcePaces(settings.policy().minimumInterval());
    inserts =
        new FrontierInserts(
            ids, new SeenHints(HINTS), settings.limits(), settings.grouping()::domainOf);
    claims = new ClaimGrants(settings.policy(), ids, runs, settings.limits());
    sweep = new FleetSweep(settings.policy(), settings.limits());
    worker = new StoreWorker(database, reading.outage(), settings, runs, this::dropAll);
    held = new HeldFrontier(settings.limits(), reading, this::taken, this::setAside);
    Flush flush =
        new Flush(
            inserts,
            new FlushedReleases(settings.policy(), priorities, runs, sources),
            new OutsideRows(inserts, settings.limits().maxUnfinished()),
            images,
            runs);
    writer = new FlushWriter(worker.flushing, worker::id, flush, held::size, held::dropAll);
    intake = new IntakeRows(worker.intake, reading, inserts, sweep, priorities, settings, held);
    worker.join();
  }

  /** Writes with the lane for claims. */
  <T> T claiming(Function<PostgresSession, T> work) {
    return worker.rejoining(() -> worker.claiming.write(work));
  }

  private void dropAll() {
    held.dropAll();
  }

  private void taken(FlushPiece.TakenUrl one) {
    writer.taken(one);
  }

  /** Sets a domain aside whose rows cannot be read, if it is still held. */
  ClaimLost setAside(HeldDomain domain, String reason) {
    claiming(
        tx -> {
          if (ClaimGrants.isHeld(tx, domain, worker.id())) {
            FleetSweep.setAside(tx, domain.id, reason);
          }
          return true;
        });
    held.drop(domain);
    return new ClaimLost(domain.name, domain.token, reason);
  }
}
