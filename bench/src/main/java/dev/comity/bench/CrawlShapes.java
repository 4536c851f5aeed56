package dev.comity.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.NullMarked;

/** The shapes of crawls that people run, one after the other, and a table of what each took. */
@NullMarked
final class CrawlShapes {
  private CrawlShapes() {}

  /** A crawl without a latency has delay 0, or else the figure says nothing about speed. */
  private record Shape(String name, int hosts, int pages, Duration delay, Duration latency) {
    static Shape fast(String name, int hosts, int pages) {
      return new Shape(name, hosts, pages, Duration.ZERO, Duration.ZERO);
    }
  }

  private static final List<Shape> SHAPES =
      List.of(
          Shape.fast("one page", 1, 1),
          Shape.fast("one site", 1, 5_000),
          Shape.fast("few large sites", 20, 2_000),
          Shape.fast("many sites", 200, 200),
          Shape.fast("very many small sites", 2_000, 20),
          new Shape("many sites, 100 ms away", 200, 100, Duration.ZERO, Duration.ofMillis(100)),
          new Shape("100 sites at a second", 100, 30, Duration.ofSeconds(1), Duration.ZERO));

  /** Crawls all of them; answers whether none had a fault. */
  static boolean run(long seed, Path directory, PrintStream out)
      throws IOException, InterruptedException {
    boolean sound = true;
    out.println(
        "| crawl | hosts × pages | pages a second | best 10 s | CPU-s per 1,000 | CPU-s | MB |");
    out.println("|---|---|---|---|---|---|---|");
    for (Shape shape : SHAPES) {
      CrawlReport report =
          new CrawlLoad(shape.hosts, shape.pages, shape.delay, shape.latency, seed, directory)
              .run();
      out.println(line(shape, report.figures()));
      report.faults().forEach(fault -> out.println("FAULT " + fault));
      sound &= report.faults().isEmpty();
    }
    return sound;
  }

  private static String line(Shape shape, Map<String, Number> figures) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d × %,d | %s | %s | %s | %s | %s |",
        shape.name,
        shape.hosts,
        shape.pages,
        figure(figures, "pages_per_second", "%,.0f"),
        figure(figures, "pages_per_second_best_10_s", "%,.0f"),
        figure(figures, "crawler_cpu_s_per_1000_pages", "%.2f"),
        figure(figures, "crawler_cpu_s", "%.1f"),
        figure(figures, "crawler_peak_rss_mb", "%,.0f"));
  }

  /** A page alone has no rate. */
  private static String figure(Map<String, Number> figures, String name, String format) {
    Number value = figures.get(name);
    return value == null
            || Double.isNaN(value.doubleValue())
            || Double.isInfinite(value.doubleValue())
        ? ""
        : String.format(Locale.ROOT, format, value.doubleValue());
  }
}
