package dev.comity.app.command;

import dev.comity.CrawlSession;
import dev.comity.CrawlSession.ImageCollection;
import dev.comity.SeedCheck;
import dev.comity.app.monitor.CrawlMonitor;
import dev.comity.app.monitor.MonitorOptions;
import dev.comity.app.output.ArchiveOption;
import dev.comity.app.output.ContentOptions;
import dev.comity.app.output.PageLines;
import dev.comity.app.output.PageTarget;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.ErrorLine;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Screen;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.EgressOptions;
import dev.comity.app.settings.FeatureFlags;
import dev.comity.app.settings.FineOptions;
import dev.comity.app.settings.RunSettings;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.engine.Crawl;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.store.ServerDatabase;
import dev.comity.store.fleet.JoinableRun;
import dev.comity.store.open.OpenStore;
import dev.comity.store.report.StoreReader;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Leave;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comity worker}: one more worker on the open run of a database. */
@Command(
    name = "worker",
    description = {
      "Work on the open run of a PostgreSQL database, beside other workers.",
      "",
      "`comity crawl --db URL` begins a run, and so do fetch and refresh. A worker takes scope,"
          + " budgets, pace and contact from it, and waits for a run where there is none. It may"
          + " come and go at any time."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:with --once: the run is done, or there is none; drained; its time is up",
      "1:the crawl could not go on",
      "2:invalid command line",
      "5:the database cannot be used: it cannot be reached, or is of another version",
      "130, 143:stopped by Ctrl-C or SIGTERM; said twice, at once"
    })
public final class WorkerCommand implements Callable<Integer> {
  /** How soon a run is noticed that another process begins. */
  private static final long LOOK_AGAIN_SECONDS = 2;

  @Spec private CommandSpec spec;

  @Mixin private DataOption data = new DataOption();
  @Mixin private EgressOptions egress = new EgressOptions();
  @Mixin private MonitorOptions monitorOptions = new MonitorOptions();
  @Mixin private FineOptions fine = new FineOptions();
  @Mixin private ArchiveOption archive = new ArchiveOption();
  @Mixin private FrontierOption frontier = new FrontierOption();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "What this worker is called in `comity workers` (default: worker).")
  private String name = "worker";

  @Option(
      names = "--once",
      description = "End with the run, or at once where there is none, in place of waiting.")
  private boolean once;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write the pages that this worker settles as lines of JSON to this file, after what is"
              + " there; - for standard output.")
  private @Nullable String out;

  @Option(
      names = "--json",
      description =
          "Write progress every second and a summary at the end as lines of JSON to standard"
              + " output, or to standard error with --out -.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live view, only the summary.")
  private boolean quiet;

  /** The switches that are off. */
  private List<String> off = List.of();

  @Override
  public Integer call() throws InterruptedException {
    Configuration told = Configuration.ofWorker(spec);
    told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
    try {
      monitorOptions.answerInJson(json);
      monitorOptions.check();
      DataCommand.name(name);
      off = Configuration.requireFlags(spec, FeatureFlags.Work.WORKER, data.server().isPresent());
      ServerDatabase server =
          data.server()
              .orElseThrow(
                  () ->
                      new WrongSetting(
                          "db is not set: name the database of the run with --db"
                              + " postgresql://user@host:5432/name, or in COMITY_DB"));
      OpenStore.upgrade(server);
      try (PageTarget pages = out == null ? PageTarget.none() : PageTarget.open(out)) {
        return work(server, told, lines(pages));
      }
    } catch (WrongSetting wrong) {
      throw told.located(wrong);
    }
  }

  private Optional<CrawlListener> lines(PageTarget pages) {
    return out == null ? Optional.empty() : Optional.of(new PageLines(pages.atEnd()));
  }

  /** Works on one run after the other. */
  private int work(ServerDatabase server, Configuration told, Optional<CrawlListener> pages)
      throws InterruptedException {
    boolean waits = false;
    while (true) {
      Optional<JoinableRun> run = JoinableRun.find(server);
      if (run.isPresent()) {
        waits = false;
        Worked worked = new JoinedRun(run.get(), server, told).work(pages);
        if (worked.isLast() || once || worked.code() == Exit.FAILED) {
          return worked.code();
        }
      } else if (once) {
        say("No run is open in " + server.shown() + ".");
        return Exit.DONE;
      } else if (!waits) {
        waits = true;
        say("No run is open in " + server.shown() + ". Waiting for one.");
      }
      TimeUnit.SECONDS.sleep(LOOK_AGAIN_SECONDS);
    }
  }

  private void say(String words) {
    if (!quiet) {
      spec.commandLine().getErr().println(words);
      spec.commandLine().getErr().flush();
    }
  }

  /**
   * What came of working on a run.
   *
   * @param isLast whether this worker was told to stop
   */
  private record Worked(int code, boolean isLast) {}

  /** One run, with the settings it has and those of this worker. */
  private final class JoinedRun {
    private final JoinableRun run;
    private final ServerDatabase server;
    private final Configuration told;
    private final SettingOptions options = new SettingOptions();
    private final ContentOptions content = new ContentOptions();
    private final ImageOptions imageOptions = new ImageOptions();

    JoinedRun(JoinableRun run, ServerDatabase server, Configuration own) {
      this.run = run;
      this.server = server;
      RunSettings settings = RunSettings.read(run.settings());
      told = own.joining(run.id(), settings);
      options.fine = fine;
      options.egress = egress;
      options.monitorOptions = monitorOptions;
      options.data = data;
      options.output.out = out;
      settings.fill(
          List.of(
              spec,
              CommandSpec.forAnnotatedObject(options.crawl),
              CommandSpec.forAnnotatedObject(options.output),
              CommandSpec.forAnnotatedObject(options.seeds),
              CommandSpec.forAnnotatedObject(content),
              CommandSpec.forAnnotatedObject(imageOptions)),
          run.id());
    }

    Worked work(Optional<CrawlListener> pages) throws InterruptedException {
      Settings settings = settings();
      SharedImages.require(settings.images(), data, told);
      AddressGuard guard =
          new AddressGuard(
              CrawlSession.names(), settings.contact().isPresent(), egress.overrides());
      try (CrawlProcess process =
          CrawlProcess.ofRun(
              settings,
              run,
              seeds(settings.reach().grouping()),
              guard,
              egress.egress(),
              content.terms(options.output.text),
              content.accepted(),
              ImageCollection.of(settings.images(), data.directory(), imageOptions.isHashed()))) {
        recall(process.domains(), guard);
        OptionalInt code = watched(process.without(off), pages);
        boolean last =
            EndSignals.heard().isPresent()
                || process
                    .end()
                    .filter(
                        end ->
                            end instanceof Crawl.End.Stopped || end instanceof Crawl.End.OutOfTime)
                    .isPresent();
        return new Worked(code.orElse(Exit.DONE), last);
      }
    }

    /** A run of a list has had its budgets set for lists by the command that began it. */
    private Settings settings() {
      Settings settings = imageOptions.applied(options.settings(told));
      return run.list().isPresent() ? settings.forList(true, true) : settings;
    }

    private List<Seed> seeds(Grouping grouping) {
      if (run.refreshed().isPresent()) {
        try (StoreReader reader = StoreReader.open(server)) {
          return RefreshCommand.seeds(reader, run.refreshed().get(), grouping);
        }
      }
      return run.seeds().stream().map(url -> new Seed(url, Optional.empty())).toList();
    }

    /** Tells the guard which addresses the run may ask. */
    private void recall(Collection<DomainName> started, AddressGuard guard) {
      Collection<DomainName> domains =
          run.list().isPresent() && options.seeds.allowPrivate ? run.domains(server) : started;
      SeedCheck.recall(server, domains, guard);
      if (options.seeds.allowPrivate) {
        try (StoreReader reader = StoreReader.open(server)) {
          domains.stream()
              .flatMap(domain -> reader.seedAddresses(domain).stream())
              .forEach(seed -> guard.allow(seed.authority(), Leave.PRIVATE));
        }
      }
    }

    /** Errors are printed before the process is closed: after a signal, the JVM ends with that. */
    private OptionalInt watched(CrawlProcess process, Optional<CrawlListener> pages)
        throws InterruptedException {
      RunConsole console = new RunConsole(spec, options, archive, frontier, quiet);
      Screen screen = console.screen();
      egress.warning().ifPresent(screen::line);
      try (CrawlMonitor monitor =
              new CrawlMonitor(monitorOptions, screen, console.reports(), process.time());
          ArchiveOption.OpenArchive exchanges =
              archive.open(
                  process.session().network().agent().header(),
                  process.session().plan().purposes(),
                  process.time())) {
        CrawlRun crawl =
            new CrawlRun(
                process,
                options.output,
                exchanges.archive(),
                frontier,
                screen,
                monitor,
                quiet,
                false,
                egress.afterword(),
                code -> EndSignals.heard().orElse(code));
        return crawl.joining(server, run.id(), name, pages);
      } catch (WrongSetting wrong) {
        // The caller adds the place that sets it.
        throw wrong;
      } catch (RuntimeException failed) {
        return OptionalInt.of(ErrorLine.said(failed, spec.commandLine()));
      }
    }
  }
}
