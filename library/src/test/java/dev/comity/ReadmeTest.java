package dev.comity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.support.Village;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in the README is compiled and run as it stands there. */
class ReadmeTest {
  private static final Pattern PROGRAM = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

  @TempDir private Path home;

  @Test
  void the_program_in_the_readme_crawls() throws IOException, InterruptedException {
    Path file = Files.writeString(home.resolve("Titles.java"), program());
    Path errors = home.resolve("errors");
    Path words = home.resolve("words");
    try (Village village = new Village()) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  file.toString(),
                  village.url("/"))
              .redirectError(errors.toFile())
              .redirectOutput(words.toFile())
              .start();
      boolean ended = process.waitFor(2, TimeUnit.MINUTES);
      process.destroyForcibly();
      assertThat(ended).as("ends by itself").isTrue();
      assertThat(Files.readString(errors)).isEmpty();
      assertThat(process.exitValue()).isZero();
      String home = village.url("/");
      String inn = village.url("/inn");
      assertThat(Files.readAllLines(words))
          .startsWith("success " + home, "200 " + home, home + " -> " + inn)
          .contains("success " + inn, "200 " + inn, inn + " -> " + home)
          .contains("denied " + village.url("/private"))
          .last()
          .asString()
          .startsWith("finished: 2 pages, 0 failed, 1 denied, 3 requests in ");
      assertThat(village.asked()).containsExactly("/robots.txt", "/", "/inn");
    }
  }

  private static String program() throws IOException {
    Matcher found = PROGRAM.matcher(Files.readString(readme()));
    assertThat(found.find()).as("a program in the README").isTrue();
    return found.group(1);
  }

  private static Path readme() {
    Path here = Path.of("README.md");
    return Files.exists(here) ? here : Path.of("..", "README.md");
  }
}
