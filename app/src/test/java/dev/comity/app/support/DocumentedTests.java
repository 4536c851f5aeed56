package dev.comity.app.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Tests that documents name. */
public record DocumentedTests(Map<String, String> sources) {
  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern TEST =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory)\\b");

  /** A class and its method. */
  public record NamedTest(String type, String method) {}

  /** The tests that a text names. */
  public static List<NamedTest> named(String text) {
    return NAMED
        .matcher(text)
        .results()
        .map(named -> new NamedTest(named.group(1), named.group(2)))
        .toList();
  }

  /** All sources of the project, by the names of their classes. */
  public static DocumentedTests read() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module : List.of("core", "testkit", "web", "store-jdbc", "core-tests", "app")) {
      try (Stream<Path> files = Files.walk(Path.of("..").resolve(module).resolve("src"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          sources.merge(name, Files.readString(file), String::concat);
        }
      }
    }
    return new DocumentedTests(sources);
  }

  /** Whether an annotation that makes a test stands in the paragraph of the method's head. */
  public boolean has(NamedTest test) {
    String source = sources.getOrDefault(test.type(), "");
    int head = source.indexOf(" " + test.method() + "(");
    return head > 0
        && TEST.matcher(source.substring(source.lastIndexOf("\n\n", head), head)).find();
  }
}
