package dev.comity.app;

import dev.comity.core.engine.Crawl;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.url.PatternRefusal;
import dev.comity.core.url.Scope.Reach;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlPattern;
import dev.comity.core.url.UrlRefusal;
import dev.comity.web.UserAgent;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.address.Resolver;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
          + " Nothing is kept between crawls yet."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the crawl is done, or its page budget is spent",
      "1:nothing could be crawled, or the crawl could not go on",
      "2:the command line makes no sense",
      "4:what is left may not be asked for more than ten minutes",
      "130, 143:stopped by Ctrl-C or SIGTERM"
    })
final class CrawlCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "URL",
      description =
          "Where to start: https://example.com/docs/, or a bare host, which is asked over https"
              + " first.")
  private List<String> urls = List.of();

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
      names = "--delay",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "The least time between two requests to one domain: 500ms, 2s, 1m (default: 1s).")
  private Duration delay = Settings.DEFAULT.minimumInterval();

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write every page as a line of JSON to this file, replacing it; - for standard output.")
  private @Nullable String out;

  @Option(names = "--text", description = "Put the text of each page into its line, too.")
  private boolean text;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no pages and no live line, only the closing words.")
  private boolean quiet;

  @Override
  public Integer call() throws InterruptedException, IOException {
    try {
      Settings settings = settings();
      List<Seed> seeds = urls.stream().map(CrawlCommand::seed).toList();
      AddressGuard guard = new AddressGuard(Resolver.SYSTEM, settings.contact().isPresent());
      Greeting.exchange(seeds, guard);
      try (Writer pages = out == null ? Writer.nullWriter() : PageOutput.open(out);
          CrawlSession session = new CrawlSession(settings, seeds, guard)) {
        return crawl(session, pages);
      }
    } catch (WrongSetting wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  private int crawl(CrawlSession session, Writer pages) throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter lines = PageOutput.STANDARD_OUTPUT.equals(out) ? err : spec.commandLine().getOut();
    Screen screen = new Screen(lines, err, quiet ? 0 : Terminal.columns());
    List<CrawlListener> listeners = new ArrayList<>(List.of(session.tally()));
    if (out != null) {
      listeners.add(new PageLines(pages, text));
    }
    if (!quiet) {
      listeners.add(new PageNotes(screen));
      listeners.add(new ChangeNotes(screen));
    }
    Instant began = Instant.now();
    Crawl.End end = session.run(screen, listeners);
    screen.line(Closing.words(end, session.tally(), Duration.between(began, Instant.now())));
    return Closing.exit(end, session.tally());
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
        maxDepth,
        scope,
        patterns("include", include),
        patterns("exclude", exclude));
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

  private static Seed seed(String line) {
    return switch (Seed.parse(line)) {
      case Seed seed -> seed;
      case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
    };
  }
}
