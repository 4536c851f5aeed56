package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Csv;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The jobs of Scrapy and wget that the README gives one line each. */
class ReadmeJobsTest {
  private static final int PAGES = 61;

  @TempDir private Path home;

  /** Runs the one command below the line that names the job. */
  private Said run(String job, Site site) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../README.md"));
    int at =
        lines.indexOf(lines.stream().filter(line -> line.contains(job)).findFirst().orElseThrow());
    assertThat(lines.get(at)).startsWith("# ");
    String command = lines.get(at + 1);
    assertThat(command).startsWith("./comity crawl ");
    List<String> words = new ArrayList<>();
    for (String word : command.substring("./comity ".length()).split(" +", -1)) {
      words.add(
          word.replace("https://example.com/", site.url("/"))
              .replace("prices.csv", home.resolve("prices.csv").toString())
              .replace("DIR", home.resolve("warc").toString()));
    }
    words.addAll(List.of("--delay", "0", "--data", home.resolve("data").toString()));
    return Commands.run(words.toArray(String[]::new));
  }

  @Test
  void a_table_of_names_and_prices_is_what_the_spider_gives() throws IOException {
    String product = "<title>%1$s</title><h1>%1$s</h1><p class=price>%2$s</p>";
    try (Site site =
        Site.open()
            .reply("/", Replies.html("<a href=/tea>Tea</a><a href=/cup>Cup</a>"))
            .reply("/tea", Replies.html(product.formatted("Tea, \"green\"", "4 \u20ac")))
            .reply("/cup", Replies.html(product.formatted("Cup", "7 \u20ac")))) {
      Said said = run("a Scrapy spider of fifteen lines", site);
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(Csv.read(Files.readString(home.resolve("prices.csv"))))
          .containsExactlyInAnyOrder(
              List.of("url", "name", "price"),
              List.of(site.url("/tea"), "Tea, \"green\"", "4 \u20ac"),
              List.of(site.url("/cup"), "Cup", "7 \u20ac"));
    }
  }

  @Test
  void sixty_one_pages_and_an_archive_are_what_wget_gives() throws IOException {
    try (Site site = Site.open()) {
      Set<String> urls = new TreeSet<>();
      for (int page = 0; page < PAGES; page++) {
        String path = page == 0 ? "/" : "/%d/%d.html".formatted(page % 7, page);
        String next = "/%d/%d.html".formatted((page + 1) % 7, page + 1);
        site.page(path, "Page " + page, page + 1 < PAGES ? next : "/");
        urls.add(site.url(path));
      }
      Said said = run("wget -m --warc-file", site);
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(answers(site)).containsExactlyInAnyOrderElementsOf(urls);
      Path out = home.resolve("pages.jsonl");
      Commands.run(
          "export", "pages", "--out", out.toString(), "--data", home.resolve("data").toString());
      Set<String> kept = new TreeSet<>();
      for (String line : Files.readAllLines(out)) {
        JsonNode page = new JsonMapper().readTree(line);
        String title = page.get("title").stringValue();
        assertThat(page.get("html").stringValue()).contains("<h1>" + title + "</h1>");
        kept.add(page.get("url").stringValue());
      }
      assertThat(kept).isEqualTo(urls);
    }
  }

  /** The URLs of the archive that were answered, but for robots.txt. */
  private List<String> answers(Site site) throws IOException {
    List<String> answers = new ArrayList<>();
    try (Stream<Path> files = Files.list(home.resolve("warc"))) {
      for (Path file : files.toList()) {
        try (WarcReader records = new WarcReader(file)) {
          for (WarcRecord each : records) {
            if (each instanceof WarcResponse response
                && !response.target().equals(site.url("/robots.txt"))) {
              answers.add(response.target());
            }
          }
        }
      }
    }
    return answers;
  }
}
