package dev.comity.app.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What a file of {@code deploy} says about the program.
 *
 * @param commands the arguments of each call
 * @param variables its environment
 */
record DeployedFile(List<List<String>> commands, Map<String, String> variables) {
  private static final Path DEPLOY = Path.of("..", "deploy");
  private static final Pattern LAUNCHER = Pattern.compile("(?m)^ExecStart=\\S*/comity (.*)$");
  private static final Pattern DEFAULT = Pattern.compile("(?m)^CMD \\[(.*)]$");
  private static final Pattern VARIABLE = Pattern.compile("(?m)^#? *((?:COMITY|PG)[A-Z_]*)=(.*)$");

  static Path path(String name) {
    return DEPLOY.resolve(name);
  }

  /** Every document of a YAML file. */
  static List<Object> documents(String name) throws IOException {
    List<Object> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(Files.readString(path(name)))
        .forEach(documents::add);
    return documents;
  }

  static DeployedFile compose() throws IOException {
    DeployedFile file = empty();
    for (Object service : services().values()) {
      Map<String, Object> told = map(service);
      if ("comity".equals(told.get("image"))) {
        file.commands.add(texts(of(told, "command")));
        map(of(told, "environment")).forEach((name, value) -> file.variables.put(name, "" + value));
      }
    }
    return file;
  }

  /** The services of the compose file. */
  static Map<String, Object> services() throws IOException {
    return map(of(map(documents("compose.yaml").getFirst()), "services"));
  }

  private static Object of(Map<String, Object> told, String key) {
    return Objects.requireNonNull(told.get(key), key);
  }

  static DeployedFile kubernetes() throws IOException {
    DeployedFile file = empty();
    documents("kubernetes/worker.yaml").forEach(document -> search(document, file));
    return file;
  }

  /** Containers are found wherever they are. */
  private static void search(Object node, DeployedFile file) {
    if (node instanceof List<?> list) {
      list.forEach(one -> search(one, file));
    } else if (node instanceof Map<?, ?>) {
      Map<String, Object> told = map(node);
      if ("comity".equals(told.get("image"))) {
        file.commands.add(texts(of(told, "args")));
        for (Object variable : (List<?>) of(told, "env")) {
          file.variables.put("" + map(variable).get("name"), "" + map(variable).get("value"));
        }
      }
      told.values().forEach(one -> search(one, file));
    }
  }

  static DeployedFile systemd() throws IOException {
    return text("systemd/comity-worker@.service", LAUNCHER, " ");
  }

  static DeployedFile dockerfile() throws IOException {
    return text("Dockerfile", DEFAULT, ", *");
  }

  private static DeployedFile text(String name, Pattern command, String between)
      throws IOException {
    DeployedFile file = empty();
    String text = Files.readString(path(name));
    command
        .matcher(text)
        .results()
        .forEach(
            found ->
                file.commands.add(List.of(found.group(1).replace("\"", "").split(between, -1))));
    VARIABLE
        .matcher(text)
        .results()
        .forEach(found -> file.variables.put(found.group(1), found.group(2)));
    return file;
  }

  private static DeployedFile empty() {
    return new DeployedFile(new ArrayList<>(), new LinkedHashMap<>());
  }

  @SuppressWarnings("unchecked") // A mapping of YAML whose keys are texts.
  static Map<String, Object> map(Object node) {
    return (Map<String, Object>) node;
  }

  private static List<String> texts(Object node) {
    return ((List<?>) node).stream().map(String::valueOf).toList();
  }
}
