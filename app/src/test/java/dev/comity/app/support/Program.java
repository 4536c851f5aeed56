package dev.comity.app.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The packaged program as a process of its own, with nothing in its environment but what the test
 * puts there. Its output goes to files: a pipe nobody empties would hold it up.
 */
public final class Program implements AutoCloseable {
  private static final Path JAR = Path.of("target", "comity.jar").toAbsolutePath();
  private static final String MORE = JAR.resolveSibling("lib/more") + "/*";
  private static final String ENTRY = "dev.comity.app.EntryPoint";

  /** Arguments for which the launcher adds further libraries, too. */
  private static final Set<String> NEEDS_MORE =
      Set.of("export", "fetch", "--frontier", "--keep", "--select", "--warc");

  /** Between two looks at a program: long enough to leave it the processor. */
  public static final Duration A_LOOK = Duration.ofMillis(10);

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private final Path out;
  private final Path err;
  private final Process process;

  private Program(Path out, Path err, Process process) {
    this.out = out;
    this.err = err;
    this.process = process;
  }

  public static Program start(Path directory, String... arguments) {
    return start(directory, List.of(), List.of(), arguments);
  }

  /** Starts it with these options for the JVM and these variables, as {@code NAME=value}. */
  public static Program start(
      Path directory, List<String> options, List<String> variables, String... arguments) {
    return start(directory, false, List.of(), options, variables, arguments);
  }

  /** Starts it with a pipe for standard output, which nobody empties. */
  public static Program piped(Path directory, String... arguments) {
    return start(directory, true, List.of(), List.of(), List.of(), arguments);
  }

  private static Program start(
      Path directory,
      boolean piped,
      List<String> starter,
      List<String> options,
      List<String> variables,
      String... arguments) {
    List<String> command = new ArrayList<>(starter);
    command.addAll(List.of(JAVA.toString(), "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(
        NEEDS_MORE.stream().anyMatch(List.of(arguments)::contains)
            ? List.of("--enable-native-access=ALL-UNNAMED", "-cp", JAR + ":" + MORE, ENTRY)
            : List.of("-jar", JAR.toString()));
    command.addAll(List.of(arguments));
    try {
      Path out = Files.createTempFile(directory, "out", "");
      Path err = Files.createTempFile(directory, "err", "");
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
      if (!piped) {
        builder.redirectOutput(out.toFile());
      }
      // What a crawl keeps it keeps below where it was started.
      builder.directory(directory.toFile());
      builder.environment().clear();
      variables.forEach(
          variable -> {
            String[] pair = variable.split("=", 2);
            builder.environment().put(pair[0], pair[1]);
          });
      Process process = builder.start();
      process.getOutputStream().close();
      return new Program(out, err, process);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Starts it with no file allowed to grow beyond so many blocks of 512 bytes. */
  public static Program confined(Path directory, int blocks, String... arguments) {
    return start(
        directory,
        false,
        List.of("sh", "-c", "ulimit -f " + blocks + " && exec \"$@\"", "sh"),
        List.of(),
        List.of(),
        arguments);
  }

  /** Starts it with no more than so many file descriptors. */
  public static Program withDescriptors(Path directory, int limit, String... arguments) {
    return start(
        directory,
        false,
        List.of("sh", "-c", "ulimit -n " + limit + " && exec \"$@\"", "sh"),
        List.of(),
        List.of(),
        arguments);
  }

  /** Leaves, as the reader of its pipe. */
  public void closeReader() throws IOException {
    process.getInputStream().close();
  }

  /** Sends a signal by its name. */
  public void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new AssertionError("could not send " + name);
    }
  }

  /**
   * Waits until the program has heard that it should end, which shows in the thread that then runs.
   * Only where the system lists the threads of a process as files.
   */
  public void awaitStopHeard() throws IOException, InterruptedException {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    while (process.isAlive()) {
      try (var list = Files.list(threads)) {
        if (list.anyMatch(Program::isStopping)) {
          return;
        }
      }
      endsWithin(A_LOOK);
    }
    throw new AssertionError("it ended before it was seen stopping: " + ended());
  }

  private static boolean isStopping(Path thread) {
    try {
      // The state follows the name: once the thread sleeps, it has told the crawl to stop.
      return Files.readString(thread.resolve("stat")).contains("(stop the crawl) S ");
    } catch (IOException _) {
      // That thread has ended meanwhile.
      return false;
    }
  }

  /** Ends it as a crash would. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Lets it live for so long; answers whether it ended by itself meanwhile. */
  public boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What it has said so far. */
  public String saidSoFar() throws IOException {
    return Files.readString(out);
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Waits for the end; the bound only keeps a broken program from hanging the build. */
  public Said ended() {
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        throw new AssertionError("still running; it said " + Files.readString(out));
      }
      return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the program ran", interrupted);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
