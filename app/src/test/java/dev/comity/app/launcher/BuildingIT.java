package dev.comity.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.launcher.support.Ended;
import dev.comity.app.launcher.support.Launch;
import dev.comity.app.launcher.support.Scripts;
import dev.comity.app.launcher.support.SourceTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a source tree the launcher builds when it must, once, and never starts half a build. */
class BuildingIT {
  private static final String MAVEN_CALL =
      "-B -Dstyle.color=never -pl app -am package -Dmaven.test.skip=true -Dformat.skip=true";

  @TempDir private Path sandbox;
  private SourceTree tree = new SourceTree(Path.of(""), Path.of(""));
  private Path jdk = Path.of("");
  private Launch launch = Launch.of(Path.of(""), Path.of(""));

  @BeforeEach
  void checkOut() throws IOException {
    sandbox = sandbox.toRealPath();
    tree = SourceTree.in(sandbox);
    jdk = Scripts.jdk(sandbox.resolve("a jdk"), "25");
    launch =
        Launch.of(sandbox, tree.launcher(), "--version")
            .with("JAVA_HOME", jdk)
            .with("COMITY_AOT", "off")
            .withOnPath(tree.tools());
  }

  @Test
  void the_first_start_builds_what_the_program_needs_and_shows_how_far_it_is() throws IOException {
    Ended ended = launch.run();
    assertThat(ended.code()).isEqualTo(0);
    assertThat(ended.err())
        .isEqualTo(
            """
            comity: building from source. The first build downloads libraries and takes some minutes; later ones take seconds.
            comity: [1/2] Comity core
            comity: [2/2] Comity app, downloads: 1
            """);
    assertThat(ended.out().lines().filter(argument -> !argument.startsWith("<-XX:")))
        .containsExactly(
            "java of " + jdk,
            "<-Dcomity.terminal=0>",
            "<-jar>",
            "<%s/comity.jar>".formatted(tree.currentBuild()),
            "<--version>");
    assertThat(tree.mavenCalls()).containsExactly(MAVEN_CALL);
    assertThat(tree.currentBuild().resolve("lib/library.jar")).hasContent("library");
  }

  @Test
  void maven_is_told_of_the_jdk_that_was_found() throws IOException {
    Path runtime = Scripts.runtime(sandbox.resolve("runtime"), "25");
    Path places = sandbox.resolve("places");
    Path compiler = Scripts.jdk(places.resolve("jdk"), "26");
    Ended ended = launch.with("JAVA_HOME", runtime).with("COMITY_JAVA_PLACES", places).run();
    assertThat(tree.root().resolve("maven-jdk")).hasContent(compiler.toString());
    assertThat(ended.out()).startsWith("java of %s\n".formatted(runtime));
  }

  @Test
  void later_starts_build_nothing() throws IOException {
    launch.run();
    assertThat(launch.run().err()).isEmpty();
    assertThat(tree.mavenCalls()).hasSize(1);
  }

  @Test
  void a_changed_source_or_pom_and_a_deleted_source_are_noticed() throws IOException {
    launch.run();
    for (String changed : new String[] {"core/src/main/Core.java", "pom.xml", "app/pom.xml"}) {
      tree.age();
      int calls = tree.mavenCalls().size();
      Files.writeString(tree.root().resolve(changed), "changed");
      assertThat(launch.run().err()).startsWith("comity: the sources have changed; building.\n");
      assertThat(tree.mavenCalls()).as(changed).hasSize(calls + 1);
    }
    tree.age();
    Files.delete(tree.root().resolve("core/src/main/Doomed.java"));
    launch.run();
    assertThat(tree.mavenCalls()).hasSize(5);
  }

  @Test
  void tests_and_benchmarks_are_no_part_of_the_program() throws IOException {
    launch.run();
    tree.age();
    Files.writeString(tree.root().resolve("core/src/test/CoreTest.java"), "changed");
    Files.writeString(tree.root().resolve("bench/src/main/Bench.java"), "changed");
    launch.run();
    assertThat(tree.mavenCalls()).hasSize(1);
  }

  @Test
  void a_failed_build_names_its_log_and_leaves_nothing_to_start() throws IOException {
    Scripts.write(tree.root().resolve("broken"), "");
    Ended ended = launch.run();
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err())
        .endsWith(
            """
            [ERROR] a semicolon is missing -> [Help 1]
            comity: the build failed; the whole log is in %s/build.log
            """
                .formatted(tree.builds()));
    assertThat(tree.builds().toFile().list()).containsExactly("build.log");

    Files.delete(tree.root().resolve("broken"));
    assertThat(launch.run().code()).isEqualTo(0);
    assertThat(tree.mavenCalls()).hasSize(2);
  }

  @Test
  void after_a_failed_rebuild_the_older_program_is_not_started_in_its_place() throws IOException {
    launch.run();
    tree.age();
    Scripts.write(tree.root().resolve("broken"), "");
    Files.writeString(tree.root().resolve("core/src/main/Core.java"), "changed");
    assertThat(launch.run().code()).isEqualTo(3);
    assertThat(launch.run().code()).isEqualTo(3);
    assertThat(tree.mavenCalls()).hasSize(3);
  }

  @Test
  void of_two_starts_at_once_one_builds_and_the_other_waits() throws Exception {
    Path gate = tree.root().resolve("gate");
    assertThat(new ProcessBuilder("mkfifo", gate.toString()).start().waitFor()).isEqualTo(0);
    Process builder = launch.start();
    BufferedReader progress = builder.errorReader();
    progress.readLine();
    Process other = launch.start();
    assertThat(other.errorReader().readLine())
        .isEqualTo(
            "comity: another start (process %d) is building; waiting for it."
                .formatted(builder.pid()));
    Files.writeString(gate, "go\n");
    assertThat(Launch.ended(builder)).isEqualTo(0);
    assertThat(Launch.ended(other)).isEqualTo(0);
    assertThat(tree.mavenCalls()).hasSize(1);
    assertThat(tree.builds().resolve("lock")).doesNotExist();
  }

  @Test
  void the_lock_of_a_builder_that_died_is_taken_over() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Scripts.write(tree.builds().resolve("lock/holder"), dead.pid() + "\n");
    assertThat(launch.run().code()).isEqualTo(0);
    assertThat(tree.mavenCalls()).hasSize(1);
    assertThat(tree.builds().resolve("lock")).doesNotExist();
  }

  @Test
  void a_program_that_still_runs_keeps_its_jars_when_the_next_is_built() throws IOException {
    Scripts.executable(jdk.resolve("bin/java"), "#!/bin/sh\necho up\nread -r line || exit 0\n");
    Process crawl = launch.start();
    assertThat(crawl.inputReader().readLine()).isEqualTo("up");
    Path itsBuild = tree.currentBuild();
    rebuild();
    Path second = tree.currentBuild();
    assertThat(itsBuild.resolve("comity.jar")).exists();

    crawl.getOutputStream().close();
    Launch.ended(crawl);
    rebuild();
    assertThat(tree.currentBuild()).isNotEqualTo(second);
    assertThat(itsBuild).doesNotExist();
    assertThat(second).doesNotExist();
  }

  @Test
  void a_missing_maven_is_named_with_ways_to_install_it() throws IOException {
    Files.delete(tree.tools().resolve("mvn"));
    Ended ended = launch.run();
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.err())
        .isEqualTo(
            "comity: Maven was not found; it builds Comity from source. Install it (Debian: apt"
                + " install maven, macOS: brew install maven, or https://maven.apache.org) and"
                + " start again.\n");
    assertThat(tree.builds()).isEmptyDirectory();
  }

  @Test
  void a_java_that_cannot_compile_is_not_enough_to_build() {
    Path runtime = Scripts.runtime(sandbox.resolve("runtime"), "25");
    assertThat(launch.with("JAVA_HOME", runtime).run())
        .isEqualTo(
            new Ended(
                3,
                "",
                "comity: a JDK 25 or newer is needed to build; %s only runs programs. Install one or set JAVA25_HOME.\n"
                    .formatted(runtime)));
  }

  private void rebuild() throws IOException {
    tree.age();
    Files.writeString(tree.root().resolve("pom.xml"), "changed");
    assertThat(launch.run().code()).isEqualTo(0);
  }
}
