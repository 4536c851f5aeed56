package dev.comity.app.command;

import dev.comity.CrawlSession;
import dev.comity.CrawlSession.ImageCollection;
import dev.comity.app.lists.FailedUrls;
import dev.comity.app.lists.ListIntake;
import dev.comity.app.output.ArchiveOption;
import dev.comity.app.output.ContentOptions;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Screen;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.FeatureFlags;
import dev.comity.app.settings.RunSettings;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.url.Authority;
import dev.comity.store.StoreLocation;
import dev.comity.store.open.OpenStore;
import dev.comity.store.report.StoreReader;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Leave;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity fetch}: fetches the URLs of a list, and follows no links. */
@Command(
    name = "fetch",
    description = {
      "Fetch the URLs of a list, and follow no links.",
      "",
      "Pace, robots.txt and wishes of sites are obeyed as in a crawl. Stopped, by whatever means,"
          + " the same command goes on where it was. A URL that is known as finished is not asked"
          + " again."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every URL has its answer, or was given up",
      "1:nothing could be fetched",
      "2:invalid command line, or a list without URLs",
      "4:what is left may not be asked for more than ten minutes",
      "5:the data directory or the database cannot be used",
      "6:all went well, but some rows of the list have no URL",
      "130, 143:stopped by Ctrl-C or SIGTERM; said twice, at once"
    })
public final class FetchCommand implements Callable<Integer> {
  private static final String NO_LINKS = "fetch follows no links";

  private static final UnusedOptions UNUSED =
      new UnusedOptions(
          Map.of(
              "--scope", NO_LINKS,
              "--include", NO_LINKS,
              "--exclude", NO_LINKS,
              "--max-depth", NO_LINKS,
              "--drop-params", NO_LINKS,
              "--sitemaps", NO_LINKS,
              "--barren-pages", NO_LINKS,
              "--seeds", "the list has the URLs",
              "--smart-scheduling", "fetch asks for every URL of the list",
              "--ephemeral", "fetch needs a data directory to go on from"));

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "LIST",
      description =
          "A file of URLs: .txt (one a line), .csv or .tsv (with a header), .jsonl (objects),"
              + " .parquet. With --images they are images.")
  private Path list = Path.of("");

  @Option(
      names = "--url-column",
      paramLabel = "NAME",
      description = "The column that has the URLs (default: url, in any case).")
  private @Nullable String column;

  @Option(
      names = "--caption-column",
      paramLabel = "NAME",
      description =
          "With --images, the column that has captions (default: caption or text, in any case).")
  private @Nullable String captionColumn;

  @Option(
      names = "--failed",
      paramLabel = "FILE",
      description = "Write the URLs that brought no page, with reasons, as lines of JSON.")
  private @Nullable Path failed;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live view, only the summary.")
  private boolean quiet;

  @Option(
      names = "--json",
      description =
          "Write progress every second and a summary at the end as lines of JSON to standard"
              + " output, or to standard error with --out -. Words go to standard error.")
  private boolean json;

  @Mixin private SettingOptions options = new SettingOptions();

  @Mixin private ContentOptions content = new ContentOptions();

  @Mixin private ArchiveOption archive = new ArchiveOption();
  @Mixin private FrontierOption frontier = new FrontierOption();

  /** Leaves settings out of the help that mean nothing to it. */
  public static void tidy(CommandSpec fetch) {
    UNUSED.hide(fetch);
  }

  @Override
  public Integer call() throws InterruptedException {
    UNUSED.refuse(spec);
    Configuration told = Configuration.of(spec);
    told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
    try {
      options.monitorOptions.answerInJson(json);
      options.monitorOptions.check();
      return fetch(
          options
              .settings(told)
              .forList(told.isSet("max-pages"), told.isSet("max-pages-per-domain")),
          told);
    } catch (WrongSetting wrong) {
      throw told.located(wrong);
    }
  }

  private int fetch(Settings settings, Configuration told) throws InterruptedException {
    check(settings);
    List<String> off =
        Configuration.requireFlags(
            spec, FeatureFlags.Work.CRAWL, options.data.server().isPresent());
    SharedImages.require(settings.images(), options.data, told);
    OpenStore.upgrade(data());
    AddressGuard guard =
        new AddressGuard(
            CrawlSession.names(), settings.contact().isPresent(), options.egress.overrides());
    ListIntake intake =
        new ListIntake(
            list,
            Optional.ofNullable(column),
            Optional.ofNullable(captionColumn),
            settings.images() != ImageMode.OFF,
            settings.reach().grouping(),
            authority -> open(authority, guard));
    RunConsole console = new RunConsole(spec, options, archive, frontier, quiet);
    Screen screen = console.screen();
    options.egress.warning().ifPresent(screen::line);
    try (CrawlProcess process =
        CrawlProcess.ofList(
            settings,
            list.toAbsolutePath().normalize().toString(),
            intake,
            guard,
            options.egress.egress(),
            content.terms(options.output.text),
            content.accepted(),
            ImageCollection.of(settings.images(), options.data.directory(), false))) {
      process.told(
          RunSettings.of(spec, told)
              .with("max-pages", "" + settings.limits().maxPages())
              .with("max-pages-per-domain", "" + settings.limits().maxPagesPerDomain()));
      return console.run(
          process.without(off),
          screen,
          false,
          code -> exit(code, intake),
          () -> tellFailed(intake, console));
    }
  }

  private void check(Settings settings) {
    if (options.output.ephemeral) {
      throw new WrongSetting("ephemeral is true, but fetch needs a data directory to go on from");
    }
    if (!Files.isRegularFile(list)) {
      throw new WrongSetting("the list %s is no file".formatted(list));
    }
    if (settings.contact().isEmpty() && !options.seeds.allowPrivate) {
      throw new WrongSetting(
          "fetching a list needs a contact, so that owners of sites can reach you: add --contact"
              + " you@example.org, or set COMITY_CONTACT");
    }
  }

  /** Names of lists lead inside a network with --allow-private only. */
  private void open(Authority authority, AddressGuard guard) {
    if (options.seeds.allowPrivate) {
      guard.allow(authority, Leave.PRIVATE);
      guard.seed(authority);
    }
  }

  private void tellFailed(ListIntake intake, RunConsole console) {
    intake.complaints().forEach(spec.commandLine().getErr()::println);
    if (failed == null) {
      return;
    }
    try (StoreReader reader = StoreReader.open(data())) {
      long run = reader.runs(1, 0).getFirst().id();
      long count = FailedUrls.write(failed, reader, run, intake.domains());
      PrintWriter words = json ? spec.commandLine().getErr() : console.reports();
      words.println(count + " URLs without a page are in " + failed + ".");
    }
  }

  private StoreLocation data() {
    return options.data.place();
  }

  private static int exit(int fetched, ListIntake intake) {
    int said = fetched == Exit.DONE && intake.hasBadRows() ? Exit.BAD_LINES : fetched;
    return EndSignals.heard().orElse(said);
  }
}
