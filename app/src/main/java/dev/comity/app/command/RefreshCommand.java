package dev.comity.app.command;

import dev.comity.CrawlSession;
import dev.comity.CrawlSession.ImageCollection;
import dev.comity.app.monitor.CrawlMonitor;
import dev.comity.app.output.ArchiveOption;
import dev.comity.app.output.ContentOptions;
import dev.comity.app.output.PageOutput;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.ErrorLine;
import dev.comity.app.process.Screen;
import dev.comity.app.seeds.SeedLines;
import dev.comity.app.seeds.StartCheck;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.FeatureFlags;
import dev.comity.app.settings.RunSettings;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.store.StoreLocation;
import dev.comity.store.open.OpenStore;
import dev.comity.store.report.StoreReader;
import dev.comity.web.net.AddressGuard;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity refresh}: visits known pages again when they are due. */
@Command(
    name = "refresh",
    description = {
      "Visit known pages again when they are due, and crawl the new links on them.",
      "",
      "Every page of a finished domain has a date for the next look, by how often it changes and"
          + " within a budget of its domain. Servers are asked whether a page has changed, so an"
          + " unchanged one costs no body. Stopped, the same command goes on where it was."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:what was due is visited, the page budget is spent, or nothing was due",
      "1:nothing could be visited, or the refresh could not go on",
      "2:invalid command line, or a domain that is not known",
      "4:what is left may not be asked for more than ten minutes, or is paused by the operator",
      "5:the data directory or the database cannot be used",
      "130, 143:stopped by Ctrl-C or SIGTERM; said twice, at once"
    })
public final class RefreshCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Visit pages of these domains only; without any, of all that are due.")
  private List<String> names = List.of();

  @Option(
      names = "--plan",
      description =
          "Ask no site; say how many requests a day the pages need, how many are due and what share"
              + " of copies is expected to be fresh.")
  private boolean plan;

  @Mixin private SettingOptions options = new SettingOptions();

  @Mixin private ContentOptions content = new ContentOptions();

  @Mixin private ArchiveOption archive = new ArchiveOption();
  @Mixin private FrontierOption frontier = new FrontierOption();

  @Option(
      names = "--json",
      description =
          "Write progress every second and a summary at the end as lines of JSON to standard"
              + " output, or to standard error with --out -. With --plan, the plan.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live view, only the summary.")
  private boolean quiet;

  @Override
  public Integer call() throws InterruptedException {
    Configuration told = Configuration.of(spec);
    told.notices().forEach(notice -> spec.commandLine().getErr().println("comity: " + notice));
    try {
      options.monitorOptions.answerInJson(json && !plan);
      options.monitorOptions.check();
      return refresh(options.settings(told), told);
    } catch (WrongSetting wrong) {
      throw told.located(wrong);
    }
  }

  private int refresh(Settings settings, Configuration told) throws InterruptedException {
    List<String> off =
        Configuration.requireFlags(
            spec, FeatureFlags.Work.REFRESH, options.data.server().isPresent());
    if (options.output.ephemeral) {
      throw new WrongSetting(
          "ephemeral is true, but a refresh needs the pages of a data directory");
    }
    if (!StoreReader.isThere(data())) {
      throw new WrongSetting(
          "data is %s, but nothing was crawled there; `comity crawl URL` begins"
              .formatted(data().shown()));
    }
    SharedImages.require(settings.images(), options.data, told);
    OpenStore.upgrade(data());
    Set<DomainName> domains = new LinkedHashSet<>();
    List<Seed> seeds = new ArrayList<>();
    try (StoreReader reader = StoreReader.open(data())) {
      names.forEach(name -> domains.add(new DomainName(DataCommand.known(reader, name).name())));
      if (plan) {
        return new RefreshPlanView(spec.commandLine().getOut(), json)
            .show(
                reader.refreshPlan(domains.stream().map(DomainName::name).toList(), Instant.now()));
      }
      seeds.addAll(seeds(reader, domains, settings.reach().grouping()));
    }
    return visit(settings, domains, SeedLines.of(seeds.stream()), RunSettings.of(spec, told), off);
  }

  /**
   * The seeds that bound the new links of a refresh.
   *
   * @param domains those that it is about; none: all
   */
  static List<Seed> seeds(StoreReader reader, Set<DomainName> domains, Grouping grouping) {
    List<Seed> seeds = new ArrayList<>();
    reader.eachSeed(
        seed -> {
          if (domains.isEmpty() || domains.contains(grouping.domainOf(seed.url()))) {
            seeds.add(seed);
          }
        });
    return seeds;
  }

  private int visit(
      Settings settings,
      Set<DomainName> domains,
      SeedLines lines,
      RunSettings forWorkers,
      List<String> off)
      throws InterruptedException {
    AddressGuard guard =
        new AddressGuard(
            CrawlSession.names(), settings.contact().isPresent(), options.egress.overrides());
    StartCheck check =
        new StartCheck(
            guard,
            settings.reach().grouping(),
            options.egress.egress().httpProxy().isPresent(),
            options.seeds.allowPrivate);
    check.recall(data(), lines);
    if (!lines.seeds().isEmpty()) {
      check.exchange(lines);
    }
    lines.complaints().forEach(spec.commandLine().getErr()::println);
    Screen screen = screen();
    options.egress.warning().ifPresent(screen::line);
    try (CrawlProcess process =
        CrawlProcess.ofRefresh(
            settings,
            domains,
            lines.seeds(),
            guard,
            options.egress.egress(),
            content.terms(options.output.text),
            content.accepted(),
            ImageCollection.of(settings.images(), options.data.directory(), false))) {
      process.told(forWorkers);
      return watched(process.without(off), screen);
    }
  }

  /** Errors are printed before the process is closed: after a signal, the JVM ends with that. */
  private int watched(CrawlProcess process, Screen screen) throws InterruptedException {
    try (CrawlMonitor monitor =
            new CrawlMonitor(options.monitorOptions, screen, reports(), process.time());
        ArchiveOption.OpenArchive exchanges =
            archive.open(
                process.session().network().agent().header(),
                process.session().plan().purposes(),
                process.time())) {
      CrawlRun run =
          new CrawlRun(
              process,
              options.output,
              exchanges.archive(),
              frontier,
              screen,
              monitor,
              quiet,
              false,
              options.egress.afterword(),
              code -> EndSignals.heard().orElse(code));
      return run.at(data());
    } catch (WrongSetting wrong) {
      // The caller adds the place that sets it.
      throw wrong;
    } catch (RuntimeException failed) {
      return ErrorLine.said(failed, spec.commandLine());
    }
  }

  private StoreLocation data() {
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
}
