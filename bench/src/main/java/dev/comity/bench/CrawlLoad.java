package dev.comity.bench;

import dev.comity.bench.CrawlProcess.Cost;
import dev.comity.testkit.tls.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * A whole crawl, judged by what its hosts saw. This process is the hosts, each at an address of its
 * own on this machine; the crawl is the {@code comity} command in a JVM of its own, told by a
 * settings file as anybody would. It fails when a page was missed or asked twice, when one was
 * asked that robots.txt forbids, or when two requests came too close.
 *
 * <pre>
 * CrawlLoad [hosts=200] [pages=200] [delay=0s] [latency=0s] [https=false] [shapes=one]
 *   [seed=1] [dir=.] [launcher=FILE]
 * </pre>
 *
 * <p>{@code shapes=all} crawls the shapes of {@link CrawlShapes} instead, one after the other, and
 * prints a table.
 *
 * <p>With the launcher of a release the crawl starts as a user starts it, from the start cache and
 * with the launcher's JVM options; otherwise the classes of this process are started.
 *
 * <p>The figures are in {@code DIR/crawl-load.json}, too. {@code COMITY_OPTS} has options for the
 * crawl's JVM, as for the command. Needs a system on which all of 127.0.0.0/8 is this machine, as
 * it is on Linux.
 */
@NullMarked
public final class CrawlLoad {
  private static final String USAGE =
      "usage: CrawlLoad [hosts=200] [pages=200] [delay=0s] [latency=0s] [https=false]"
          + " [shapes=one|all] [seed=1] [dir=.] [launcher=FILE]";

  /** An address each. */
  private static final int MOST_HOSTS = 60_000;

  private static final int MOST_PAGES = 1_000_000;
  private static final long MOST_SEED = 1_000_000_000;

  /** A host's certificate is good for all of them: what is measured is the crawl. */
  private static final String ANY_HOST = "*.example";

  private final CrawlShape shape;
  private final long seed;
  private final Path directory;
  private final Optional<Path> launcher;

  /**
   * @param launcher the launcher of a release, or none to start the classes of this process
   */
  CrawlLoad(CrawlShape shape, long seed, Path directory, Optional<Path> launcher) {
    this.shape = shape;
    this.seed = seed;
    this.directory = directory;
    this.launcher = launcher;
  }

  public static void main(String[] arguments) throws Exception {
    CrawlLoad load;
    Map<String, String> told;
    try {
      told = told(arguments);
      load = read(told);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage() + "\n" + USAGE);
      System.exit(2);
      return;
    }
    if ("all".equals(told.get("shapes"))) {
      System.exit(CrawlShapes.run(load.seed, load.directory, load.launcher, System.out) ? 0 : 1);
    }
    CrawlReport report = load.run();
    load.print(report, System.out);
    System.exit(report.faults().isEmpty() ? 0 : 1);
  }

  private static Map<String, String> told(String[] arguments) {
    Map<String, String> told = new TreeMap<>(Map.of("hosts", "200", "pages", "200", "seed", "1"));
    told.putAll(Map.of("delay", "0s", "latency", "0s", "https", "false"));
    told.putAll(Map.of("shapes", "one", "dir", ".", "launcher", ""));
    for (String argument : arguments) {
      String[] pair = argument.split("=", 2);
      if (pair.length < 2 || told.replace(pair[0], pair[1]) == null) {
        throw new IllegalArgumentException(
            "%s is no argument: there are %s".formatted(argument, told.keySet()));
      }
    }
    if (!List.of("one", "all").contains(told.getOrDefault("shapes", ""))) {
      throw new IllegalArgumentException(
          "shapes is %s, but must be one or all".formatted(told.get("shapes")));
    }
    if (!List.of("true", "false").contains(told.getOrDefault("https", ""))) {
      throw new IllegalArgumentException(
          "https is %s, but must be true or false".formatted(told.get("https")));
    }
    return told;
  }

  private static CrawlLoad read(Map<String, String> told) {
    CrawlShape shape =
        new CrawlShape(
            (int) number(told, "hosts", MOST_HOSTS),
            (int) number(told, "pages", MOST_PAGES),
            duration(told, "delay"),
            duration(told, "latency"),
            Boolean.parseBoolean(told.get("https")));
    return new CrawlLoad(
        shape,
        number(told, "seed", MOST_SEED),
        Path.of(told.getOrDefault("dir", "")),
        Optional.of(told.getOrDefault("launcher", ""))
            .filter(path -> !path.isEmpty())
            .map(path -> Path.of(path).toAbsolutePath().normalize()));
  }

  private static long number(Map<String, String> told, String name, long most) {
    String text = told.getOrDefault(name, "");
    if (!text.matches("[1-9]\\d{0,17}") || Long.parseLong(text) > most) {
      throw new IllegalArgumentException(
          "%s is %s, but must be a whole number from 1 to %d".formatted(name, text, most));
    }
    return Long.parseLong(text);
  }

  private static Duration duration(Map<String, String> told, String name) {
    String text = told.getOrDefault(name, "");
    double unit = text.endsWith("ms") ? 1 : 1_000;
    try {
      return Duration.ofMillis(Math.round(unit * Double.parseDouble(text.replaceAll("m?s$", ""))));
    } catch (NumberFormatException wrong) {
      throw new IllegalArgumentException(
          "%s is %s, but must be one like 500ms, 1s or 1.5s".formatted(name, text), wrong);
    }
  }

  CrawlReport run() throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path place = Files.createTempDirectory(directory, "crawl-").toAbsolutePath();
    CrawlProcess process = new CrawlProcess(launcher);
    TestCertificate issuer = TestCertificate.issuer();
    TestCertificate any = TestCertificate.of(ANY_HOST).signedBy(issuer).made();
    try (CrawlServer server = CrawlServer.open(shape, seed, any.server())) {
      write(place, server.web());
      if (shape.https()) {
        trust(issuer, place, process);
      }
      if (launcher.isPresent()) {
        // The first start of a release prepares faster ones.
        process.run(place, "queue");
      }
      Duration before = cpu();
      Cost cost = process.run(place, "crawl", "--quiet");
      Duration served = cpu().minus(before);
      CrawlReport report = CrawlReport.of(server.web(), server.visits(), shape.delay());
      Map<String, Number> figures = report.figures();
      double thousands = figures.getOrDefault("pages", 0).doubleValue() / 1_000;
      figures.put("crawler_wall_s", cost.seconds());
      figures.put("crawler_cpu_s", cost.cpu().toMillis() / 1e3);
      if (thousands > 0) {
        figures.put("crawler_cpu_s_per_1000_pages", cost.cpu().toMillis() / 1e3 / thousands);
      }
      figures.put("crawler_peak_rss_mb", cost.peak() / 1024);
      figures.put("server_cpu_s", served.toMillis() / 1e3);
      if (cost.exit() != 0) {
        report.faults().add("the crawl ended with exit code " + cost.exit());
      }
      if (report.faults().isEmpty()) {
        remove(place);
      } else {
        report.faults().add("what the crawl left is in " + place);
      }
      return report;
    }
  }

  /** The JVM of the crawl trusts this issuer and no other, so the chains are verified. */
  private static void trust(TestCertificate issuer, Path place, CrawlProcess process)
      throws IOException {
    Path trusted = place.resolve("trusted.p12");
    String password = "comity";
    try (OutputStream out = Files.newOutputStream(trusted)) {
      issuer.trusted().store(out, password.toCharArray());
    } catch (GeneralSecurityException unable) {
      throw new IllegalStateException(unable);
    }
    process.option("-Djavax.net.ssl.trustStore=" + trusted);
    process.option("-Djavax.net.ssl.trustStorePassword=" + password);
  }

  /** The settings a user would write, where the command looks for them. */
  private void write(Path place, CrawlWeb web) throws IOException {
    Files.write(
        place.resolve("seeds.txt"),
        IntStream.range(0, shape.hosts()).mapToObj(host -> web.root(host) + "/").toList());
    String resolve =
        IntStream.range(0, shape.hosts())
            .mapToObj(
                host -> "\n  - \"" + web.authority(host) + ":" + CrawlWeb.address(host) + "\"")
            .collect(Collectors.joining());
    Files.writeString(
        place.resolve("comity.yaml"),
        """
        delay: %dms
        max-pages: 1000000000
        max-pages-per-domain: 1000000000
        seeds: [seeds.txt]
        resolve:%s
        """
            .formatted(shape.delay().toMillis(), resolve));
  }

  private static Duration cpu() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static void remove(Path place) throws IOException {
    try (Stream<Path> files = Files.walk(place)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void print(CrawlReport report, PrintStream out) throws IOException {
    report.figures().forEach((name, value) -> out.printf("%-32s %14s%n", name, written(value)));
    report.faults().forEach(fault -> out.println("FAULT " + fault));
    Files.writeString(directory.resolve("crawl-load.json"), json(report));
  }

  /** Names and numbers of our own: nothing in them needs escaping. */
  static String json(CrawlReport report) {
    return report.figures().entrySet().stream()
        .map(figure -> "  \"" + figure.getKey() + "\": " + written(figure.getValue()))
        .collect(Collectors.joining(",\n", "{\n", "\n}\n"));
  }

  private static String written(Number value) {
    return value instanceof Double fraction
        ? String.format(Locale.ROOT, "%.4f", fraction)
        : value.toString();
  }
}
