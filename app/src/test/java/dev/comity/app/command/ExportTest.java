package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.ZstdInputStream;
import dev.comity.app.support.Csv;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExportTest {
  @TempDir private Path home;

  private String exported(Shelf shelf, String... arguments) throws IOException {
    Path file = home.resolve("exported");
    List<String> words = new ArrayList<>(List.of("export"));
    words.addAll(List.of(arguments));
    words.addAll(List.of("--out", file.toString()));
    Said said = shelf.said(words.toArray(String[]::new));
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return Files.readString(file);
  }

  @Test
  void pages_are_lines_of_json() throws IOException {
    List<String> lines = exported(Shelf.small(home), "pages").lines().toList();
    assertThat(lines).hasSize(2);
    JsonNode page = new JsonMapper().readTree(lines.getFirst());
    assertThat(page.get("url").stringValue()).isEqualTo("https://able.example/");
    assertThat(page.get("title").stringValue()).isEqualTo("Able");
    assertThat(page.get("started_at").stringValue()).isEqualTo("2023-11-14T22:13:30.000Z");
    assertThat(page.get("total_ms").longValue()).isEqualTo(300);
    assertThat(lines.get(1)).doesNotContain("title");
  }

  @Test
  void domains_and_the_log_have_a_row_each_under_their_names() throws IOException {
    Shelf shelf = Shelf.small(home);
    List<List<String>> domains = Csv.read(exported(shelf, "domains", "--format", "csv"));
    assertThat(domains).hasSize(4);
    assertThat(domains.getFirst()).startsWith("domain", "parent_domain", "status");
    assertThat(domains.get(2)).startsWith("baker.example", "baker.example", "blocked", "forbidden");
    List<List<String>> log = Csv.read(exported(shelf, "log", "--format", "csv"));
    assertThat(log).hasSize(3).allMatch(row -> row.size() == log.getFirst().size());
    assertThat(log.get(2)).contains("https://able.example/two", "2023-11-14T22:13:40.000Z");
  }

  @ParameterizedTest
  @CsvSource({
    "pages.csv, true",
    "pages.CSV.gz, true",
    "pages.jsonl.gz, false",
    "pages.gz, false",
    "p, false"
  })
  void the_ending_of_a_file_names_its_format_and_packing(String name, boolean isCsv)
      throws IOException {
    Path file = home.resolve(name);
    Said said = Shelf.small(home).said("export", "pages", "--out", file.toString());
    assertThat(said.code()).isZero();
    try (InputStream bytes = Files.newInputStream(file);
        InputStream unpacked = name.endsWith(".gz") ? new GZIPInputStream(bytes) : bytes) {
      String text = new String(unpacked.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).startsWith(isCsv ? "run,domain,url" : "{\"run\":");
    }
  }

  @Test
  void a_named_format_goes_before_the_ending() throws IOException {
    Path file = home.resolve("pages.csv");
    Shelf.small(home).said("export", "pages", "--out", file.toString(), "--format", "jsonl");
    assertThat(file).content().startsWith("{");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pages", "domains", "log", "failed"})
  void a_table_of_nothing_has_its_heading_all_the_same(String what) throws IOException {
    String something = exported(Shelf.small(home.resolve("full")), what, "--format", "csv");
    Shelf empty = Shelf.empty(home.resolve("empty"));
    String nothing = exported(empty, what, "--format", "csv");
    assertThat(nothing.lines()).containsExactly(something.lines().findFirst().orElseThrow());
    String json = exported(Shelf.small(home.resolve("json")), what).lines().findFirst().orElse("");
    assertThat(Csv.read(something).getFirst())
        .containsAll(new JsonMapper().readTree(json).propertyNames());
  }

  @Test
  void whatever_a_title_holds_comes_back_and_is_no_formula() throws IOException {
    Shelf shelf = Shelf.small(home);
    for (String title :
        List.of(
            "=cmd|' /C calc'!A0",
            "+1",
            "-1",
            "@SUM(A1)",
            "\tx",
            "\rx",
            "\nx",
            "'quoted",
            "''",
            "a,b",
            "say \"hi\"",
            "two\r\nlines",
            Shelf.HOSTILE)) {
      shelf.run("UPDATE pages SET title = " + Shelf.literal(title) + " WHERE id = 1");
      List<List<String>> rows = Csv.read(exported(shelf, "pages", "--format", "csv"));
      assertThat(rows).hasSize(3);
      String cell = rows.get(1).get(rows.getFirst().indexOf("title"));
      assertThat(cell.charAt(0)).isNotIn('=', '+', '-', '@', '\t', '\r', '\n');
      assertThat(cell.startsWith("'") ? cell.substring(1) : cell).isEqualTo(title);
    }
  }

  @Test
  void a_title_made_to_upset_terminals_is_escaped_in_json() throws IOException {
    Shelf shelf = Shelf.small(home);
    shelf.run("UPDATE pages SET title = " + Shelf.literal(Shelf.HOSTILE) + " WHERE id = 1");
    String text = exported(shelf, "pages");
    assertThat(text.chars().filter(DomainsTest::movesATerminal)).containsOnly((int) '\n');
    assertThat(
            new JsonMapper()
                .readTree(text.lines().findFirst().orElseThrow())
                .get("title")
                .stringValue())
        .isEqualTo(Shelf.HOSTILE);
  }

  @Test
  void a_file_that_cannot_be_written_is_named() {
    Path nowhere = home.resolve("missing").resolve("file");
    Said said = Shelf.small(home).said("export", "pages", "--out", nowhere.toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).startsWith("comity: cannot write to " + nowhere);
  }

  @Test
  void a_full_disk_is_said_and_fails() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "this system has no device that is always full");
    Said said = Shelf.small(home).said("export", "pages", "--out", full.toString());
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .isEqualTo("comity: cannot write to /dev/full: No space left on device\n");
  }

  @Test
  void what_there_is_none_of_is_named() {
    Said said = Shelf.small(home).said("export", "everything");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .contains("PAGES, IMAGES, DOMAINS, LOG, FAILED, CDXJ, WACZ, WEBDATASET", "'everything'");
  }

  @Test
  void a_file_that_ends_in_zst_is_packed_with_zstd() throws IOException {
    Path file = home.resolve("pages.tsv.zst");
    assertThat(Shelf.small(home).said("export", "pages", "--out", file.toString()).code()).isZero();
    try (InputStream in = new ZstdInputStream(Files.newInputStream(file))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("run\tdomain\turl\tstatus\t")
          .contains("\n1\table.example\thttps://able.example/two\t200\t");
    }
  }

  @Test
  void a_cell_of_tsv_is_one_cell_and_no_formula_whatever_it_holds() throws IOException {
    Shelf shelf = Shelf.small(home);
    shelf.run("UPDATE pages SET title = " + Shelf.literal("=a\tb\r\nc\\d") + " WHERE id = 1");
    List<String> lines = exported(shelf, "pages", "--format", "tsv").lines().toList();
    assertThat(lines).hasSize(3);
    int title = List.of(lines.getFirst().split("\t", -1)).indexOf("title");
    assertThat(lines.get(1).split("\t", -1)[title]).isEqualTo("'=a\\tb\\r\\nc\\\\d");
  }

  @ParameterizedTest
  @CsvSource({
    "--run=1, 2",
    "--run=7, 0",
    "--domain=able.example, 2",
    "--domain=baker.example, 0",
    "--status=200, 2",
    "--status=2XX, 2",
    "--status=404, 0",
    "--status=5xx, 0",
    "--since=2023-11-14T22:13:31Z, 1",
    "--until=2023-11-14T22:13:40Z, 1",
    "--until=2023-11-14T22:13:41Z, 2",
    "--since=2023-11-14, 2",
    "--since=2023-11-15, 0"
  })
  void filters_choose_pages_and_requests(String filter, int rows) throws IOException {
    Shelf shelf = Shelf.small(home);
    assertThat(exported(shelf, "pages", filter).lines()).hasSize(rows);
    assertThat(exported(shelf, "log", filter).lines()).hasSize(rows);
  }

  @Test
  void several_domains_are_chosen_together() throws IOException {
    Shelf shelf = Shelf.small(home);
    assertThat(
            exported(
                    shelf,
                    "domains",
                    "--domain",
                    "ABLE.example",
                    "--domain",
                    "baker.example",
                    "--domain",
                    "nowhere.example")
                .lines())
        .hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pages|--status=20|status is 20, but must be one like 200, or 4xx for all of them",
        "pages|--since=yesterday|since is yesterday, but must be a day like 2026-11-18",
        "images|--status=200|images are found in many runs, so --run and --status do not",
        "domains|--run=1|domains are no requests, so only --domain can choose among them"
      })
  void a_filter_that_cannot_be_meant_is_named(String what, String filter, String words) {
    Said said = Shelf.small(home).said("export", what, filter);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains(words);
  }

  @Test
  void urls_that_were_not_fetched_are_listed_with_their_reasons() throws IOException {
    Shelf shelf = Shelf.small(home);
    shelf.run(
        "UPDATE crawl_log SET fate = 'failed', outcome = 'timeout', status = NULL WHERE id = 1");
    shelf.run(
        "UPDATE domain_frontier SET state = 2 WHERE id = (SELECT url_id FROM crawl_log WHERE id ="
            + " 1)");
    shelf.run(
        "UPDATE domain_frontier SET state = 3 WHERE id = (SELECT url_id FROM crawl_log WHERE id ="
            + " 2)");
    List<List<String>> rows = Csv.read(exported(shelf, "failed", "--format", "csv"));
    assertThat(rows).hasSize(3);
    assertThat(rows.get(1))
        .startsWith("1", "able.example", "https://able.example/", "failed", "timeout", "");
    assertThat(rows.get(2))
        .startsWith("", "able.example", "https://able.example/two", "denied", "robots_txt", "");
    assertThat(Csv.read(exported(shelf, "failed", "--format", "csv", "--run", "1"))).hasSize(2);
  }
}
