package dev.comity.bench;

import dev.comity.app.Main;
import dev.comity.bench.LimitedImages.Request;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * {@code fetch --images} of a long list on many hosts, some of which are limited, killed twice on
 * its way. The hosts' own log and the files on the disk judge it. Ends with exit code 1 if one of
 * its bars is missed.
 */
@NullMarked
public final class FetchLoad {
  private static final int DELAY_MS = 100;

  /** The host notices a request late on a busy machine, and the one before it later still. */
  private static final int JITTER_MS = 10;

  /** Requests of a limited host that count as learning. */
  private static final int LEARNING = 20;

  private static final int LONGEST_MINUTES = 20;

  private final int hosts;
  private final int imagesPerHost;
  private final LimitedImages web;
  private final Path directory;
  private int missed;

  private FetchLoad(int hosts, int imagesPerHost, LimitedImages web, Path directory) {
    this.hosts = hosts;
    this.imagesPerHost = imagesPerHost;
    this.web = web;
    this.directory = directory;
  }

  /** HOSTS LIMITED IMAGES_A_HOST; 200, 20 and 100 without any. */
  public static void main(String... arguments) throws IOException, InterruptedException {
    int hosts = number(arguments, 0, 200);
    int limited = number(arguments, 1, 20);
    int imagesPerHost = number(arguments, 2, 100);
    Path directory = Files.createTempDirectory("fetch-load");
    try (LimitedImages web = new LimitedImages(hosts, limited, imagesPerHost)) {
      FetchLoad load = new FetchLoad(hosts, imagesPerHost, web, directory);
      load.run();
      System.exit(load.missed == 0 ? 0 : 1);
    }
  }

  private static int number(String[] arguments, int index, int otherwise) {
    return index < arguments.length ? Integer.parseInt(arguments[index]) : otherwise;
  }

  private void run() throws IOException, InterruptedException {
    Path list = directory.resolve("list.txt");
    List<String> urls = new ArrayList<>();
    for (int image = 0; image < imagesPerHost; image++) {
      for (int host = 0; host < hosts; host++) {
        urls.add(web.url(host, image));
      }
    }
    Files.write(list, urls);
    long began = System.nanoTime();
    int inFlight = killAfter(urls.size() / 4) + killAfter(urls.size() / 2);
    Process last = fetch();
    if (!last.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
      last.destroyForcibly();
      throw new IllegalStateException("it does not end");
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf(
        "%d URLs on %d hosts, two kills, %.0f s, exit code %d%n",
        urls.size(), hosts, seconds, last.exitValue());
    judge(inFlight);
  }

  private Process fetch() throws IOException {
    return start(
        "fetch", "list.txt", "--images", "--quiet", "--allow-private", "--delay", DELAY_MS + "ms");
  }

  private Process start(String... words) throws IOException {
    String classPath =
        String.join(
            File.pathSeparator,
            Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx1g", "-cp", classPath));
    command.add(Main.class.getName());
    command.addAll(List.of(words));
    return new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
  }

  /** Kills it after so many answers; returns how many requests were not settled at most. */
  private int killAfter(int answers) throws IOException, InterruptedException {
    Process process = fetch();
    while (web.answered() < answers) {
      if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("it ended with " + process.exitValue());
      }
    }
    int before = web.answered();
    process.destroyForcibly().waitFor();
    // At most five requests of a host are in flight, and all of them with a group in writing.
    return Math.min(before, hosts * 5);
  }

  private void judge(int inFlight) throws IOException, InterruptedException {
    int existing = 0;
    int got = 0;
    int twice = 0;
    int refused = 0;
    int refusedLate = 0;
    int late = 0;
    int limited = 0;
    int shortGaps = 0;
    long leastGap = Long.MAX_VALUE;
    for (int host = 0; host < hosts; host++) {
      Map<Integer, Integer> served = new HashMap<>();
      List<Request> requests = web.requests(host);
      for (int at = 0; at < requests.size(); at++) {
        Request request = requests.get(at);
        if (request.status() != 429) {
          served.merge(request.image(), 1, Integer::sum);
        }
        if (web.isLimited(host)) {
          limited++;
          refused += request.status() == 429 ? 1 : 0;
          late += at >= LEARNING ? 1 : 0;
          refusedLate += at >= LEARNING && request.status() == 429 ? 1 : 0;
        }
        if (at > 0) {
          long gap = (request.nanos() - requests.get(at - 1).nanos()) / 1_000_000;
          leastGap = Math.min(leastGap, gap);
          shortGaps += gap < DELAY_MS - JITTER_MS ? 1 : 0;
        }
      }
      for (int image = 0; image < imagesPerHost; image++) {
        int times = served.getOrDefault(image, 0);
        existing += web.exists(host, image) ? 1 : 0;
        got += times > 0 && web.exists(host, image) ? 1 : 0;
        twice += Math.max(0, times - 1);
      }
    }
    long files = files();
    System.out.printf(
        "%d images exist, %d were served, %d files are kept; %d asked twice%n",
        existing, got, files, twice);
    System.out.printf(
        "limited hosts: %d requests, %d refused; %d of %d refused after the first %d of a host%n",
        limited, refused, refusedLate, late, LEARNING);
    System.out.printf(
        "least gap %d ms, %d gaps under %d ms%n", leastGap, shortGaps, DELAY_MS - JITTER_MS);
    require(files >= 0.99 * existing, "at least 99 % of what exists is kept");
    require(files == got, "every image that was served is kept, each once");
    require(twice <= inFlight, "only what was in flight at a kill is asked twice");
    require(refusedLate <= 0.01 * late, "at most 1 % is refused after learning");
    // A busy machine lets a host notice requests late; the log has the moments of first bytes.
    require(start("doctor").waitFor() == 0, "by the log no gap is too short, and all of it agrees");
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.walk(directory.resolve("comity-data").resolve("images"))) {
      return all.filter(path -> path.toString().endsWith(".png")).count();
    }
  }

  private void require(boolean holds, String bar) {
    System.out.println((holds ? "met:    " : "MISSED: ") + bar);
    missed += holds ? 0 : 1;
  }
}
