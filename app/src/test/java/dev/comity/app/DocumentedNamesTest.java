package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class that the documents name exists, so that a reader finds it. */
class DocumentedNamesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** A name in backticks that is written as classes are, perhaps with a member after it. */
  private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*)(?:[.(][^`]*)?`");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");

  /** Names of headers, columns and of classes that are not ours. */
  private static final Set<String> FOREIGN =
      Set.of(
          "GlobalRank",
          "HttpUrl",
          "InterruptedException",
          "Location",
          "OutOfMemoryError",
          "RateLimit",
          "Refresh");

  @Test
  void every_class_in_the_documents_is_there() throws IOException {
    Set<String> declared = declared();
    assertThat(declared).hasSizeGreaterThan(500);
    assertThat(unknown(declared)).isEmpty();
  }

  @Test
  void a_class_that_is_not_there_is_found_out() throws IOException {
    Set<String> declared = declared();
    declared.remove("CrawlUrl");
    assertThat(unknown(declared)).isNotEmpty().allMatch(line -> line.endsWith(" CrawlUrl"));
  }

  private static List<String> unknown(Set<String> declared) throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      for (MatchResult named : NAMED.matcher(Files.readString(document)).results().toList()) {
        String name = named.group(1);
        if (!declared.contains(name) && !FOREIGN.contains(name)) {
          unknown.add(ROOT.relativize(document) + " " + name);
        }
      }
    }
    return unknown;
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> all =
          new ArrayList<>(docs.filter(file -> file.toString().endsWith(".md")).sorted().toList());
      all.add(ROOT.resolve("README.md"));
      all.add(ROOT.resolve("CONTRIBUTING.md"));
      return all;
    }
  }

  private static Set<String> declared() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String module :
        List.of(
            "core",
            "testkit",
            "web",
            "store-jdbc",
            "store-redis",
            "core-tests",
            "library",
            "app",
            "bench")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
          DECLARED
              .matcher(Files.readString(file))
              .results()
              .forEach(declared -> names.add(declared.group(1)));
        }
      }
    }
    return names;
  }
}
