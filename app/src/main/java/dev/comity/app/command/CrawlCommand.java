package dev.comity.app.command;

import dev.comity.CrawlSession;
import dev.comity.CrawlSession.ImageCollection;
import dev.comity.app.output.ArchiveOption;
import dev.comity.app.output.ContentOptions;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Screen;
import dev.comity.app.seeds.GivenSeed;
import dev.comity.app.seeds.SeedFiles;
import dev.comity.app.seeds.SeedFormat;
import dev.comity.app.seeds.SeedLines;
import dev.comity.app.seeds.StartCheck;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.EgressOptions;
import dev.comity.app.settings.FeatureFlags;
import dev.comity.app.settings.RunSettings;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.url.Seed;
import dev.comity.keep.KeepTerms;
import dev.comity.store.StoreLocation;
import dev.comity.store.open.OpenStore;
import dev.comity.store.report.StoreReader;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Egress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity crawl}: crawls one or several sites. */
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
      "2:invalid command line",
      "4:what is left may not be asked for more than ten minutes, or is paused by the operator",
      "5:the data directory or the database cannot be used: another crawl has it, it cannot be"
          + " reached or written to, it is damaged or of a newer version",
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
  @Mixin private ContentOptions content = new ContentOptions();

  @Mixin private ArchiveOption archive = new ArchiveOption();
  @Mixin private FrontierOption frontier = new FrontierOption();

  @Option(
      names = "--json",
      description =
          "Write progress every second and a summary at the end as lines of JSON to standard"
              + " output, or to standard error with --out -. Words go to standard error.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live view, only the summary.")
  private boolean quiet;

  @Option(
      names = "--seeds-format",
      paramLabel = "FORMAT",
      description = "What the files of --seeds are: auto, lines, csv or sitemap (default: auto).")
  private SeedFormat seedsFormat = SeedFormat.AUTO;

  @Option(
      names = "--supersede",
      description = "With --db, close the open run of other terms, though workers are at it.")
  private boolean supersede;

  @Option(
      names = "--again",
      description = "Ask again for all that is known of start domains that are crawled to the end.")
  private boolean again;

  @Mixin private ImageOptions imageOptions = new ImageOptions();

  /** Whether a seed file has lines that are no seeds. */
  private boolean badLines;

  @Override
  public Integer call() throws InterruptedException {
    Configuration told = Configuration.of(spec);
    told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
    try {
      options.monitorOptions.answerInJson(json);
      options.monitorOptions.check();
      return crawl(options.settings(told), told);
    } catch (WrongSetting wrong) {
      throw told.located(wrong);
    }
  }

  private int crawl(Settings given, Configuration told) throws InterruptedException {
    List<String> off =
        Configuration.requireFlags(
            spec, FeatureFlags.Work.CRAWL, options.data.server().isPresent());
    Settings settings = withImages(given, told);
    KeepTerms keep = content.terms(options.output.text);
    AcceptedTypes accepted = content.accepted();
    if (!options.output.ephemeral) {
      OpenStore.upgrade(data());
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
    RunConsole console = new RunConsole(spec, options, archive, frontier, quiet);
    Screen screen = console.screen();
    egressOptions.warning().ifPresent(screen::line);
    GivenSeed.notice(lines.seeds(), accepted).ifPresent(screen::line);
    try (CrawlProcess process =
        new CrawlProcess(
            settings,
            lines.urls(),
            lines.seeds(),
            guard,
            egress,
            keep,
            accepted,
            ImageCollection.of(
                settings.images(), options.data.directory(), imageOptions.isHashed()))) {
      process
          .from(lines.origins(settings.reach().grouping()))
          .told(RunSettings.of(spec, told))
          .afterSeeds(lines::stored);
      process.superseding(supersede).without(off);
      return console.run(process, screen, again, this::exit, () -> {});
    }
  }

  private Settings withImages(Settings settings, Configuration told) {
    if (settings.images() == ImageMode.OFF) {
      return settings;
    }
    if (settings.images() == ImageMode.FILES && options.output.ephemeral) {
      throw new WrongSetting(
          "images: files are kept in the data directory, and --ephemeral keeps none; use --images"
              + " metadata, or --data DIR in place of --ephemeral");
    }
    SharedImages.require(settings.images(), options.data, told);
    return imageOptions.applied(settings);
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

  /**
   * The seeds of the command line and the files, or else the unfinished ones of the data directory.
   */
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

  private StoreLocation data() {
    return options.data.place();
  }

  /** The exit code of the process: a signal's code wins over that of bad lines. */
  private int exit(int crawled) {
    int said = crawled == Exit.DONE && badLines ? Exit.BAD_LINES : crawled;
    return EndSignals.heard().orElse(said);
  }
}
