package dev.comity.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.launcher.support.Ended;
import dev.comity.app.launcher.support.Launch;
import dev.comity.app.launcher.support.Release;
import dev.comity.app.launcher.support.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the way it is called, what runs is the program, and only the program is heard. */
class StartingIT {
  private static final Ended VERSION =
      new Ended(0, "comity " + System.getProperty("comity.version") + "\n", "");

  @TempDir private static Path sandbox;
  private static Release release = new Release(Path.of(""));

  @BeforeAll
  static void unpack() {
    release = Release.in(sandbox.resolve("a release"));
  }

  @Test
  void the_version_is_one_line_and_nothing_else() {
    assertThat(launch("--version").run()).isEqualTo(VERSION);
  }

  @Test
  void it_can_be_started_from_any_directory() throws IOException {
    Path elsewhere = Files.createDirectories(sandbox.resolve("else where"));
    assertThat(launch("--version").in(elsewhere).run()).isEqualTo(VERSION);
    assertThat(launch().called("../a release/comity", "--version").in(elsewhere).run())
        .isEqualTo(VERSION);
    assertThat(launch().called("sh", "comity", "--version").in(release.directory()).run())
        .isEqualTo(VERSION);
  }

  @Test
  void it_can_be_started_through_symbolic_links() throws IOException {
    Path bin = Files.createDirectories(sandbox.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("relative"), Path.of("../a release/comity"));
    Files.createSymbolicLink(sandbox.resolve("absolute"), bin.resolve("relative"));
    assertThat(launch().called(bin.resolve("relative").toString(), "--version").run())
        .isEqualTo(VERSION);
    assertThat(launch().called(sandbox.resolve("absolute").toString(), "--version").run())
        .isEqualTo(VERSION);
  }

  @Test
  void it_can_be_started_by_its_name_on_the_path() {
    Launch byName = launch().called("sh", "-c", "comity --version");
    assertThat(byName.withOnPath(sandbox.resolve("a release")).run()).isEqualTo(VERSION);
  }

  @Test
  void a_command_nobody_knows_ends_with_the_commands_own_exit_code() {
    Ended ended = launch("hlp").run();
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).contains("'hlp'", "Did you mean: comity help?");
  }

  @Test
  void what_is_neither_a_release_nor_sources_is_said_to_be_so() throws IOException {
    Release lost = Release.hollow(sandbox.resolve("lost"));
    Files.delete(lost.jar());
    assertThat(launch().called(lost.launcher().toString()).run())
        .isEqualTo(
            new Ended(
                3,
                "",
                "comity: neither comity.jar nor Comity's sources are in %s\n"
                    .formatted(lost.directory())));
  }

  @Test
  void arguments_and_options_arrive_as_they_were_written() {
    Path java = Scripts.runtime(sandbox.resolve("java"), "25");
    Ended ended =
        launch("a b", "*", "", "$HOME")
            .with("JAVA_HOME", java)
            .with("COMITY_OPTS", "-Xmx1g  -Dstar=*")
            .run();
    assertThat(ended.out().lines().skip(1))
        .containsExactly(
            "<-Dcomity.terminal=0>",
            "<-XX:+IgnoreUnrecognizedVMOptions>",
            "<-XX:MaxInlineLevel=5>",
            "<-XX:InlineSmallCode=800>",
            "<-XX:FreqInlineSize=80>",
            "<-XX:MaxRAM=4g>",
            "<-XX:InitialRAMPercentage=10>",
            "<--enable-native-access=ALL-UNNAMED>",
            "<-Xmx1g>",
            "<-Dstar=*>",
            "<-jar>",
            "<" + release.jar() + ">",
            "<a b>",
            "<*>",
            "<>",
            "<$HOME>");
  }

  @Test
  void a_java_program_is_run_with_the_library_whatever_java_is_on_the_path() throws IOException {
    Path bin = Files.createDirectories(sandbox.resolve("old bin"));
    Scripts.executable(bin.resolve("java"), "#!/bin/sh\necho too old\nexit 9\n");
    Path program = sandbox.resolve("Seeds.java");
    Files.writeString(
        program,
        """
        void main(String[] words) {
          try {
            dev.comity.Comity.crawl(words);
          } catch (dev.comity.CrawlRefused refused) {
            IO.println(refused.getMessage());
          }
        }
        """);
    Ended ended = launch("java", program.toString(), "a b").withOnPath(bin).run();
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).contains("\"a b\"");
    assertThat(ended.code()).isZero();
  }

  @Test
  void a_java_program_that_is_not_named_is_asked_for() {
    assertThat(launch("java").run())
        .isEqualTo(new Ended(3, "", "comity: name a Java file: comity java Titles.java URL\n"));
  }

  @Test
  void the_jvm_takes_the_launchers_place_so_that_signals_and_exit_codes_are_its_own()
      throws IOException {
    Path java = Scripts.runtime(sandbox.resolve("java"), "25");
    Scripts.executable(java.resolve("bin/java"), "#!/bin/sh\necho $$\n");
    Process process = launch("--version").with("JAVA_HOME", java).start();
    assertThat(process.inputReader().readLine()).isEqualTo(String.valueOf(process.pid()));
    assertThat(Launch.ended(process)).isEqualTo(0);

    Scripts.executable(java.resolve("bin/java"), "#!/bin/sh\nexit 42\n");
    assertThat(launch("--version").with("JAVA_HOME", java).run().code()).isEqualTo(42);
  }

  private static Launch launch(String... arguments) {
    return Launch.of(sandbox, release.launcher(), arguments)
        .with("JAVA_HOME", Release.REAL_JAVA)
        .with("COMITY_AOT", "off");
  }
}
