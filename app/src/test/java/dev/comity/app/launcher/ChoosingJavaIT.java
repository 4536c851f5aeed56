package dev.comity.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.launcher.support.Ended;
import dev.comity.app.launcher.support.Launch;
import dev.comity.app.launcher.support.Release;
import dev.comity.app.launcher.support.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which Java runs the program, in the order of how clearly somebody asked for it. */
class ChoosingJavaIT {
  @TempDir private Path sandbox;
  private Launch launch = Launch.of(Path.of(""), Path.of(""));

  @BeforeEach
  void unpack() throws IOException {
    sandbox = sandbox.toRealPath();
    Path launcher = Release.hollow(sandbox.resolve("release")).launcher();
    launch = Launch.of(sandbox, launcher, "--version").with("COMITY_AOT", "off");
  }

  @Test
  void who_asks_more_clearly_is_heard_first() throws IOException {
    Path places = sandbox.resolve("usual places");
    Launch asked = launch.with("COMITY_JAVA_PLACES", "/nowhere:" + places);

    Path usual = Scripts.runtime(places.resolve("jdk-25"), "25.0.3");
    assertThat(chosen(asked)).isEqualTo(usual);

    // As distributions do it: a link on the PATH to a link somewhere else to the real one.
    Path onPath = Scripts.runtime(sandbox.resolve("on path"), "25.0.3");
    Path bin = Files.createDirectories(sandbox.resolve("bin"));
    Files.createSymbolicLink(sandbox.resolve("alternative"), onPath.resolve("bin/java"));
    Files.createSymbolicLink(bin.resolve("java"), Path.of("../alternative"));
    asked = asked.withOnPath(bin);
    assertThat(chosen(asked)).isEqualTo(onPath);

    Path numbered = Scripts.runtime(sandbox.resolve("numbered home"), "26-ea");
    asked = asked.with("JAVA25_HOME", numbered);
    assertThat(chosen(asked)).isEqualTo(numbered);

    Path plain = Scripts.runtime(sandbox.resolve("plain home"), "25");
    asked = asked.with("JAVA_HOME", plain);
    assertThat(chosen(asked)).isEqualTo(plain);

    Path own = Scripts.runtime(sandbox.resolve("own home"), "100.1");
    asked = asked.with("COMITY_JAVA_HOME", own);
    assertThat(chosen(asked)).isEqualTo(own);
  }

  @Test
  void what_is_too_old_is_passed_over() {
    Path old = Scripts.runtime(sandbox.resolve("old"), "24.0.2");
    Path ancient = Scripts.runtime(sandbox.resolve("ancient"), "1.8.0_402");
    Path places = sandbox.resolve("places");
    Scripts.runtime(places.resolve("a-17"), "17.0.15");
    Path good = Scripts.runtime(places.resolve("b-25"), "25");
    Launch asked = launch.with("JAVA_HOME", old).with("JAVA25_HOME", ancient);
    assertThat(chosen(asked.with("COMITY_JAVA_PLACES", places))).isEqualTo(good);
  }

  @Test
  void a_mac_keeps_java_two_directories_deeper() {
    Path places = sandbox.resolve("places");
    Path home = Scripts.runtime(places.resolve("temurin-25.jdk/Contents/Home"), "25");
    assertThat(chosen(launch.with("COMITY_JAVA_PLACES", places))).isEqualTo(home);
  }

  @Test
  void without_a_release_file_java_itself_is_asked() {
    Path old = sandbox.resolve("old");
    Path good = sandbox.resolve("good");
    silentJava(old, "openjdk version \"17.0.15\" 2025-04-15");
    silentJava(good, "Picked up JAVA_TOOL_OPTIONS: -Dx\nopenjdk version \"25.0.3\" 2026-04-21 LTS");
    assertThat(chosen(launch.with("JAVA_HOME", old).with("JAVA25_HOME", good))).isEqualTo(good);
  }

  @Test
  void with_no_java_at_all_it_says_what_to_install_and_how_to_point_to_it() {
    assertThat(launch.run())
        .isEqualTo(
            new Ended(
                3,
                "",
                """
                comity: Java 25 or newer was not found.
                comity: Install a JDK 25, for example from https://adoptium.net, or say where one is:
                comity:   export COMITY_JAVA_HOME=/path/to/jdk-25
                """));
  }

  @Test
  void with_only_an_old_java_it_says_which() {
    Path old = Scripts.runtime(sandbox.resolve("old"), "17.0.15");
    Ended ended = launch.with("JAVA_HOME", old).run();
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.err().lines())
        .first()
        .isEqualTo(
            "comity: Java 25 or newer was not found. What there is: 17.0.15 in %s.".formatted(old));
  }

  @Test
  void a_java_that_was_asked_for_by_name_is_never_silently_replaced() {
    Path old = Scripts.runtime(sandbox.resolve("old"), "17.0.15");
    Path good = Scripts.runtime(sandbox.resolve("good"), "25");
    Launch asked = launch.with("JAVA_HOME", good);
    assertThat(asked.with("COMITY_JAVA_HOME", old).run())
        .isEqualTo(
            new Ended(
                3,
                "",
                "comity: COMITY_JAVA_HOME is no Java 25 or newer: 17.0.15 in %s.\n"
                    .formatted(old)));
    assertThat(asked.with("COMITY_JAVA_HOME", "/nowhere").run())
        .isEqualTo(
            new Ended(
                3,
                "",
                "comity: COMITY_JAVA_HOME is no Java 25 or newer: no bin/java in /nowhere.\n"));
  }

  private static void silentJava(Path home, String version) {
    Scripts.executable(
        home.resolve("bin/java"),
        """
        #!/bin/sh
        if [ "$1" = -version ]; then
          printf '%%b\\n' '%s' >&2
        else
          echo "java of ${0%%/bin/java}"
        fi
        """
            .formatted(version.replace("\n", "\\n")));
  }

  private static Path chosen(Launch launch) {
    Ended ended = launch.run();
    assertThat(ended.err()).isEmpty();
    String first = ended.out().lines().findFirst().orElseThrow();
    assertThat(first).startsWith("java of ");
    return Path.of(first.substring("java of ".length()));
  }
}
