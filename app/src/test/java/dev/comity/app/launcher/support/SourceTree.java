package dev.comity.app.launcher.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A source tree of two modules and a Maven that writes down how it was called. What it "builds" is
 * a jar only the stand-in for Java accepts.
 */
public record SourceTree(Path root, Path tools) {
  private static final String MAVEN =
      """
      #!/bin/sh
      tree=$(pwd)
      echo "$*" >>"$tree/maven-calls"
      echo "$JAVA25_HOME" >"$tree/maven-jdk"
      echo "[INFO] Building Comity core 0.1.0-SNAPSHOT                 [1/2]"
      echo "[INFO] Downloaded from somewhere: a library"
      echo "[INFO] Building Comity app 0.1.0-SNAPSHOT                  [2/2]"
      if [ -p "$tree/gate" ]; then read -r line <"$tree/gate"; fi
      if [ -e "$tree/broken" ]; then
        echo "[ERROR] a semicolon is missing -> [Help 1]"
        echo "[ERROR] To see the full stack trace, use -e"
        exit 1
      fi
      mkdir -p "$tree/app/target/lib"
      echo library >"$tree/app/target/lib/library.jar"
      echo program >"$tree/app/target/comity.jar"
      """;

  public static SourceTree in(Path sandbox) {
    Path root = sandbox.resolve("the sources");
    Path tools = sandbox.resolve("maven");
    Scripts.executable(tools.resolve("mvn"), MAVEN);
    for (String file :
        List.of(
            "pom.xml",
            "app/pom.xml",
            "app/src/main/Main.java",
            "core/pom.xml",
            "core/src/main/Core.java",
            "core/src/main/Doomed.java",
            "core/src/test/CoreTest.java",
            "bench/pom.xml",
            "bench/src/main/Bench.java")) {
      Scripts.write(root.resolve(file), "");
    }
    try {
      Files.copy(Release.LAUNCHER, root.resolve("comity"));
      return new SourceTree(root.toRealPath(), tools);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public Path launcher() {
    return root.resolve("comity");
  }

  public Path builds() {
    return root.resolve("target/run");
  }

  public Path currentBuild() throws IOException {
    return builds().resolve(Files.readString(builds().resolve("current")).strip());
  }

  public List<String> mavenCalls() throws IOException {
    Path calls = root.resolve("maven-calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  /** As if all there is, and the build made of it, were some hours old. */
  public void age() throws IOException {
    Instant now = Instant.now();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(now.minusSeconds(7200)));
      }
    }
    Files.setLastModifiedTime(
        currentBuild().resolve("started"), FileTime.from(now.minusSeconds(3600)));
  }
}
