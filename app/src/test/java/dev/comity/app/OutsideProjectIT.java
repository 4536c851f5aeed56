package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project outside the tree depends on the library as docs/library.md says, is built by Maven and
 * crawls. It has no logging provider, and the library prints nothing.
 */
class OutsideProjectIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String VERSION =
      Objects.requireNonNull(System.getProperty("comity.version"));
  private static final Pattern DEPENDENCY =
      Pattern.compile("```xml\\R(<dependency>.*?</dependency>)\\R```", Pattern.DOTALL);

  private static final String PROGRAM =
      """
      package outside;

      import dev.comity.Comity;
      import java.nio.file.Path;
      import java.time.Duration;

      public final class Program {
        public static void main(String[] sites) throws Exception {
          Comity.crawl(sites)
              .delay(Duration.ZERO)
              .data(Path.of("data"))
              .onPage(page -> System.out.println(page.status() + " " + page.url()))
              .run();
        }
      }
      """;

  @TempDir private Path project;

  @Test
  void a_project_outside_the_tree_builds_with_the_library_and_crawls_in_silence() throws Exception {
    install("comity", ROOT.resolve("pom.xml"));
    for (String module : List.of("core", "web", "store-jdbc", "content", "library")) {
      install("comity-" + module, ROOT.resolve(module).resolve("pom.xml"));
    }
    Files.writeString(project.resolve("pom.xml"), pom());
    Files.writeString(project.resolve("settings.xml"), settings());
    Path sources = Files.createDirectories(project.resolve("src/main/java/outside"));
    Files.writeString(sources.resolve("Program.java"), PROGRAM);
    Said built =
        run(
            "mvn",
            "-B",
            "-q",
            "-s",
            "settings.xml",
            "-Dmaven.repo.local=" + project.resolve("repository"),
            plugin("maven-compiler-plugin") + ":compile",
            plugin("maven-dependency-plugin") + ":copy-dependencies");
    assertThat(built.code()).as("%s%s", built.out(), built.err()).isZero();
    try (Site site = Site.open().page("/", "Home", "/1").page("/1", "One")) {
      Said crawled =
          run(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-cp",
              "target/classes:target/dependency/*",
              "outside.Program",
              site.url("/"));
      assertThat(crawled.err()).isEmpty();
      assertThat(crawled.out().lines())
          .containsExactly("200 " + site.url("/"), "200 " + site.url("/1"));
    }
  }

  /** Puts a module where {@code mvn install} would. */
  private void install(String artifact, Path pom) throws IOException {
    Path place =
        Files.createDirectories(
            project.resolve("repository/dev/comity").resolve(artifact).resolve(VERSION));
    String name = artifact + "-" + VERSION;
    Files.copy(pom, place.resolve(name + ".pom"), StandardCopyOption.REPLACE_EXISTING);
    Path jar = pom.resolveSibling("target").resolve(name + ".jar");
    if (!artifact.equals("comity")) {
      Files.copy(jar, place.resolve(name + ".jar"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static String pom() throws IOException {
    Matcher documented = DEPENDENCY.matcher(Files.readString(ROOT.resolve("docs/library.md")));
    assertThat(documented.find()).as("a dependency in docs/library.md").isTrue();
    return """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>outside</groupId>
      <artifactId>outside</artifactId>
      <version>1</version>
      <properties>
        <maven.compiler.release>25</maven.compiler.release>
        <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
      </properties>
      <dependencies>
    %s
      </dependencies>
    </project>
    """
        .formatted(documented.group(1));
  }

  /** What this build has downloaded is there for the other project, so that it needs no network. */
  private static String settings() {
    return """
    <settings>
      <mirrors>
        <mirror>
          <id>downloaded</id>
          <mirrorOf>*</mirrorOf>
          <url>%s</url>
        </mirror>
      </mirrors>
    </settings>
    """
        .formatted(
            Path.of(Objects.requireNonNull(System.getProperty("comity.repository"))).toUri());
  }

  /** A plugin in the version this build uses, which is therefore downloaded. */
  private static String plugin(String artifact) throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>" + artifact + "</artifactId>\\s*<version>([^<]+)</version>")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertThat(version.find()).as("the version of %s", artifact).isTrue();
    return "org.apache.maven.plugins:" + artifact + ":" + version.group(1);
  }

  private Said run(String... command) throws IOException, InterruptedException {
    Path out = project.resolve("out");
    Path err = project.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(project.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("ends by itself").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Said(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
