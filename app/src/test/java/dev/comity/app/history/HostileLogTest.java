package dev.comity.app.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.StoredFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs and states of other crawlers that are damaged, cut off or made to harm. */
class HostileLogTest {
  private static final String HEAD = "domain,page_url,status,images_found,crawled_at\n";
  private static final String GOOD = "good.example,https://good.example/,200,0,2026-02-05\n";

  @TempDir private Path home;

  private Said run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--data", home.resolve("data").toString()));
    return new Setup(home).run(all.toArray(String[]::new));
  }

  private Said take(String command, Object... more) {
    List<String> words = new ArrayList<>(List.of(command));
    Arrays.stream(more).map(Object::toString).forEach(words::add);
    Said said = run(words.toArray(String[]::new));
    if (said.code() == 0 || said.code() == 6) {
      assertThat(run("doctor").code()).isZero();
    }
    return said;
  }

  private Path file(String name, String text) throws IOException {
    return file(name, text, StandardCharsets.UTF_8);
  }

  private Path file(String name, String text, Charset charset) throws IOException {
    return Files.write(home.resolve(name), text.getBytes(charset));
  }

  private String info(String domain) {
    return run("domain-info", domain, "--json").out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "tsv", "jsonl"})
  void bytes_that_are_no_utf_8_cost_their_row_alone(String ending) throws IOException {
    String row =
        ending.equals("jsonl")
            ? "{\"domain\":\"%1$s\",\"page_url\":\"https://%1$s/caf\u00e9\",\"status\":200}\n"
            : "%1$s,https://%1$s/caf\u00e9,200,0,2026-02-05\n";
    String good = ending.equals("jsonl") ? "{\"domain\":\"good.example\",\"status\":200}\n" : GOOD;
    String text = (ending.equals("jsonl") ? "" : HEAD) + row.formatted("bad.example") + good;
    Said said =
        take(
            "backfill",
            file(
                "log." + ending,
                ending.equals("tsv") ? text.replace(',', '\t') : text,
                StandardCharsets.ISO_8859_1));
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err())
        .startsWith("log.%s:%d: ".formatted(ending, ending.equals("jsonl") ? 1 : 2))
        .contains("has bytes that are not UTF-8");
    assertThat(said.out()).startsWith("2 rows read, 1 left out").contains("1 domain: 1 new");
  }

  @Test
  void a_file_of_another_alphabet_is_refused_as_a_whole() throws IOException {
    Said said = take("backfill", file("log.csv", HEAD + GOOD, StandardCharsets.UTF_16));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("there is no row that could be used");
    assertThat(home.resolve("data")).doesNotExist();
  }

  @Test
  void a_byte_order_mark_and_line_ends_of_other_systems_are_no_matter() throws IOException {
    Said said = take("backfill", file("log.csv", "\ufeff" + (HEAD + GOOD).replace("\n", "\r")));
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).startsWith("1 row read, 0 left out");
  }

  @Test
  void nuls_and_controls_in_names_cost_their_rows_alone() throws IOException {
    Said said =
        take(
            "backfill",
            file(
                "log.csv",
                HEAD
                    + "n\0ul.example,,200,0,2026-02-05\n"
                    + "x\u001b[31m,https://ok.example/a\0b,200,0,2026-02-05\n"
                    + ",https://n\0.example/,200,0,2026-02-05\n"
                    + GOOD));
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err()).doesNotContain("\0").doesNotContain("\u001b");
    assertThat(said.err().lines()).allMatch(line -> line.startsWith("log.csv:"));
    assertThat(said.out()).startsWith("4 rows read, ");
    assertThat(info("good.example")).contains("\"requests\":1");
  }

  @Test
  void a_url_of_a_megabyte_costs_its_row_alone() throws IOException {
    String endless = "https://long.example/" + "a".repeat(3_000_000);
    Said said =
        take(
            "backfill",
            file("log.csv", HEAD + "long.example," + endless + ",200,0,2026-02-05\n" + GOOD));
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err()).startsWith("log.csv:2: ").hasLineCount(1);
    assertThat(said.err().length()).isLessThan(300);
    assertThat(said.out()).startsWith("2 rows read, 1 left out");
    Said heritrix =
        take("import", "heritrix", file("recover", "F+ " + endless + "\nF+ https://h.example/\n"));
    assertThat(heritrix.code()).isEqualTo(6);
    assertThat(heritrix.out()).contains("1 queued");
  }

  @Test
  void times_that_cannot_be_are_named_or_put_where_they_can() throws IOException {
    Said said =
        take(
            "backfill",
            file(
                "log.csv",
                HEAD
                    + "a.example,https://a.example/,200,0,2026-02-30\n"
                    + "b.example,https://b.example/,200,0,infinity\n"
                    + "c.example,https://c.example/,200,0,+999999999-12-31\n"
                    + "d.example,https://d.example/,200,0,-999999999-01-01\n"
                    + "e.example,https://e.example/,200,0,0\n"
                    + "f.example,https://f.example/,200,0,999999999999999\n"));
    assertThat(said.err().lines())
        .containsExactly(
            "log.csv:2: crawled_at is \"2026-02-30\", no time",
            "log.csv:3: crawled_at is \"infinity\", no time");
    assertThat(info("d.example")).doesNotContain("\"last_crawled_at\"");
    assertThat(info("e.example")).doesNotContain("\"last_crawled_at\"");
    String year = LocalDate.now(ZoneOffset.UTC).getYear() + "-";
    assertThat(info("c.example")).contains("\"last_crawled_at\":\"" + year);
    assertThat(info("f.example")).contains("\"last_crawled_at\":\"" + year);
  }

  @Test
  void a_table_that_was_cut_off_loses_its_last_row_and_says_so() throws IOException {
    Said said = take("backfill", file("log.csv", HEAD + GOOD + "cut.example,https://cut.exa"));
    assertThat(said.err()).isEqualTo("log.csv:3: it has 2 values, but rows before it have 5\n");
    assertThat(said.out()).startsWith("2 rows read, 1 left out").contains("1 domain: 1 new");
  }

  @Test
  void a_quote_that_never_ends_costs_its_row_alone() throws IOException {
    Said said =
        take(
            "backfill",
            file(
                "log.csv", HEAD + "q.example,\"https://q.example/,200,0,\n" + GOOD.repeat(30_000)));
    assertThat(said.err().lines().filter(line -> line.contains(":")))
        .containsExactly("log.csv:2: it has no status");
    assertThat(info("good.example")).contains("\"requests\":30000");
  }

  @Test
  void a_row_with_more_values_than_columns_is_named() throws IOException {
    Said said = take("backfill", file("log.csv", HEAD + GOOD.replace("good.", "a,b.") + GOOD));
    assertThat(said.err())
        .isEqualTo("log.csv:2: it is no row: quotes, braces or separators do not fit\n");
  }

  @Test
  void lines_that_are_no_json_are_named_and_null_is_no_status() throws IOException {
    Said said =
        take(
            "backfill",
            file(
                "log.jsonl",
                """
                {"domain":"a.example","page_url":null,"status":null}
                {"domain":"a.example","status":
                [1]
                {"domain":"a.example"}
                {"domain":{"$ref":"x"},"status":200}
                """));
    assertThat(said.err().lines())
        .containsExactly(
            "log.jsonl:2: it is no row: quotes, braces or separators do not fit",
            "log.jsonl:3: it is no row: quotes, braces or separators do not fit",
            "log.jsonl:5: it names neither a URL nor a domain");
    assertThat(info("a.example")).contains("\"requests\":2", "\"status\":\"unreachable\"");
  }

  @Test
  void a_log_without_statuses_closes_no_domain_because_it_is_refused() throws Exception {
    Said said =
        take("backfill", file("log.csv", "domain,page_url\na.example,https://a.example/\n"));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("log.csv:2: it has no status");
    Path database = home.resolve("past.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE crawl_log (domain TEXT, page_url TEXT)");
    }
    Said refused = take("backfill", database);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains(
            "crawl_log has columns [domain, page_url]; a log needs domain or page_url, and status");
    assertThat(take("backfill", file("urls.txt", "https://a.example/\n")).err())
        .contains("urls.txt is a list of URLs");
  }

  @Test
  void half_a_database_is_refused_and_nothing_is_written() throws IOException, SQLException {
    Path database = home.resolve("past.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE crawl_log (domain TEXT, page_url TEXT, status INTEGER)");
      statement.execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
              + " INSERT INTO crawl_log SELECT 'a.example', 'https://a.example/' || i, 200 FROM n");
    }
    byte[] whole = Files.readAllBytes(database);
    Files.write(database, Arrays.copyOf(whole, whole.length / 2));
    Said said = take("backfill", database);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("the database to read from says");
    assertThat(home.resolve("data")).doesNotExist();
  }

  @Test
  void half_a_parquet_file_is_refused() throws IOException {
    take("backfill", file("log.csv", HEAD + GOOD));
    Path table = home.resolve("log.parquet");
    run("export", "pages", "--out", table.toString());
    byte[] whole = Files.readAllBytes(table);
    assertThat(take("backfill", table).out()).startsWith("1 row read, 0 left out");
    Files.write(table, Arrays.copyOf(whole, whole.length / 2));
    Said said = take("backfill", table);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("log.parquet cannot be read");
    for (int at = 0; at < whole.length - 12; at += 97) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x55;
      Files.write(table, damaged);
      assertThat(run("backfill", "--dry-run", table.toString()).code()).isIn(0, 2, 6);
    }
  }

  @Test
  void half_a_nutch_dump_is_read_as_far_as_it_goes() throws IOException {
    String record =
        """
        https://example.com/%d	Version: 7
        Status: 2 (db_fetched)
        Fetch time: Thu Jan 01 12:00:00 UTC %s
        Retry interval: %s seconds (30 days)

        """;
    String text =
        record.formatted(1, "999999999", "1e300")
            + record.formatted(2, "2026", "-7")
            + record.formatted(3, "2026", "many").substring(0, 60);
    Said said = take("import", "nutch", file("part-00000", text));
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("3 URLs: 3 pages with dates, 0 failed, 0 queued, 0 known already");
    Said latin =
        take(
            "import",
            "nutch",
            file("latin", record.replace("%d", "\u00e9"), StandardCharsets.ISO_8859_1));
    assertThat(latin.code()).isEqualTo(2);
    assertThat(latin.err()).contains("latin:1: ").contains("not UTF-8");
  }

  @Test
  void a_recover_log_with_absurd_times_is_read() throws IOException {
    Said said =
        take(
            "import",
            "heritrix",
            file(
                "recover",
                """
                T +1000000000-12-31T23:59:59.999999999Z
                Fs http://example.com/future
                T -1000000000-01-01T00:00:00Z
                Fs http://example.com/past
                T nonsense
                Fs http://example.com/none
                F+\0http://example.com/nul
                F
                """));
    assertThat(said.code()).isZero();
    assertThat(said.out()).contains("3 URLs: 3 pages with dates");
  }

  /** Whatever is in a queue, it is read as text or named; nothing is run and nothing throws. */
  @Test
  void any_bytes_may_be_in_a_queue() throws IOException, SQLException {
    Random random = new Random(7);
    for (int round = 0; round < 20_000; round++) {
      byte[] entry = new byte[random.nextInt(60)];
      random.nextBytes(entry);
      if (entry.length > 8 && random.nextBoolean()) {
        byte[] begin = {(byte) 0x80, 4, '}', (byte) 0x8c, 3, 'u', 'r', 'l'};
        System.arraycopy(begin, 0, entry, 0, begin.length);
      }
      assertThat(ScrapyRequest.read(entry)).isNotNull();
    }
    Path queue = Files.createDirectories(home.resolve("job/requests.queue"));
    Files.write(queue.resolve("0"), new byte[] {0, 0, 0});
    Files.write(queue.resolve("1"), new byte[0]);
    Files.write(
        queue.resolve("2"), "c__builtin__\nexec\n(S'1'\ntR.".getBytes(StandardCharsets.UTF_8));
    Path chunks = Files.createDirectory(queue.resolve("3"));
    ByteArrayOutputStream half = new ByteArrayOutputStream();
    half.write(new byte[] {0, 0, 1, 0, (byte) 0x80, 4, '}', (byte) 0x8c, 3, 'u', 'r', 'l'});
    half.write(new byte[] {(byte) 0x8c, 40, 'h', 't', 't', 'p'});
    Files.write(chunks.resolve("q00000"), half.toByteArray());
    Files.writeString(chunks.resolve("info.json"), "{\"tail\": [0, 0, 999999999999999]}");
    Said said = take("import", "scrapy", home.resolve("job"));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("2:1: the queue is damaged here");
    Files.delete(chunks.resolve("info.json"));
    assertThat(take("import", "scrapy", home.resolve("job")).err())
        .contains("3/q00000:1: the entry is no request");
    assertThat(home.resolve("data")).doesNotExist();
  }

  @Test
  void a_list_of_urls_in_another_alphabet_loses_its_line_alone() throws IOException, SQLException {
    Path list =
        file("list.csv", "url\nhttp://127.0.0.1:9/caf\u00e9\nnone\n", StandardCharsets.ISO_8859_1);
    Said said = run("fetch", list.toString(), "--allow-private");
    assertThat(said.err()).contains("list.csv, row 2: it has bytes that are not UTF-8");
    assertThat(StoredFacts.urls(home.resolve("data"))).noneMatch(url -> url.contains("127.0.0.1"));
  }
}
