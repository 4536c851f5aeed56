package dev.comity.store.sqlite;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.crawl.Claims;
import dev.comity.store.crawl.DomainRows;
import dev.comity.store.crawl.FrontierWriter;
import dev.comity.store.crawl.HeldDomains;
import dev.comity.store.crawl.Lookups;
import dev.comity.store.crawl.Notes;
import dev.comity.store.crawl.OutsideUrls;
import dev.comity.store.crawl.ReadAhead;
import dev.comity.store.crawl.RunControl;
import dev.comity.store.crawl.Runs;
import dev.comity.store.crawl.SeenHints;
import dev.comity.store.crawl.Settlements;
import dev.comity.store.crawl.Sweep;
import dev.comity.store.image.ImageRows;
import dev.comity.store.order.ClaimOrder;
import dev.comity.store.order.Priorities;
import dev.comity.store.source.SourceRows;
import dev.comity.store.source.UrlOffers;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.Statements;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The parts of one handle on a store, put together and started. */
final class SqliteParts {
  private static final int HINTS = 1 << 18;

  final StoreSettings settings;
  final SqliteConnections connections;
  final String worker;
  final Runs runs;
  final RunControl runControl;
  final Claims claims;
  final Sweep sweep;
  final ClaimOrder order;
  final Settlements settlements;
  final Notes notes;
  final Lookups lookups;
  final HeldDomains held;
  final FrontierWriter urls;
  final OutsideUrls outside;
  final ImageRows images;
  final SourceRows sources;
  final UrlOffers offers;

  SqliteParts(
      DataDirectory directory, StoreSettings settings, Supplier<ToLongFunction<CrawlUrl>> keys) {
    this.settings = settings;
    worker = settings.worker() + "-" + UUID.randomUUID();
    connections = new SqliteConnections(directory, settings.trouble());
    GroupWriter writer = connections.writer;
    Statements writing = connections.writing;
    ReaderThread reader = connections.reader;
    lookups = new Lookups(reader);
    held =
        new HeldDomains(
            settings,
            worker,
            writing,
            writer,
            reader,
            new ReadAhead(connections.reading),
            connections.operators);
    runs = new Runs(writing, settings.policy().minimumInterval());
    Priorities priorities = new Priorities();
    DomainRows rows = new DomainRows(writing, settings.policy(), priorities);
    urls =
        new FrontierWriter(
            writing,
            rows,
            new SeenHints(HINTS),
            settings.limits(),
            settings.grouping()::domainOf,
            keys);
    claims =
        new Claims(writing, settings.policy(), urls, runs, priorities, worker, settings.limits());
    order = new ClaimOrder(writing, writer, reader, priorities, worker);
    outside =
        new OutsideUrls(writing, writer, reader, urls, held, settings.limits().maxUnfinished());
    runControl = new RunControl(settings, writing, writer, runs, urls);
    sweep = new Sweep(writing, settings.policy(), urls, runs);
    images = new ImageRows(writing, urls::find, url -> keys.get().applyAsLong(url));
    settlements = new Settlements(writing, runs, urls, rows, images, settings.limits().refresh());
    notes = new Notes(writing, urls, settlements);
    sources = new SourceRows(writing, settings.policy().minimumInterval());
    offers = new UrlOffers(writing, settings, urls::find, urls::enter);
    connections.start(List.of(urls, settlements, held), held::size);
  }
}
