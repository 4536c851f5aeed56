package dev.comity.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.NullMarked;

/** The shapes of crawls that people run, one after the other, and a table of what each took. */
@NullMarked
final class CrawlShapes {
  private static final SequencedMap<String, CrawlShape> SHAPES = new LinkedHashMap<>();

  static {
    CrawlShape many = CrawlShape.fast(500, 200);
    SHAPES.put("one page", CrawlShape.fast(1, 1));
    SHAPES.put("one site", CrawlShape.fast(1, 5_000));
    SHAPES.put("one large site", CrawlShape.fast(1, 40_000));
    SHAPES.put("few large sites", CrawlShape.fast(20, 5_000));
    SHAPES.put("many sites", many);
    SHAPES.put("many sites over https", many.overHttps());
    SHAPES.put("many sites, 100 ms away", many.away(Duration.ofMillis(100)));
    SHAPES.put("very many small sites", CrawlShape.fast(5_000, 20));
    SHAPES.put("1,000 sites at a second", CrawlShape.fast(1_000, 30).every(Duration.ofSeconds(1)));
  }

  private CrawlShapes() {}

  /** Crawls all of them; answers whether none had a fault. */
  static boolean run(long seed, Path directory, Optional<Path> launcher, PrintStream out)
      throws IOException, InterruptedException {
    boolean sound = true;
    out.println(
        "| crawl | hosts × pages | pages a second | best 10 s | CPU-s per 1,000 | CPU-s | MB |");
    out.println("|---|---|---|---|---|---|---|");
    for (Map.Entry<String, CrawlShape> shape : SHAPES.entrySet()) {
      CrawlReport report = new CrawlLoad(shape.getValue(), seed, directory, launcher).run();
      out.println(line(shape.getKey(), shape.getValue(), report.figures()));
      report.faults().forEach(fault -> out.println("FAULT " + fault));
      sound &= report.faults().isEmpty();
    }
    return sound;
  }

  private static String line(String name, CrawlShape shape, Map<String, Number> figures) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d × %,d | %s | %s | %s | %s | %s |",
        name,
        shape.hosts(),
        shape.pages(),
        figure(figures, "pages_per_second", "%,.0f"),
        figure(figures, "pages_per_second_best_10_s", "%,.0f"),
        figure(figures, "crawler_cpu_s_per_1000_pages", "%.2f"),
        figure(figures, "crawler_cpu_s", "%.1f"),
        figure(figures, "crawler_peak_rss_mb", "%,.0f"));
  }

  /** A page alone has no rate. */
  private static String figure(Map<String, Number> figures, String name, String format) {
    Number value = figures.get(name);
    boolean rate = !figures.getOrDefault("pages", 0).equals(1) || !name.contains("1000");
    return value == null || !rate || !Double.isFinite(value.doubleValue())
        ? ""
        : String.format(Locale.ROOT, format, value.doubleValue());
  }
}
