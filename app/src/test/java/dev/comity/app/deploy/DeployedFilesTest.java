package dev.comity.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.app.Main;
import dev.comity.app.settings.Environment;
import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the files of {@code deploy} start and set exists in the program. */
class DeployedFilesTest {
  private static final Pattern METRIC = Pattern.compile("\\b(comity_[a-z_]+)");

  @TempDir private Path directory;

  private static List<DeployedFile> files() throws IOException {
    return List.of(
        DeployedFile.compose(),
        DeployedFile.kubernetes(),
        DeployedFile.systemd(),
        DeployedFile.dockerfile());
  }

  /** Reads a command line without running it. */
  private static void parse(List<String> command) {
    CommandLine line = Main.commandLine(new Environment(Map.of(), Path.of("")));
    line.parseArgs(command.toArray(String[]::new));
  }

  @Test
  void every_command_line_is_one_of_the_program() throws IOException {
    for (DeployedFile file : files()) {
      assertThat(file.commands()).as(file.toString()).isNotEmpty();
      for (List<String> command : file.commands()) {
        assertThatCode(() -> parse(command)).as(command.toString()).doesNotThrowAnyException();
      }
    }
    assertThatThrownBy(() -> parse(List.of("worker", "--metric", "1")))
        .isInstanceOf(CommandLine.UnmatchedArgumentException.class);
  }

  /** A crawl of anything but this machine is refused without one. */
  @Test
  void every_crawl_names_a_contact() throws IOException {
    String compose = Files.readString(DeployedFile.path("compose.yaml"));
    List<String> crawls =
        Stream.concat(
                compose.lines().filter(line -> line.contains(" worker crawl ")),
                DeployedFile.kubernetes().commands().stream()
                    .filter(command -> command.contains("crawl"))
                    .map(command -> String.join(" ", command)))
            .toList();
    assertThat(crawls).hasSize(2).allMatch(crawl -> crawl.contains("--contact you@example.org"));
  }

  @Test
  void the_port_of_the_metrics_is_the_one_that_is_scraped() throws IOException {
    String port = "9464";
    for (DeployedFile file : List.of(DeployedFile.compose(), DeployedFile.kubernetes())) {
      assertThat(file.commands().getFirst()).contains("--metrics", "0.0.0.0:" + port);
    }
    assertThat(Files.readString(DeployedFile.path("prometheus.yaml"))).contains("port: " + port);
    String kubernetes = Files.readString(DeployedFile.path("kubernetes/worker.yaml"));
    assertThat(kubernetes)
        .contains("prometheus.io/port: \"" + port + "\"")
        .contains("containerPort: " + port)
        // A worker that waits for a run serves no metrics, and is healthy.
        .doesNotContain("livenessProbe");
  }

  @Test
  void workers_wait_for_a_database_that_is_healthy() throws IOException {
    Map<String, Object> services = DeployedFile.services();
    assertThat(String.valueOf(services.get("worker"))).contains("condition=service_healthy");
    assertThat(DeployedFile.map(Objects.requireNonNull(services.get("postgres"))))
        .containsKey("healthcheck");
  }

  @Test
  void every_variable_has_an_effect() throws IOException {
    Setup setup = new Setup(directory);
    for (DeployedFile file : files()) {
      file.variables().forEach(setup::variable);
    }
    assertThat(DeployedFile.compose().variables()).containsKey("COMITY_DB");
    assertThat(DeployedFile.systemd().variables()).containsKey("COMITY_DB");
    Said said = setup.run("config");
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    assertThat(setup.variable("COMITY_DATABASE", "x").run("config").err())
        .contains("COMITY_DATABASE has no effect");
  }

  @Test
  void passwords_are_in_files_and_never_in_an_address() throws IOException {
    for (DeployedFile file : files()) {
      for (String address : file.variables().values()) {
        assertThat(address).doesNotContainPattern("://[^/@]*:[^/@]*@");
      }
    }
  }

  @Test
  void every_metric_of_the_dashboard_is_in_the_documents() throws IOException {
    String documented = Files.readString(Path.of("..", "docs", "operating.md"));
    JsonNode dashboard =
        new JsonMapper()
            .readTree(Files.readString(DeployedFile.path("grafana/dashboards/fleet.json")));
    Set<String> shown = new TreeSet<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        METRIC
            .matcher(target.get("expr").stringValue())
            .results()
            .forEach(found -> shown.add(found.group(1)));
      }
    }
    assertThat(shown).hasSizeGreaterThan(6).allMatch(documented::contains);
  }

  @Test
  void files_that_others_name_are_there() throws IOException {
    Map<String, Object> services = DeployedFile.services();
    assertThat(services).containsOnlyKeys("postgres", "worker", "prometheus", "grafana");
    for (Object service : services.values()) {
      if (DeployedFile.map(service).get("volumes") instanceof List<?> volumes) {
        for (Object volume : volumes) {
          String from = String.valueOf(volume).split(":", 2)[0];
          assertThat(!from.startsWith(".") || Files.exists(DeployedFile.path(from)))
              .as(from)
              .isTrue();
        }
      }
    }
    for (String name :
        List.of(
            "prometheus.yaml",
            "grafana/provisioning/datasources/prometheus.yaml",
            "grafana/provisioning/dashboards/comity.yaml")) {
      assertThat(DeployedFile.documents(name)).as(name).hasSize(1);
    }
  }
}
