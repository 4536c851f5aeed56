package dev.comity.app;

import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.Run;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.PatternRefusal;
import dev.comity.core.url.Scope.Reach;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlPattern;
import dev.comity.store.DataDirectory;
import dev.comity.store.PageFeed;
import dev.comity.store.SqliteStore;
import dev.comity.store.StoreSettings;
import dev.comity.web.Passage;
import dev.comity.web.UserAgent;
import dev.comity.web.address.AddressGuard;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the crawl is done, its page budget is spent or its time is up, or nothing was left to do",
      "1:nothing could be crawled, or the crawl could not go on",
      "2:the command line makes no sense",
      "4:what is left may not be asked for more than ten minutes",
      "5:the data directory cannot be used: another crawl has it, it cannot be written to, it is"
          + " damaged or of a newer version",
      "6:all went well, but some lines of a seed file are neither a URL nor a host",
      "130, 143:stopped by Ctrl-C or SIGTERM; said twice, at once"
    })
final class CrawlCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description =
          "Where to start: https://example.com/docs/, or a bare host, which is asked over https"
              + " first.")
  private List<String> urls = List.of();

  @Option(
      names = "--seeds",
      paramLabel = "FILE",
      description =
          "Start from every line of this file, too; - for standard input. Empty lines and those"
              + " that start with # do not count; may be given several times.")
  private List<String> seedFiles = List.of();

  @Option(
      names = "--contact",
      paramLabel = "ADDRESS",
      description =
          "A web or mail address at which the site's owner can reach you; sent with every request."
              + " Required for anything but this machine. Default: the environment's"
              + " COMITY_CONTACT.")
  private @Nullable String contact;

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      description = "Stop after this many pages (default: ${DEFAULT-VALUE}).")
  private long maxPages = Settings.DEFAULT.maxPages();

  @Option(
      names = "--max-pages-per-domain",
      paramLabel = "N",
      description = "Stop asking a domain after this many pages (default: ${DEFAULT-VALUE}).")
  private long maxPagesPerDomain = Settings.DEFAULT.maxPagesPerDomain();

  @Option(
      names = "--max-depth",
      paramLabel = "N",
      description = "Follow links at most this far from a start URL.")
  private int maxDepth = Settings.DEFAULT.maxDepth();

  @Option(
      names = "--scope",
      paramLabel = "REACH",
      description = "Follow links to: host, domain, seeds, any (default: seeds).")
  private Reach scope = Settings.DEFAULT.scope();

  @Option(
      names = "--include",
      paramLabel = "REGEX",
      description = "Follow only URLs in which this is found; may be given several times.")
  private List<String> include = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "REGEX",
      description = "Follow no URL in which this is found; may be given several times.")
  private List<String> exclude = List.of();

  @Option(
      names = "--barren-pages",
      paramLabel = "N",
      description =
          "Leave a kind of URLs alone after this many pages in a row that brought nothing new; 0:"
              + " never (default: ${DEFAULT-VALUE}).")
  private int barrenPages = TrapSettings.DEFAULTS.barrenPages();

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "The least time between two requests to one domain: 500ms, 2s, 1m (default: 1s).")
  private Duration delay = Settings.DEFAULT.minimumInterval();

  @Option(
      names = "--no-sitemaps",
      description = "Do not read the sitemaps that a site's robots.txt names.")
  private boolean noSitemaps;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write every page as a line of JSON to this file; - for standard output. A new run"
              + " replaces the file, a continued one goes on with it.")
  private @Nullable String out;

  @Option(names = "--text", description = "Put the text of each page into its line, too.")
  private boolean text;

  @Mixin private PassageOptions way = new PassageOptions();

  @Mixin private DataOption data = new DataOption();

  @Mixin private SeeingOptions seeing = new SeeingOptions();

  @Option(
      names = "--ephemeral",
      description =
          "Keep nothing, and go by nothing that was kept. Default: the opposite of the"
              + " environment's ENABLE_DOMAIN_TRACKING.")
  private boolean ephemeral;

  @Option(
      names = "--again",
      description = "Ask again for all that is known of start domains that are crawled to the end.")
  private boolean again;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live view, only the closing words.")
  private boolean quiet;

  @Override
  public Integer call() throws InterruptedException {
    try {
      seeing.check();
      Settings settings = settings();
      SeedLines lines = SeedLines.gather(urls, seedFiles, System.in);
      lines.complaints().forEach(spec.commandLine().getErr()::println);
      List<Seed> seeds = lines.seeds();
      Passage passage = way.passage();
      AddressGuard guard =
          new AddressGuard(CrawlSession.names(), settings.contact().isPresent(), way.overrides());
      Greeting.exchange(seeds, guard, passage.httpProxy().isPresent());
      Screen screen = screen();
      way.warning().ifPresent(screen::line);
      try (CrawlSession session = new CrawlSession(settings, traps(), seeds, guard, passage, text);
          Seeing watching = new Seeing(seeing, screen, reports(), session.time())) {
        int exit =
            isEphemeral() ? forgetting(session, watching) : remembering(session, screen, watching);
        return exit == Exit.DONE && lines.hasBadLines() ? Exit.BAD_LINES : exit;
      }
    } catch (WrongSetting wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private Screen screen() {
    return seeing.screen(
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
    return PageOutput.STANDARD_OUTPUT.equals(out);
  }

  private boolean isEphemeral() {
    return ephemeral || "false".equalsIgnoreCase(System.getenv("ENABLE_DOMAIN_TRACKING"));
  }

  private int forgetting(CrawlSession session, Seeing watching) throws InterruptedException {
    MemoryStore store = session.forgetful();
    try (PageTarget pages = output()) {
      Run run = session.begin(store);
      session.plant(store);
      Optional<CrawlListener> lines =
          out == null ? Optional.empty() : Optional.of(new PageLines(pages.anew(), text));
      watching.count(() -> CensusTaker.of(store));
      return crawl(session, store, run, () -> {}, watching, lines);
    }
  }

  private int remembering(CrawlSession session, Screen screen, Seeing watching)
      throws InterruptedException {
    DataDirectory directory = data.place();
    StoreSettings told =
        session.storeSettings().keepingText(text).telling(words -> trouble(screen, words));
    // The file first: nothing is begun or closed in the store for a crawl that cannot be.
    try (PageTarget pages = output();
        SqliteStore store = SqliteStore.open(directory, told)) {
      Run run = session.begin(store);
      if (!quiet) {
        screen.line(Opening.words(run, directory.path()));
      }
      prepare(session, store, screen);
      watching.count(() -> CensusTaker.of(directory, run.id()));
      if (out == null) {
        return crawl(session, store, run, store::hurry, watching, Optional.empty());
      }
      try (PageFeed feed = PageFeed.open(directory, run.id());
          PageExport export = export(pages, feed, run)) {
        return crawl(session, store, run, store::hurry, watching, Optional.of(export));
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
    LeftOut.words(store, domains, CrawlSession.LONG_WAIT, now).forEach(screen::line);
  }

  private PageExport export(PageTarget pages, PageFeed feed, Run run) {
    long last = run.continued() ? pages.resumeAfter(feed) : feed.newest();
    return new PageExport(
        feed, run.continued() ? pages.onward() : pages.anewWithFirstPage(), last, text);
  }

  private PageTarget output() {
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
      Runnable hurry,
      Seeing watching,
      Optional<CrawlListener> lines)
      throws InterruptedException {
    Tally tally = session.tally();
    List<CrawlListener> listeners = new ArrayList<>(List.of(tally));
    lines.ifPresent(listeners::add);
    listeners.addAll(watching.listeners(quiet));
    Instant began = Instant.now();
    Crawl.End end =
        session.run(
            store,
            run,
            hurry,
            listeners,
            crawl -> watching.begins(crawl, tally, run, session.budgets()));
    Duration took = Duration.between(began, Instant.now());
    int exit = Closing.exit(end, tally, run.pages());
    watching.ended(end, tally, took, exit, Closing.words(end, tally, took) + way.afterword());
    return exit;
  }

  private Settings settings() {
    Optional<String> known =
        Optional.ofNullable(contact)
            .or(() -> Optional.ofNullable(System.getenv("COMITY_CONTACT")))
            .filter(given -> !given.isBlank());
    known.ifPresent(CrawlCommand::checkContact);
    return new Settings(
        known,
        delay,
        maxPages,
        maxPagesPerDomain,
        maxDepth,
        scope,
        patterns("include", include),
        patterns("exclude", exclude),
        !noSitemaps);
  }

  private TrapSettings traps() {
    try {
      return TrapSettings.after(barrenPages);
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(String.valueOf(wrong.getMessage()));
    }
  }

  private static void checkContact(String contact) {
    try {
      new UserAgent("0", Optional.of(contact)).header();
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting("contact: " + wrong.getMessage());
    }
  }

  private static List<UrlPattern> patterns(String name, List<String> texts) {
    return texts.stream()
        .map(
            text ->
                switch (UrlPattern.parse(text)) {
                  case UrlPattern pattern -> pattern;
                  case PatternRefusal refusal ->
                      throw new WrongSetting(name + ": " + refusal.message());
                })
        .toList();
  }
}
