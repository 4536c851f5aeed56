package dev.comity.app.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
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
      Said said = Commands.crawl("--delay", "1ms", "--allow-private", "--seeds", seeds.toString());
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

  @Test
  void a_name_that_may_not_be_asked_is_a_bad_line_and_the_others_are_crawled() throws IOException {
    try (Site site = Site.open().page("/", "Home").page("/a", "A")) {
      Path seeds = file("http://169.254.169.254/\n" + site.url("/a") + "\n");
      Said said = Commands.crawl("--delay", "0", "--seeds", seeds.toString(), site.url("/"));
      assertThat(said.code()).isEqualTo(6);
      assertThat(said.err())
          .isEqualTo(
              seeds
                  + ":1: 169.254.169.254 leads to 169.254.169.254 (metadata), which is only asked"
                  + " when the address itself is named on the command line\n");
      assertThat(site.asked()).containsExactlyInAnyOrder("/robots.txt", "/", "/a");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines", "csv", "sitemap"})
  void a_seed_of_a_file_leads_inside_only_with_allow_private(String format) throws IOException {
    try (Site named = Site.open().page("/", "Named");
        Site listed = Site.open().page("/", "Listed")) {
      Path seeds =
          file(
              switch (format) {
                case "lines" -> "# one\n" + listed.url("/");
                case "csv" -> "rank,url\n1," + listed.url("/");
                default -> "<urlset><url><loc>" + listed.url("/") + "</loc></url></urlset>";
              });
      Said said = Commands.crawl("--delay", "0", "--seeds", seeds.toString(), named.url("/"));
      assertThat(said.code()).isEqualTo(6);
      assertThat(said.err())
          .isEqualTo(
              seeds
                  + (format.equals("sitemap") ? ": " : ":2: ")
                  + "127.0.0.1 leads to 127.0.0.1 (loopback), where no name out of a list may lead:"
                  + " name it on the command line, or add --allow-private\n");
      assertThat(listed.connections()).isZero();
      assertThat(named.asked()).containsExactly("/robots.txt", "/");

      Said allowed =
          Commands.crawl(
              "--delay", "0", "--allow-private", "--seeds", seeds.toString(), named.url("/"));
      assertThat(allowed.err()).isEmpty();
      assertThat(allowed.code()).isZero();
      assertThat(listed.asked()).containsExactly("/robots.txt", "/");
    }
  }

  @Test
  void a_line_that_is_refused_today_does_not_make_it_another_run() throws IOException {
    Shelf shelf = new Shelf(home.resolve("data"));
    try (Site busy =
            Site.open().reply("/", Replies.status("429 Too Many Requests", "Retry-After: 86400"));
        Site listed = Site.open().page("/", "Listed")) {
      String seeds = file(listed.url("/")).toString();
      String[] command = {"crawl", "--delay", "0", "--seeds", seeds, busy.url("/")};
      String[] allowed = {
        "crawl", "--delay", "0", "--seeds", seeds, busy.url("/"), "--allow-private"
      };
      assertThat(shelf.said(allowed).code()).isEqualTo(4);
      Said said = shelf.said(command);
      assertThat(said.err()).startsWith(seeds + ":1: 127.0.0.1 leads to 127.0.0.1 (loopback)");
      assertThat(said.code()).isEqualTo(4);
      assertThat(shelf.text("SELECT count(*) FROM crawl_runs")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"169.254.1.1", "169.254.169.254", "[fe80::1]", "[fd00:ec2::254]"})
  void not_even_allow_private_leads_a_list_to_a_link_local_address(String host) throws IOException {
    Said said =
        Commands.crawl("--allow-private", "--seeds", file("http://" + host + "/").toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .contains("which is only asked when the address itself is named on the command line");
  }
}
