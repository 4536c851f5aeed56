package dev.comity.bench;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How much of an honest site is taken for a trap: walks from a directory's {@code index.html} over
 * the links between its files as a crawl would, and names the templates that are suppressed.
 */
public final class TrapCheck {
  private static final String SITE = "https://docs.example/";

  private final Path root;
  private final LinkExtractor reader =
      new HtmlReader("comity", InstantSource.system(), HtmlReader.BEGINNING);
  private final Traps traps = new Traps(TrapSettings.DEFAULTS, List.of());
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Set<CrawlUrl> known = new HashSet<>();
  private long asked;
  private long leftAlone;

  private TrapCheck(Path root) {
    this.root = root;
  }

  private record Waiting(CrawlUrl url, Optional<CrawlUrl> referrer) {}

  public static void main(String[] directories) throws IOException {
    for (String directory : directories) {
      new TrapCheck(Path.of(directory)).walk();
    }
  }

  private void walk() throws IOException {
    waiting.add(new Waiting(CrawlUrl.of(SITE + "index.html"), Optional.empty()));
    while (!waiting.isEmpty()) {
      Waiting next = waiting.remove();
      Path file = root.resolve(next.url().target().substring(1).replaceFirst("[?].*", ""));
      if (!Files.isRegularFile(file) || !file.toString().matches(".*\\.x?html?")) {
        continue;
      }
      if (traps.trap(next.url()).isPresent()) {
        leftAlone++;
        continue;
      }
      ask(next, file);
    }
    System.out.printf("%s: %d pages asked, %d left alone as traps%n", root, asked, leftAlone);
  }

  private void ask(Waiting next, Path file) throws IOException {
    asked++;
    Success page = new Success(200, Headers.NONE, Body.of(Files.readAllBytes(file)));
    LinkExtractor.Extraction read = reader.extract(next.url(), page);
    List<CrawlUrl> images = read.images().stream().map(ImageRef::url).toList();
    traps
        .landed(next.url(), next.referrer(), read::text, read.links(), images, Instant.EPOCH)
        .ifPresent(TrapCheck::tell);
    for (CrawlUrl link : read.links()) {
      if (link.toString().startsWith(SITE) && known.add(link)) {
        waiting.add(new Waiting(link, Optional.of(next.url())));
      }
    }
  }

  private static void tell(TemplateStats stats) {
    System.out.printf(
        "  suppressed %s after %d pages: %s%n",
        stats.template(), stats.pages(), stats.suppressed().orElseThrow().reason().code());
  }
}
