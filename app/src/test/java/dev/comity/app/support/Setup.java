package dev.comity.app.support;

import dev.comity.app.Main;
import dev.comity.app.settings.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Commands in surroundings of a test's own: a directory with a file of settings, an environment.
 */
public final class Setup {
  private static final JsonMapper JSON = new JsonMapper();

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();

  public Setup(Path directory) {
    this.directory = directory;
  }

  /** Has a comity.yaml of these lines. */
  public Setup file(String... lines) {
    return fileNamed("comity.yaml", lines);
  }

  public Setup fileNamed(String name, String... lines) {
    try {
      Files.write(directory.resolve(name), List.of(lines));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return this;
  }

  public Setup variable(String name, String value) {
    environment.put(name, value);
    return this;
  }

  public Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine(new Environment(environment, directory))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Said(code, out.toString(), err.toString());
  }

  /** What {@code comity config} says of a setting. */
  public JsonNode setting(String name, String... flags) {
    String[] arguments = Arrays.copyOf(new String[] {"config", "--json"}, flags.length + 2);
    System.arraycopy(flags, 0, arguments, 2, flags.length);
    Said said = run(arguments);
    return said.out()
        .lines()
        .map(JSON::readTree)
        .filter(line -> line.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not among " + said));
  }
}
