package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.launcher.support.Ended;
import dev.comity.app.launcher.support.Launch;
import dev.comity.app.launcher.support.Release;
import dev.comity.app.launcher.support.Scripts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache that makes starts fast may be missing, old or broken, and nobody notices. */
class CacheIT {
  /** One that starts with the cache and needs nothing else. */
  private static final String[] COMMAND = {"config", "max-pages"};

  private static final String PREPARING = "comity: preparing faster starts (once).\n";

  /** Training takes seconds, so most tests share one release and put its cache back. */
  @TempDir private static Path shared;

  private static Release release = new Release(Path.of(""));
  private static byte[] goodCache = {};
  private static Ended answer = new Ended(-1, "", "");

  @TempDir private Path sandbox;

  @BeforeAll
  static void train() throws IOException {
    shared = shared.toRealPath();
    release = Release.in(shared.resolve("a release"));
    answer = launch(shared).with("COMITY_AOT", "off").run();
    assertThat(answer.out()).startsWith("max-pages: ");
    assertThat(launch(shared).run()).isEqualTo(answerAfterPreparing());
    goodCache = Files.readAllBytes(cache());
  }

  @BeforeEach
  void putBack() throws IOException {
    Files.write(cache(), goodCache);
  }

  @Test
  void the_first_start_leaves_a_cache_and_nothing_else() throws IOException {
    try (Stream<Path> files = Files.list(release.directory())) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrder(
              "comity", "comity.jar", "lib", cache().getFileName().toString());
    }
  }

  @Test
  void the_version_is_said_without_it() throws IOException {
    Release untrained = Release.in(sandbox.resolve("another release"));
    Launch launch = Launch.of(sandbox, untrained.launcher()).with("JAVA_HOME", Release.REAL_JAVA);
    Ended version = new Ended(0, "comity " + System.getProperty("comity.version") + "\n", "");
    for (String option : List.of("--version", "-V")) {
      assertThat(launch.called(untrained.launcher().toString(), option).run()).isEqualTo(version);
    }
    try (Stream<Path> files = Files.list(untrained.directory())) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .containsExactlyInAnyOrder("comity", "comity.jar", "lib");
    }
  }

  @Test
  void later_starts_take_the_programs_classes_from_it() throws IOException {
    Path log = sandbox.resolve("classes");
    Launch logging = launch(sandbox).with("COMITY_OPTS", "-Xlog:class+load:file=" + log);
    assertThat(logging.run()).isEqualTo(answer);
    assertThat(originOf("dev.comity.app.Main", log)).isEqualTo("shared objects file");

    assertThat(logging.with("COMITY_AOT", "off").run()).isEqualTo(answer);
    assertThat(originOf("dev.comity.app.Main", log)).startsWith("file:");
  }

  @Test
  void an_empty_cut_off_or_foreign_file_in_its_place_is_ignored_without_a_word()
      throws IOException {
    Files.write(cache(), new byte[0]);
    assertThat(launch(sandbox).run()).isEqualTo(answer);
    Files.write(cache(), List.of("not a cache at all"));
    assertThat(launch(sandbox).run()).isEqualTo(answer);
    try (RandomAccessFile file = new RandomAccessFile(cache().toFile(), "rw")) {
      file.setLength(0);
      file.write(goodCache, 0, goodCache.length * 2 / 3);
    }
    assertThat(launch(sandbox).run()).isEqualTo(answer);
  }

  @Test
  void a_damaged_one_does_not_crash_the_program() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(cache().toFile(), "rw")) {
      file.seek(goodCache.length / 3);
      file.write(new byte[65_536]);
    }
    assertThat(launch(sandbox).run()).isEqualTo(answer);
  }

  @Test
  void options_it_was_not_made_for_are_no_reason_to_speak() {
    assertThat(launch(sandbox).with("COMITY_OPTS", "-XX:+UseZGC").run()).isEqualTo(answer);
    assertThat(launch(sandbox).with("COMITY_OPTS", "-XX:-UseCompressedOops").run())
        .isEqualTo(answer);
    assertThat(launch(sandbox).with("COMITY_OPTS", "-Xshare:off").run()).isEqualTo(answer);
  }

  @Test
  void what_the_jvm_says_of_the_users_own_options_is_all_that_is_said() {
    assertThat(launch(sandbox).with("JAVA_TOOL_OPTIONS", "-Dx=y").run())
        .isEqualTo(new Ended(0, answer.out(), "Picked up JAVA_TOOL_OPTIONS: -Dx=y\n"));
  }

  @Test
  void a_newer_jar_gets_a_new_cache() throws IOException {
    Files.setLastModifiedTime(cache(), FileTime.from(Instant.now().minusSeconds(3600)));
    Files.setLastModifiedTime(release.jar(), FileTime.from(Instant.now().minusSeconds(60)));
    assertThat(launch(sandbox).run()).isEqualTo(answerAfterPreparing());
    assertThat(launch(sandbox).run()).isEqualTo(answer);
    goodCache = Files.readAllBytes(cache());
  }

  @Test
  void another_java_gets_its_own_cache_and_the_old_one_goes() throws IOException {
    Path before = cache();
    Path other = Scripts.runtime(sandbox.resolve("other java"), "25");
    Scripts.executable(
        other.resolve("bin/java"),
        "#!/bin/sh\nexec '%s/bin/java' \"$@\"\n".formatted(Release.REAL_JAVA));
    assertThat(launch(sandbox).with("JAVA_HOME", other).run()).isEqualTo(answerAfterPreparing());
    assertThat(before).doesNotExist();
    Files.delete(cache());
    Files.write(before, goodCache);
  }

  @Test
  void a_java_that_cannot_make_one_is_not_asked_twice() throws IOException {
    Path launcher = Release.hollow(sandbox.resolve("another release")).launcher();
    Path java = Scripts.runtime(sandbox.resolve("java"), "25");
    Launch launch = Launch.of(sandbox, launcher, COMMAND).with("JAVA_HOME", java);
    assertThat(launch.run().err()).isEqualTo(PREPARING);
    Ended second = launch.run();
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).doesNotContain("AOT");
  }

  @Test
  void where_the_release_cannot_be_written_to_the_cache_is_the_users_own() throws IOException {
    Release locked = Release.in(sandbox.resolve("another release"));
    Path own = Files.createDirectory(sandbox.resolve("own"));
    // For a user that the directories do not belong to.
    for (Path open : List.of(sandbox, own)) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
    Files.setPosixFilePermissions(locked.directory(), PosixFilePermissions.fromString("r-xr-xr-x"));
    Launch launch =
        Launch.of(sandbox, locked.launcher())
            .called(unprivileged(locked.launcher()))
            .with("JAVA_HOME", Release.REAL_JAVA)
            .with("XDG_CACHE_HOME", own);
    assertThat(launch.run()).isEqualTo(answerAfterPreparing());
    assertThat(own.resolve("comity").toFile().list()).hasSize(1);
    assertThat(launch.run()).isEqualTo(answer);
    Files.setPosixFilePermissions(locked.directory(), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Root may write everywhere, so it starts the launcher as another user. */
  private static String[] unprivileged(Path launcher) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      String nobody = "65534";
      command.addAll(List.of("setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups"));
    }
    command.add(launcher.toString());
    command.addAll(List.of(COMMAND));
    return command.toArray(String[]::new);
  }

  private static Ended answerAfterPreparing() {
    return new Ended(0, answer.out(), PREPARING);
  }

  private static Launch launch(Path sandbox) {
    return Launch.of(sandbox, release.launcher(), COMMAND).with("JAVA_HOME", Release.REAL_JAVA);
  }

  private static Path cache() throws IOException {
    try (Stream<Path> files = Files.list(release.directory())) {
      return files.filter(file -> file.toString().endsWith(".aot")).findFirst().orElseThrow();
    }
  }

  private static String originOf(String className, Path log) throws IOException {
    String marker = " " + className + " source: ";
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains(marker))
        .map(line -> line.substring(line.indexOf(marker) + marker.length()))
        .findFirst()
        .orElseThrow();
  }
}
