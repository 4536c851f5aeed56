package dev.comity.app;

import dev.comity.app.demo.DemoSite;
import dev.comity.core.engine.Crawl;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.port.Run;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Seed;
import dev.comity.web.Certificates;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.address.Resolver;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comity demo}: a small site inside this very process, crawled in front of the user. */
@Command(
    name = "demo",
    description =
        "Serve a small site on this machine and crawl it before your eyes. Needs no network; ends"
            + " by itself.")
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The least time between two requests (default: 1s).")
  private Duration delay = Settings.DEFAULT.minimumInterval();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Screen screen = new Screen(out, spec.commandLine().getErr(), Terminal.columns());
    Settings settings = Settings.DEFAULT.withMinimumInterval(delay);
    try (DemoSite site = DemoSite.open()) {
      Seed seed = new Seed(CrawlUrl.of(site.address()), Optional.empty());
      AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
      guard.seed(seed.url().host());
      screen.line(
          "A small site is open at " + site.address() + " and is crawled as any other would be.");
      Instant began = Instant.now();
      Spacing spacing = new Spacing();
      try (CrawlSession session =
          new CrawlSession(settings, List.of(seed), guard, Certificates.VERIFIED, false)) {
        CrawlStore store = session.forgetful();
        Run run = session.begin(store);
        session.plant(store);
        Crawl.End end =
            session.run(
                store,
                run,
                () -> {},
                screen,
                List.of(session.tally(), spacing, new PageNotes(screen)));
        screen.line(Closing.words(end, session.tally(), Duration.between(began, Instant.now())));
        screen.line(judgement(site, spacing));
        screen.line(
            "Next: ./comity crawl https://your.site --contact you@your.site --out pages.jsonl");
        return Closing.exit(end, session.tally(), 0);
      }
    }
  }

  /** What the visitor says of itself, and what the site says of the visitor. */
  private static String judgement(DemoSite site, Spacing spacing) {
    return String.format(
        Locale.ROOT,
        "Requests began at least %.3f s apart. The site's own log: %d requests, %d of them for what"
            + " robots.txt forbids.",
        spacing.shortest().orElse(Duration.ZERO).toNanos() / 1e9,
        site.requests(),
        site.trespasses());
  }
}
