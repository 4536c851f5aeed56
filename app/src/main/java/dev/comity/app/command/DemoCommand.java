package dev.comity.app.command;

import dev.comity.CrawlSession.ImageCollection;
import dev.comity.app.demo.DemoSite;
import dev.comity.app.demo.DemoSites;
import dev.comity.app.demo.DemoWeb;
import dev.comity.app.monitor.ChangeNotes;
import dev.comity.app.monitor.CrawlCounts;
import dev.comity.app.monitor.CrawlMonitor;
import dev.comity.app.monitor.MonitorOptions;
import dev.comity.app.monitor.QueueCounter;
import dev.comity.app.monitor.RunSummary;
import dev.comity.app.monitor.Spacing;
import dev.comity.app.process.Screen;
import dev.comity.app.seeds.GivenSeed;
import dev.comity.app.settings.Settings;
import dev.comity.app.text.DurationConverter;
import dev.comity.app.text.Words;
import dev.comity.core.engine.Crawl;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Run;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Seed;
import dev.comity.core.usage.Purpose;
import dev.comity.core.util.Printable;
import dev.comity.keep.KeepTerms;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Egress;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comity demo}: crawls a small web inside this process. */
@Command(
    name = "demo",
    description =
        "Serve a small web on this machine, with sites that limit, forbid, fail and trap, and a"
            + " gallery, crawl it in about a minute, and show what was learnt about each. Needs no"
            + " network; ends by itself.")
public final class DemoCommand implements Callable<Integer> {
  /** Enough for every site but the one that has no end. */
  private static final int PAGES_PER_SITE = 80;

  private static final int MOST_IMAGES = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "The least time between two requests to one site (default: 200ms).")
  private Duration delay = Duration.ofMillis(200);

  @Option(
      names = "--only",
      paramLabel = "SITE",
      split = ",",
      description = "Open only these of the sites, such as lighthouse.example.")
  private List<String> only = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Screen screen = Screen.here(spec.commandLine().getOut(), spec.commandLine().getErr());
    List<DemoSite> sites = chosen();
    try (DemoWeb web = DemoWeb.open(sites)) {
      screen.line(
          "%s of a small web inside this process, crawled as any others would be:"
              .formatted(Words.count(sites.size(), "site")));
      sites.forEach(site -> screen.line("  %-20s %s".formatted(site.name(), site.manner())));
      return crawl(web, sites, screen);
    }
  }

  private List<DemoSite> chosen() {
    List<DemoSite> all = DemoSites.all();
    for (String name : only) {
      if (all.stream().noneMatch(site -> site.name().equals(name))) {
        throw new ParameterException(
            spec.commandLine(),
            "--only: there is no site '%s' in the demo; there are %s"
                .formatted(
                    Printable.text(name),
                    all.stream().map(DemoSite::name).collect(Collectors.joining(", "))));
      }
    }
    return all.stream().filter(site -> only.isEmpty() || only.contains(site.name())).toList();
  }

  private int crawl(DemoWeb web, List<DemoSite> sites, Screen screen) throws InterruptedException {
    List<GivenSeed> seeds =
        sites.stream()
            .flatMap(site -> web.entrances(site).stream())
            .map(url -> GivenSeed.of(new Seed(CrawlUrl.of(url), Optional.empty())))
            .toList();
    AddressGuard guard = new AddressGuard(_ -> List.of(InetAddress.getLoopbackAddress()), false);
    sites.forEach(site -> guard.named(CrawlUrl.of(web.url(site, "/")).authority()));
    Spacing spacing = new Spacing();
    DemoImages images = new DemoImages();
    Settings settings =
        Settings.DEFAULT
            .withMinimumInterval(delay)
            .withMaxPagesPerDomain(PAGES_PER_SITE)
            .collecting(ImageMode.METADATA, MOST_IMAGES, Optional.of(Set.of(Purpose.TRAIN_AI)));
    List<CrawlUrl> start = seeds.stream().map(one -> one.seed().url()).toList();
    try (CrawlProcess process =
            new CrawlProcess(
                settings,
                start,
                seeds,
                guard,
                Egress.DIRECT,
                KeepTerms.NOTHING,
                AcceptedTypes.NONE,
                Optional.of(
                    new ImageCollection(ImageMode.METADATA, Optional.empty(), true, false)));
        CrawlMonitor monitor =
            new CrawlMonitor(
                new MonitorOptions(), screen, spec.commandLine().getOut(), process.time())) {
      Instant began = process.time().instant();
      MemoryStore store = process.session().memoryStore();
      Run run = process.session().begin(store);
      process.addSeeds(store);
      monitor.count(() -> QueueCounter.of(store.reports(), run.id()));
      CrawlCounts counts = process.counts();
      Crawl.End end =
          process.run(
              store,
              run,
              List.of(counts, spacing, images, new ChangeNotes(screen, process.time())),
              Optional.empty(),
              crawl -> monitor.begins(crawl, counts, run, process.budgets()));
      Duration took = Duration.between(began, process.time().instant());
      int exit = RunSummary.exit(end, counts, 0);
      monitor.ended(end, counts, took, exit, RunSummary.words(end, counts, took));
      screen.line("");
      new DemoLessons(web, process.session().plan().policy())
          .lines(sites, store)
          .forEach(screen::line);
      screen.line("");
      screen.line(judgement(web, spacing));
      if (sites.stream().map(DemoSite::name).toList().containsAll(DemoImages.HOSTS)) {
        screen.line(images.judgement(web));
      }
      screen.line(
          "Next: ./comity crawl https://your.site --contact you@your.site --out pages.jsonl");
      return exit;
    }
  }

  /** The crawl's own spacing, beside what the sites logged. */
  private static String judgement(DemoWeb web, Spacing spacing) {
    return String.format(
        Locale.ROOT,
        "Requests to one site began at least %.3f s apart. The sites' own log: %d requests, %d of"
            + " them for what robots.txt forbids.",
        spacing.shortest().orElse(Duration.ZERO).toNanos() / 1e9,
        web.requests(),
        web.trespasses());
  }
}
