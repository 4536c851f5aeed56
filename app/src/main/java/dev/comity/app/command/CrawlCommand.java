package dev.comity.app.command;

import dev.comity.app.monitor.CrawlCounts;
import dev.comity.app.monitor.CrawlMonitor;
import dev.comity.app.monitor.QueueCounter;
import dev.comity.app.monitor.RunBanner;
import dev.comity.app.monitor.RunSummary;
import dev.comity.app.output.PageExport;
import dev.comity.app.output.PageLines;
import dev.comity.app.output.PageOutput;
import dev.comity.app.output.PageTarget;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.ErrorLine;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Screen;
import dev.comity.app.seeds.GivenSeed;
import dev.comity.app.seeds.LeftOut;
import dev.comity.app.seeds.SeedFiles;
import dev.comity.app.seeds.SeedFormat;
import dev.comity.app.seeds.SeedLines;
import dev.comity.app.seeds.StartCheck;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.EgressOptions;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Visible;
import dev.comity.app.text.Words;
import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Run;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Seed;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.report.PageFeed;
import dev.comity.store.report.StoreReader;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Egress;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity crawl}: one site, or a few, politely, with one command. */
@Command(
    name = "crawl",
    description = {
      "Crawl a site politely and write its pages as JSON Lines.",
      "",
      "Requests to one domain start at least a second apart, or as far as its robots.txt asks for."
          + " What is learnt is kept in a data directory: stopped, by whatever means, the same"
          + " command goes on where it was."
    },
    footer = {
      "",
      "Nearly every option can be set in comity.yaml or in the environment as well, and there are"
          + " more of them: `comity config` lists all."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the crawl is done, its page budget is spent or its time is up, or nothing was left to do",
      "1:nothing could be crawled, or the crawl could not go on",
      "2:the command line makes no sense",
      "4:what is left may not be asked for more than ten minutes",
      "5:the data directory cannot be used: another crawl has it, it cannot be written to, it is"
          + " damaged or of a newer version",
      "6:all went well, but some lines of a seed file are no URL or host, or may not be asked",
      "130, 143:stopped by Ctrl-C or SIGTERM; said twice, at once"
    })
public final class CrawlCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description =
          "Where to start: https://example.com/docs/, a sitemap, or a bare host, which is asked"
              + " over https first. Without any, the crawl goes on with what the data directory"
              + " holds.")
  private List<String> urls = List.of();

  @Mixin private SettingOptions options = new SettingOptions();

  @Option(
      names = "--json",
      description =
          "Write progress every second and a summary at the end as lines of JSON to standard"
              + " output, or to standard error with --out -. Words go to standard error.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live view, only the closing words.")
  private boolean quiet;

  @Option(
      names = "--seeds-format",
      paramLabel = "FORMAT",
      description = "What the files of --seeds are: auto, lines, csv or sitemap (default: auto).")
  private SeedFormat seedsFormat = SeedFormat.AUTO;

  @Option(
      names = "--again",
      description = "Ask again for all that is known of start domains that are crawled to the end.")
  private boolean again;

  /** Whether some lines of a seed file were no seeds. */
  private boolean badLines;

  @Override
  public Integer call() throws InterruptedException {
    Configuration told = Configuration.NONE;
    try {
      told = Configuration.of(spec);
      told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
      options.monitorOptions.answerInJson(json);
      options.monitorOptions.check();
      return crawl(options.settings(told));
    } catch (WrongSetting wrong) {
      throw new ParameterException(
          spec.commandLine(), told.located(String.valueOf(wrong.getMessage())), wrong);
    }
  }

  private int crawl(Settings settings) throws InterruptedException {
    if (!options.output.ephemeral) {
      SqliteStore.upgrade(data());
    }
    SeedLines lines = seeds();
    EgressOptions egressOptions = options.egress;
    Egress egress = egressOptions.egress();
    AddressGuard guard =
        new AddressGuard(
            CrawlSession.names(), settings.contact().isPresent(), egressOptions.overrides());
    greet(
        lines,
        new StartCheck(
            guard,
            settings.reach().grouping(),
            egress.httpProxy().isPresent(),
            options.seeds.allowPrivate));
    Screen screen = screen();
    egressOptions.warning().ifPresent(screen::line);
    GivenSeed.notice(lines.seeds()).ifPresent(screen::line);
    try (CrawlSession session =
        new CrawlSession(
            settings, lines.urls(), lines.seeds(), guard, egress, options.output.text)) {
      return watched(session, screen);
    }
  }

  private void greet(SeedLines lines, StartCheck check) throws InterruptedException {
    try {
      if (!options.output.ephemeral) {
        check.recall(data(), lines);
      }
      check.exchange(lines);
    } finally {
      badLines = lines.hasBadLines();
      lines.complaints().forEach(spec.commandLine().getErr()::println);
    }
  }

  /** A process that was told to end ends with the session: whatever is wrong is said before. */
  private int watched(CrawlSession session, Screen screen) throws InterruptedException {
    try (CrawlMonitor monitor =
        new CrawlMonitor(options.monitorOptions, screen, reports(), session.time())) {
      monitor.whereMetricsAre().ifPresent(words -> sayWhere(words, screen));
      return options.output.ephemeral
          ? forgetting(session, monitor)
          : remembering(session, screen, monitor);
    } catch (RuntimeException failed) {
      return ErrorLine.said(failed, spec.commandLine());
    }
  }

  /** Told to be quiet, it keeps to itself what was said to it anyway, and standard output free. */
  private void sayWhere(String words, Screen screen) {
    if (!quiet || options.monitorOptions.logsJson()) {
      screen.line(words);
    } else if (options.monitorOptions.anyPortServes()) {
      spec.commandLine().getErr().println(words);
    }
  }

  /** What was named, or else what the data directory was given before and has not finished. */
  private SeedLines seeds() {
    List<String> files = options.seeds.files;
    if (urls.isEmpty() && files.isEmpty() && !options.output.ephemeral && data().exists()) {
      try (StoreReader reader = StoreReader.open(data())) {
        List<Seed> known = new ArrayList<>();
        reader.eachOpenSeed(known::add);
        if (!known.isEmpty()) {
          return SeedLines.of(known.stream());
        }
      }
    }
    return SeedLines.gather(urls, files, new SeedFiles(seedsFormat, System.in));
  }

  private DataDirectory data() {
    return options.data.place();
  }

  private Screen screen() {
    return options.monitorOptions.screen(
        spec.commandLine().getOut(),
        spec.commandLine().getErr(),
        pagesOnOut(),
        quiet,
        InstantSource.system());
  }

  private PrintWriter reports() {
    return pagesOnOut() ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  private boolean pagesOnOut() {
    return PageOutput.STANDARD_OUTPUT.equals(options.output.out);
  }

  private int forgetting(CrawlSession session, CrawlMonitor monitor) throws InterruptedException {
    MemoryStore store = session.forgetful();
    try (PageTarget pages = output()) {
      Run run = session.begin(store);
      session.plant(store);
      Optional<CrawlListener> lines =
          options.output.out == null
              ? Optional.empty()
              : Optional.of(new PageLines(pages.anew(), options.output.text));
      monitor.count(() -> QueueCounter.of(store));
      return crawl(session, store, run, monitor, lines);
    }
  }

  private int remembering(CrawlSession session, Screen screen, CrawlMonitor monitor)
      throws InterruptedException {
    DataDirectory directory = data();
    StoreSettings told =
        session
            .storeSettings()
            .keepingText(options.output.text)
            .telling(words -> trouble(screen, words));
    // The file first: nothing is begun or closed in the store for a crawl that cannot be.
    try (PageTarget pages = output();
        SqliteStore store = SqliteStore.open(directory, told)) {
      Run run = again ? session.beginAnew(store) : session.begin(store);
      if (!quiet) {
        screen.line(RunBanner.words(run, directory.path()));
      }
      prepare(session, store, screen);
      monitor.count(() -> QueueCounter.of(directory, run.id()));
      if (options.output.out == null) {
        return crawl(session, store, run, monitor, Optional.empty());
      }
      try (PageFeed feed = PageFeed.open(directory, run.id());
          PageExport export = export(pages, feed, run)) {
        return crawl(session, store, run, monitor, Optional.of(export));
      }
    }
  }

  private void prepare(CrawlSession session, SqliteStore store, Screen screen) {
    Set<DomainName> domains = session.domains();
    Instant now = session.time().instant();
    if (!session.roams()) {
      store.confine(domains);
    }
    session.plant(store);
    if (again) {
      int urls = store.again(domains, now);
      screen.line(Words.count(urls, "URL") + " asked again.");
    }
    session.counts().setAside(store.setAside());
    LeftOut.words(store::state, domains, now).forEach(screen::line);
    for (DomainName domain : domains) {
      store
          .damage(domain)
          .ifPresent(
              why ->
                  screen.line(
                      "%s is set aside as damaged: %s".formatted(domain, Visible.text(why))));
    }
  }

  private PageExport export(PageTarget pages, PageFeed feed, Run run) {
    long last = pages.resumeAfter(feed, run.continued());
    return new PageExport(feed, pages.onward(), last, options.output.text);
  }

  private PageTarget output() {
    String out = options.output.out;
    return out == null ? PageTarget.none() : PageTarget.open(out);
  }

  private static void trouble(Screen screen, String words) {
    screen.line(
        words.isEmpty()
            ? "The data directory can be written to again. Going on."
            : "Nothing more is asked: " + words + ".");
  }

  private int crawl(
      CrawlSession session,
      CrawlStore store,
      Run run,
      CrawlMonitor monitor,
      Optional<CrawlListener> lines)
      throws InterruptedException {
    CrawlCounts counts = session.counts();
    List<CrawlListener> listeners = new ArrayList<>(List.of(counts));
    lines.ifPresent(listeners::add);
    listeners.addAll(monitor.listeners(quiet));
    Instant began = session.time().instant();
    Crawl.End end =
        session.run(
            store, run, listeners, crawl -> monitor.begins(crawl, counts, run, session.budgets()));
    Duration took = Duration.between(began, session.time().instant());
    String damaged = RunSummary.damaged(store);
    boolean nothing = counts.isIdle() && !damaged.isEmpty();
    int exit = exit(nothing ? Exit.FAILED : RunSummary.exit(end, counts, run.pages()));
    monitor.ended(
        end,
        counts,
        took,
        exit,
        RunSummary.words(end, counts, took) + options.egress.afterword() + damaged);
    return exit;
  }

  /** What the process ends with: a signal's code goes before that of bad lines. */
  private int exit(int crawled) {
    int said = crawled == Exit.DONE && badLines ? Exit.BAD_LINES : crawled;
    return EndSignals.heard().orElse(said);
  }
}
