package dev.comity.app.launcher.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * One start of the launcher: which command, where, and with which environment. The environment is
 * empty but for a PATH that has the ordinary tools and neither Java nor Maven.
 */
public final class Launch {
  private static final List<String> TOOLS =
      List.of(
          "cat",
          "cksum",
          "cp",
          "date",
          "find",
          "mkdir",
          "mv",
          "ps",
          "readlink",
          "rm",
          "sed",
          "sh",
          "sleep",
          "sync");

  private static final String PATH = tools().toString();

  private final List<String> command;
  private final Path directory;
  private final Map<String, String> environment = new TreeMap<>();

  private Launch(Path sandbox, List<String> command) {
    this.command = command;
    this.directory = sandbox;
    environment.put("PATH", PATH);
    environment.put("HOME", sandbox.resolve("nobody's home").toString());
    environment.put("COMITY_JAVA_PLACES", sandbox.resolve("no java here").toString());
  }

  private Launch(List<String> command, Path directory, Map<String, String> environment) {
    this.command = command;
    this.directory = directory;
    this.environment.putAll(environment);
  }

  /** A start of the given launcher, with a directory the test may fill. */
  public static Launch of(Path sandbox, Path launcher, String... arguments) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    return new Launch(sandbox, command);
  }

  public Launch in(Path otherDirectory) {
    return new Launch(command, otherDirectory, environment);
  }

  public Launch called(String... otherCommand) {
    return new Launch(List.of(otherCommand), directory, environment);
  }

  public Launch with(String name, Object value) {
    Launch changed = new Launch(command, directory, environment);
    changed.environment.put(name, value.toString());
    return changed;
  }

  public Launch withOnPath(Path first) {
    return with("PATH", first + ":" + environment.get("PATH"));
  }

  public Ended run() {
    try {
      Path out = Files.createTempFile(directory, "out", "");
      Path err = Files.createTempFile(directory, "err", "");
      Process process = builder().redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      int code = ended(process);
      Ended ended = new Ended(code, Files.readString(out), Files.readString(err));
      Files.delete(out);
      Files.delete(err);
      return ended;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Starts without waiting, for tests in which two are under way. */
  public Process start() {
    try {
      return builder().start();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The exit code; a launcher that hangs is stopped and fails the test instead of the build. */
  public static int ended(Process process) {
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("the launcher ends").isTrue();
      return process.exitValue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the launcher ran", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }

  private ProcessBuilder builder() {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }

  private static Path tools() {
    try {
      Path tools = Path.of("target", "launcher-tools").toAbsolutePath();
      Files.createDirectories(tools);
      for (String tool : TOOLS) {
        Path link = tools.resolve(tool);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, find(tool));
      }
      return tools;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Path find(String tool) {
    return Pattern.compile(":")
        .splitAsStream(System.getenv("PATH"))
        .map(directory -> Path.of(directory, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("not on the PATH: " + tool));
  }
}
