package dev.comity.bench;

import dev.comity.app.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The {@code comity} command in a process of its own, and what that took. Linux says both: what all
 * children that have ended took, and the most memory a process ever had.
 */
@NullMarked
final class CrawlProcess {
  /** What a tick of /proc is on every Linux. */
  private static final Duration TICK = Duration.ofMillis(10);

  /** How often its memory is looked at. */
  private static final long LOOK_EVERY_MS = 50;

  /**
   * What a process took.
   *
   * @param peak the most memory it had, in KiB; 0 where the system does not say
   */
  record Cost(int exit, double seconds, Duration cpu, long peak) {}

  private final List<String> command = new ArrayList<>();
  private final List<String> options = new ArrayList<>();

  /**
   * @param launcher the launcher of a release, or none to start the classes of this process
   */
  CrawlProcess(Optional<Path> launcher) {
    String set = System.getenv().getOrDefault("COMITY_OPTS", "").strip();
    if (!set.isEmpty()) {
      options.addAll(List.of(set.split("\\s+", -1)));
    }
    launcher.ifPresent(path -> command.addAll(List.of("sh", path.toString())));
  }

  /** Adds an option for its JVM. */
  void option(String option) {
    options.add(option);
  }

  /** Runs it in a directory, to its end. */
  Cost run(Path place, String... arguments) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(command);
    if (command.isEmpty()) {
      all.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
      all.add("--enable-native-access=ALL-UNNAMED");
      all.addAll(options);
      all.addAll(List.of("-cp", classPath(), Main.class.getName()));
    }
    all.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(all).directory(place.toFile()).inheritIO();
    // What is set for other crawls says nothing of this one.
    builder.environment().keySet().removeIf(name -> name.startsWith("COMITY_"));
    builder.environment().put("COMITY_JAVA_HOME", System.getProperty("java.home", ""));
    builder.environment().put("COMITY_OPTS", String.join(" ", options));
    Duration before = cpuOfChildren();
    long start = System.nanoTime();
    Process process = builder.start();
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    long peak = 0;
    while (!process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, peak(process.pid()));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Runtime.getRuntime().removeShutdownHook(end);
    return new Cost(process.exitValue(), seconds, cpuOfChildren().minus(before), peak);
  }

  private static long peak(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException | RuntimeException _) {
      // It has just ended.
      return 0;
    }
  }

  private static Duration cpuOfChildren() throws IOException {
    Path stat = Path.of("/proc/self/stat");
    if (!Files.exists(stat)) {
      return Duration.ZERO;
    }
    String text = Files.readString(stat);
    // The name before the last bracket may hold blanks; children's times are fields 16 and 17.
    String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    return TICK.multipliedBy(Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
  }

  /** Where this was found, from whichever directory one looks. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
