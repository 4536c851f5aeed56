package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedFileTest {
  @TempDir private Path home;

  private Path file(String content) throws IOException {
    return Files.write(home.resolve("seeds.txt"), content.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void good_lines_are_crawled_and_bad_ones_named_by_their_numbers() throws IOException {
    try (Site site = Site.open().page("/", "Home").page("/a", "A").page("/b", "B")) {
      Path seeds =
          file(
              "\ufeff# a comment after a mark\r\n"
                  + site.url("/")
                  + "\r\n\r\n"
                  + "ftp://example.com/\r\n"
                  + "https://"
                  + "a".repeat(1 << 20)
                  + "/\r\n"
                  + site.url("/a")
                  + "\r\n"
                  + "http://exa\0mple.com/\r\n"
                  + site.url("/")
                  + "\r\n"
                  + "co.uk\r\n"
                  + "  "
                  + site.url("/b"));
      Said said = Commands.crawl("--delay", "1ms", "--seeds", seeds.toString());
      assertThat(said.code()).isEqualTo(6);
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/a", "/b");
      assertThat(said.err().lines().map(line -> line.replace(seeds.toString(), "FILE")))
          .containsExactly(
              "FILE:4: cannot crawl \"ftp://example.com/\": only http and https are crawled",
              "FILE:5: a line of 1048586 bytes is no URL",
              "FILE:7: it has NUL characters, so it is not text in UTF-8",
              "FILE:9: cannot start from \"co.uk\": it is a public suffix, under which anybody may"
                  + " register, not one site; name a site under it");
    }
  }

  @Test
  void a_file_with_good_lines_only_ends_with_0_and_joins_what_the_command_line_says()
      throws IOException {
    try (Site site = Site.open().page("/", "Home").page("/a", "A")) {
      Path seeds = file(site.url("/a"));
      Said said = Commands.crawl("--delay", "1ms", "--seeds", seeds.toString(), site.url("/"));
      assertThat(said.code()).isZero();
      assertThat(said.err()).isEmpty();
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# nothing\r\n", "\ufeff", "mailto:a@example.com"})
  void a_file_without_a_good_line_is_refused(String content) throws IOException {
    Said said = Commands.crawl("--seeds", file(content).toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("no line of " + home.resolve("seeds.txt") + " is a URL");
  }

  @Test
  void a_directory_a_missing_file_and_nothing_at_all_are_refused() {
    assertThat(Commands.crawl("--seeds", home.toString()))
        .matches(said -> said.code() == 2 && said.err().contains("is a directory"));
    assertThat(Commands.crawl("--seeds", home.resolve("none").toString()))
        .matches(said -> said.code() == 2 && said.err().contains("none cannot be read"));
    assertThat(Commands.crawl())
        .matches(said -> said.code() == 2 && said.err().contains("nowhere to start"));
  }

  @Test
  void of_many_bad_lines_the_first_are_named_and_the_rest_counted() throws IOException {
    Said said = Commands.crawl("--seeds", file("ftp://a/\n".repeat(50)).toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("seeds.txt:20: ").doesNotContain("seeds.txt:21: ");
    assertThat(said.err()).contains("and 30 bad lines more");
  }
}
