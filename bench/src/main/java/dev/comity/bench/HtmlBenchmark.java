package dev.comity.bench;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlReader;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.select.Elements;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of reading one page of 12 to 25 KB with some 60 links. Each step takes the next page.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HtmlBenchmark {
  private static final int PAGES = 64;
  private static final int SMALLEST = 12_000;
  private static final int STEP = 200;
  private static final List<String> WORDS =
      List.of(
          "crawler", "polite", "the", "of", "and", "web", "robots", "delay", "a", "in", "request");

  private final CrawlUrl url = CrawlUrl.of("https://site.example/dir/page");
  private final HtmlReader withText =
      new HtmlReader("Comity", InstantSource.system(), HtmlReader.LONGEST_TEXT);
  private final HtmlReader withBeginning =
      new HtmlReader("Comity", InstantSource.system(), HtmlReader.BEGINNING);
  private final Success[] pages = new Success[PAGES];
  private int next;

  public HtmlBenchmark() {
    Headers headers = Headers.of(Map.of("Content-Type", List.of("text/html; charset=utf-8")));
    for (int page = 0; page < PAGES; page++) {
      pages[page] = new Success(200, headers, Body.of(html(SMALLEST + page * STEP, page)));
    }
  }

  private Success next() {
    next = next + 1 < PAGES ? next + 1 : 0;
    return pages[next];
  }

  private static String html(int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder html =
        new StringBuilder(
            "<!doctype html><html lang=en><head><meta charset=utf-8><title>Page &amp; more</title>"
                + "<link rel=stylesheet href=/style.css><script>if (a < b) { c(); }</script></head>"
                + "<body><nav><ul>");
    for (int link = 0; link < 30; link++) {
      html.append("<li class=\"item nav-item\"><a class='x y' href=\"/section/")
          .append(random.nextInt(1_000))
          .append("/page.html?a=1&amp;b=2\">A link</a></li>\n");
    }
    html.append("</ul></nav><main>");
    while (html.length() < size) {
      html.append("<p class=\"text\" id=\"p").append(html.length()).append("\">");
      for (int word = 0; word < 60; word++) {
        html.append(WORDS.get(random.nextInt(WORDS.size()))).append(word % 20 == 7 ? " <b>" : " ");
        html.append(word % 20 == 8 ? "</b>" : "");
      }
      html.append("<a href=\"/wiki/").append(random.nextInt(5_000)).append("\">more</a></p>\n");
    }
    return html.append("</main></body></html>").toString();
  }

  @Benchmark
  public Extraction withText() {
    return withText.extract(url, next());
  }

  @Benchmark
  public Extraction withBeginningOfText() {
    return withBeginning.extract(url, next());
  }

  /**
   * What a parser takes that builds the tree, its links not yet resolved, its text not yet made.
   */
  @Benchmark
  public Elements treeWithLinks() {
    Document tree =
        Jsoup.parse(new String(next().body().bytes(), StandardCharsets.UTF_8), url.toString());
    return tree.select("a[href], area[href]");
  }
}
