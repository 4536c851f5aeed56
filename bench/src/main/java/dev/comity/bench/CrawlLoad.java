package dev.comity.bench;

import dev.comity.bench.MeasuredCrawl.Cost;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * CrawlLoad [hosts=200] [pages=200] [delay=0s] [latency=0s] [shapes=one] [seed=1] [dir=.]
 * </pre>
 *
 * <p>{@code shapes=all} crawls the shapes of {@link CrawlShapes} instead, one after the other, and
 * prints a table.
 *
 * <p>The figures are in {@code DIR/crawl-load.json}, too. {@code COMITY_OPTS} has options for the
 * crawl's JVM, as for the command. Needs a system on which all of 127.0.0.0/8 is this machine, as
 * it is on Linux.
 */
@NullMarked
public final class CrawlLoad {
  private static final String USAGE =
      "usage: CrawlLoad [hosts=200] [pages=200] [delay=0s] [latency=0s] [shapes=one|all] [seed=1]"
          + " [dir=.]";

  /** An address each. */
  private static final int MOST_HOSTS = 60_000;

  private static final int MOST_PAGES = 1_000_000;
  private static final long MOST_SEED = 1_000_000_000;
  private static final String MEASURES = "measures";

  private final int hosts;
  private final int pages;
  private final Duration delay;
  private final Duration latency;
  private final long seed;
  private final Path directory;

  /**
   * @param latency what every answer takes
   */
  CrawlLoad(int hosts, int pages, Duration delay, Duration latency, long seed, Path directory) {
    this.hosts = hosts;
    this.pages = pages;
    this.delay = delay;
    this.latency = latency;
    this.seed = seed;
    this.directory = directory;
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
      System.exit(CrawlShapes.run(load.seed, load.directory, System.out) ? 0 : 1);
    }
    CrawlReport report = load.run();
    load.print(report, System.out);
    System.exit(report.faults().isEmpty() ? 0 : 1);
  }

  private static Map<String, String> told(String[] arguments) {
    Map<String, String> told =
        new TreeMap<>(
            Map.of("hosts", "200", "pages", "200", "delay", "0s", "seed", "1", "dir", "."));
    told.put("latency", "0s");
    told.put("shapes", "one");
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
    return told;
  }

  private static CrawlLoad read(Map<String, String> told) {
    return new CrawlLoad(
        (int) number(told, "hosts", MOST_HOSTS),
        (int) number(told, "pages", MOST_PAGES),
        duration(told, "delay"),
        duration(told, "latency"),
        number(told, "seed", MOST_SEED),
        Path.of(told.getOrDefault("dir", "")));
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
    try (CrawlServer server = CrawlServer.open(hosts, pages, seed, latency)) {
      write(place, server.web());
      Duration before = cpu();
      long start = System.nanoTime();
      int exit = crawl(place);
      double seconds = (System.nanoTime() - start) / 1e9;
      Duration served = cpu().minus(before);
      CrawlReport report = CrawlReport.of(server.web(), server.visits(), delay);
      Cost cost = Cost.read(place.resolve(MEASURES));
      Map<String, Number> figures = report.figures();
      double thousands = figures.getOrDefault("pages", 0).doubleValue() / 1_000;
      figures.put("crawler_wall_s", seconds);
      figures.put("crawler_cpu_s", cost.cpu().toMillis() / 1e3);
      if (thousands > 0) {
        figures.put("crawler_cpu_s_per_1000_pages", cost.cpu().toMillis() / 1e3 / thousands);
      }
      figures.put("crawler_peak_rss_mb", cost.peak() / 1024);
      figures.put("server_cpu_s", served.toMillis() / 1e3);
      if (exit != 0) {
        report.faults().add("the crawl ended with exit code " + exit);
      }
      if (report.faults().isEmpty()) {
        remove(place);
      } else {
        report.faults().add("what the crawl left is in " + place);
      }
      return report;
    }
  }

  /** The settings a user would write, where the command looks for them. */
  private void write(Path place, CrawlWeb web) throws IOException {
    Files.write(
        place.resolve("seeds.txt"),
        IntStream.range(0, hosts).mapToObj(host -> "http://" + web.authority(host) + "/").toList());
    String resolve =
        IntStream.range(0, hosts)
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
            .formatted(delay.toMillis(), resolve));
  }

  private static int crawl(Path place) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-D" + MeasuredCrawl.FILE + "=" + place.resolve(MEASURES));
    String options = System.getenv().getOrDefault("COMITY_OPTS", "").strip();
    if (!options.isEmpty()) {
      command.addAll(List.of(options.split("\\s+", -1)));
    }
    command.addAll(List.of("-cp", classPath(), MeasuredCrawl.class.getName(), "crawl", "--quiet"));
    ProcessBuilder builder = new ProcessBuilder(command).directory(place.toFile()).inheritIO();
    // What is set for other crawls says nothing of this one.
    builder.environment().keySet().removeIf(name -> name.startsWith("COMITY_"));
    Process process = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    return process.waitFor();
  }

  /** Where this was found, from whichever directory one looks. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
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
