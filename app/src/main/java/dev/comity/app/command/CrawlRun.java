package dev.comity.app.command;

import dev.comity.CrawlSession;
import dev.comity.app.monitor.CrawlCounts;
import dev.comity.app.monitor.CrawlMonitor;
import dev.comity.app.monitor.QueueCounter;
import dev.comity.app.monitor.RunBanner;
import dev.comity.app.monitor.RunSummary;
import dev.comity.app.output.OutputOptions;
import dev.comity.app.output.PageExport;
import dev.comity.app.output.PageLines;
import dev.comity.app.output.PageTable;
import dev.comity.app.output.PageTarget;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Screen;
import dev.comity.app.seeds.LeftOut;
import dev.comity.app.text.Words;
import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.fetch.ExchangeArchive;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunInUse;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Printable;
import dev.comity.store.KeptStore;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreSettings;
import dev.comity.store.fleet.Fleet;
import dev.comity.store.open.OpenStore;
import dev.comity.store.postgres.PostgresStore;
import dev.comity.store.report.PageFeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * One run of {@code comity crawl}, in a store or in memory, with its page output.
 *
 * @param archive keeps every exchange
 * @param frontier where the queues are
 * @param quiet whether pages and changes are not shown
 * @param again whether known pages of the start domains are asked again
 * @param afterword ends the summary
 * @param exit turns the crawl's exit code into that of the process
 */
record CrawlRun(
    CrawlProcess process,
    OutputOptions output,
    Optional<ExchangeArchive> archive,
    FrontierOption frontier,
    Screen screen,
    CrawlMonitor monitor,
    boolean quiet,
    boolean again,
    String afterword,
    IntUnaryOperator exit) {

  /** Runs it in memory: nothing is kept, and nothing that was kept is used. */
  int inMemory() throws InterruptedException {
    MemoryStore store = process.session().memoryStore();
    try (PageTarget pages = target()) {
      Run run = process.session().begin(store);
      process.addSeeds(store);
      Optional<CrawlListener> lines =
          output.out == null ? Optional.empty() : Optional.of(lines(pages));
      monitor.count(() -> QueueCounter.of(store.reports(), run.id()));
      return crawl(store, run, lines);
    }
  }

  /** Lines of JSON, or the rows of a table. */
  private CrawlListener lines(PageTarget pages) {
    return isTable() ? PageTable.open(out(), selected()) : new PageLines(pages.anew());
  }

  /** Runs it in a store that is kept. */
  int at(StoreLocation place) throws InterruptedException {
    CrawlSession session = process.session();
    StoreSettings settings = process.storeSettings().telling(this::storeTrouble);
    // The file first: a crawl that cannot write it begins or closes no run in the store.
    try (PageTarget pages = target();
        KeptStore store = OpenStore.at(place, settings);
        FrontierOption.OpenFrontier queues =
            frontier.open(store, store.checkpoints(), settings, this::redisTrouble)) {
      Run run = begun(store, place);
      if (!quiet) {
        screen.line(RunBanner.words(run, place.shown(), session.plan().purposes()));
      }
      if (!process.isRefresh()) {
        prepare(store);
      }
      process.openToWorkers(store);
      monitor.count(() -> QueueCounter.of(place, run.id()));
      if (output.out == null) {
        return crawl(queues.store(), run, Optional.empty());
      }
      if (isTable()) {
        int code = crawl(queues.store(), run, Optional.empty());
        try (PageFeed feed = PageFeed.open(place, run.id());
            PageTable table = PageTable.open(out(), selected())) {
          table.write(feed);
        }
        return code;
      }
      try (PageFeed feed = PageFeed.open(place, run.id());
          PageExport export = export(pages, feed, run)) {
        return crawl(queues.store(), run, Optional.of(export));
      }
    }
  }

  private Run begun(KeptStore store, StoreLocation place) {
    try {
      return process.begin(store, again);
    } catch (RunInUse inUse) {
      if (place instanceof ServerDatabase server && process.supersedes()) {
        Fleet.supersede(server, System.getProperty("user.name", "operator"));
        return process.begin(store, again);
      }
      throw inUse;
    }
  }

  /**
   * Joins a run that another process has begun, as one more worker.
   *
   * @return the exit code; empty if the run is over
   */
  OptionalInt joining(ServerDatabase server, long id, String name, Optional<CrawlListener> pages)
      throws InterruptedException {
    StoreSettings settings = process.storeSettings().named(name).telling(this::storeTrouble);
    try (PostgresStore store = OpenStore.worker(server, settings);
        FrontierOption.OpenFrontier queues =
            frontier.open(store, store.checkpoints(), settings, this::redisTrouble)) {
      Optional<Run> run = store.join(id);
      if (run.isEmpty()) {
        return OptionalInt.empty();
      }
      if (!quiet) {
        screen.line(
            RunBanner.words(run.get(), server.shown(), process.session().plan().purposes()));
      }
      monitor.count(() -> QueueCounter.of(server, id));
      return OptionalInt.of(crawl(queues.store(), run.get(), pages));
    }
  }

  private void prepare(KeptStore store) {
    Instant now = process.time().instant();
    Optional<String> list = process.takeList(store);
    if (list.isPresent()) {
      screen.line(list.get());
    } else {
      int known = process.session().confine(store);
      if (known > 0 && !quiet) {
        screen.line(Words.count(known, "known image") + " asked for their files.");
      }
      process.addSeeds(store);
    }
    Set<DomainName> domains = process.domains();
    if (again) {
      int urls = store.again(domains, isContentWanted(), now);
      screen.line(Words.count(urls, "URL") + " asked again.");
    }
    process.counts().setAside(store.setAside());
    LeftOut leftOut = new LeftOut(list.isPresent());
    List<String> damaged = new ArrayList<>();
    store.given(
        domains,
        given -> {
          leftOut.look(given.state(), given.paused(), given.domain(), now);
          given
              .damage()
              .map(
                  why ->
                      "%s is set aside as damaged: %s"
                          .formatted(given.domain(), Printable.text(why)))
              .ifPresent(damaged::add);
        });
    leftOut.words().forEach(screen::line);
    damaged.forEach(screen::line);
  }

  /** Whether an answer without a body would lack something that is to be kept. */
  private boolean isContentWanted() {
    CrawlSession session = process.session();
    return !session.keep().isNothing() || session.images().isPresent() || archive.isPresent();
  }

  private PageExport export(PageTarget pages, PageFeed feed, Run run) {
    long last = pages.resumeAfter(feed, run.continued());
    return new PageExport(feed, pages.onward(), last);
  }

  private PageTarget target() {
    if (isTable()) {
      PageTable.check(out());
    }
    return output.out == null || isTable() ? PageTarget.none() : PageTarget.open(out());
  }

  private boolean isTable() {
    return output.out != null && PageTable.isNamed(output.out);
  }

  private String out() {
    return String.valueOf(output.out);
  }

  private List<String> selected() {
    return List.copyOf(process.session().keep().fields().keySet());
  }

  private void storeTrouble(String words) {
    screen.line(
        words.isEmpty()
            ? "The store can be written to again. Going on."
            : "Nothing more is asked: " + words + ".");
  }

  private void redisTrouble(String words) {
    screen.line(
        words.isEmpty() ? "Redis answers again. Going on." : "Waiting for Redis: " + words + ".");
  }

  private int crawl(CrawlStore store, Run run, Optional<CrawlListener> lines)
      throws InterruptedException {
    CrawlCounts counts = process.counts();
    List<CrawlListener> listeners = new ArrayList<>(List.of(counts));
    lines.ifPresent(listeners::add);
    listeners.addAll(monitor.listeners(quiet));
    Instant began = process.time().instant();
    Crawl.End end =
        process.run(
            store,
            run,
            listeners,
            archive,
            crawl -> monitor.begins(crawl, counts, run, process.budgets()));
    Duration took = Duration.between(began, process.time().instant());
    String damaged = RunSummary.damaged(store);
    boolean nothing = counts.isIdle() && !damaged.isEmpty();
    int code = exit.applyAsInt(nothing ? Exit.FAILED : RunSummary.exit(end, counts, run.pages()));
    monitor.ended(
        end, counts, took, code, RunSummary.words(end, counts, took) + afterword + damaged);
    return code;
  }
}
