package dev.comity.bench;

import dev.comity.app.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The {@code comity} command, which at its end writes down what the whole process took. What that
 * needs is in {@code java.base}, so that measuring costs next to nothing.
 */
@NullMarked
final class MeasuredCrawl {
  /** The property that names the file to write into. */
  static final String FILE = "comity.measures";

  private MeasuredCrawl() {}

  /**
   * What a process took.
   *
   * @param peak the most memory it ever had, in KiB; 0 where the system does not say
   */
  record Cost(Duration cpu, long peak) {
    /** What was written down; nothing where the process was killed. */
    static Cost read(Path file) throws IOException {
      if (!Files.exists(file)) {
        return new Cost(Duration.ZERO, 0);
      }
      String[] parts = Files.readString(file).split(" ", -1);
      return new Cost(Duration.parse(parts[0]), Long.parseLong(parts[1]));
    }

    private static Cost own() throws IOException {
      Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
      Path status = Path.of("/proc/self/status");
      if (!Files.exists(status)) {
        return new Cost(cpu, 0);
      }
      try (Stream<String> lines = Files.lines(status)) {
        return new Cost(
            cpu,
            lines
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElse(0));
      }
    }
  }

  public static void main(String[] arguments) {
    Path file = Path.of(System.getProperty(FILE, "measures"));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file)));
    Main.main(arguments);
  }

  private static void write(Path file) {
    try {
      Cost cost = Cost.own();
      Files.writeString(file, cost.cpu() + " " + cost.peak());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
