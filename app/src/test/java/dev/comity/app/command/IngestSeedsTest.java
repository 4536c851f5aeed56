package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.app.support.StoredFacts;
import dev.comity.testkit.wire.Replies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds of every form, put where the next crawl finds them. */
class IngestSeedsTest {
  @TempDir private Path home;
  private Path data;

  @BeforeEach
  void anew() {
    data = home.resolve("data");
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.writeString(home.resolve(name), String.join("\n", lines));
  }

  private Said ingest(Path file, String... flags) {
    List<String> all =
        new ArrayList<>(List.of("ingest-seeds", file.toString(), "--data", data.toString()));
    all.addAll(List.of(flags));
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void each_line_is_enqueued_known_or_refused_and_all_are_counted() throws IOException {
    Path seeds =
        file("seeds.txt", "a.example", "https://b.example/x", "ftp://c.example", "a.example");
    Said first = ingest(seeds);
    assertThat(first.code()).isEqualTo(6);
    assertThat(first.out()).isEqualTo("2 seeds enqueued, 1 known already, 1 refused\n");
    assertThat(first.err())
        .isEqualTo(
            seeds + ":3: cannot crawl \"ftp://c.example\": only http and https are crawled\n");
    Said again = ingest(seeds, "--json");
    assertThat(again.out())
        .startsWith(
            "{\"enqueued\":0,\"duplicate\":3,\"refused\":1,\"no_room\":0,\"beside_crawl\":false,\"for_next_crawl\":0,\"left_out\":0,\"refusals\":[")
        .contains(seeds + ":3: cannot crawl");
    assertThat(Commands.run("doctor", "--data", data.toString()).code()).isZero();
  }

  @Test
  void a_list_like_tranco_s_has_ranks() throws IOException, SQLException {
    Said said = ingest(file("top.csv", "1,google.example", "2,www.b.example", "x,c.example", "3"));
    assertThat(said.out()).startsWith("2 seeds enqueued, 0 known already, 2 refused");
    assertThat(said.err().lines().map(line -> line.replace(home.toString(), "")))
        .containsExactly(
            "/top.csv:3: its rank is \"x\", but must be a whole number from 1 on",
            "/top.csv:4: it has fewer columns than the first line promises");
    assertThat(StoredFacts.ranks(data)).hasToString("{b.example=2, google.example=1}");
    assertThat(StoredFacts.urls(data))
        .contains("https://google.example/", "https://www.b.example/");
  }

  @Test
  void a_list_like_majestic_s_says_what_its_columns_are() throws IOException, SQLException {
    ingest(
        file(
            "majestic.csv",
            "GlobalRank,TldRank,Domain,TLD,RefSubNets,RefIPs,IDN_Domain,IDN_TLD,PrevGlobalRank",
            "7,1,seven.example,example,9,9,seven.example,example,3",
            "8,2,eight.example,example,9,9,eight.example,example,4"));
    assertThat(StoredFacts.ranks(data)).hasToString("{eight.example=8, seven.example=7}");
  }

  @Test
  void a_table_of_one_s_own_may_have_its_columns_anywhere() throws IOException, SQLException {
    Said said =
        ingest(
            file(
                "own.csv",
                "\ufeffName;URL;Priority",
                "\"one; or two\";\"https://one.example/?a=\"\"b\"\"\";3",
                "none;https://two.example/;"));
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(StoredFacts.ranks(data)).hasToString("{one.example=3}");
    assertThat(StoredFacts.urls(data))
        .containsExactly("https://one.example/?a=%22b%22", "https://two.example/");
  }

  @Test
  void the_better_of_two_ranks_holds_and_a_later_list_replaces_it()
      throws IOException, SQLException {
    ingest(file("a.csv", "9,a.example", "4,a.example", "6,a.example"));
    assertThat(StoredFacts.ranks(data)).hasToString("{a.example=4}");
    ingest(file("b.csv", "11,a.example"));
    assertThat(StoredFacts.ranks(data)).hasToString("{a.example=11}");
  }

  @Test
  void lines_with_commas_are_no_table_unless_it_is_said() throws IOException, SQLException {
    ingest(file("seeds.txt", "https://a.example/x,1", "https://a.example/2,y"));
    assertThat(StoredFacts.urls(data))
        .containsExactly("https://a.example/2,y", "https://a.example/x,1");
    Path doubtful = file("more.txt", "1,b.example");
    assertThat(ingest(doubtful, "--seeds-format", "lines").code()).isEqualTo(2);
    assertThat(ingest(doubtful).code()).isZero();
    assertThat(ingest(file("hosts.csv", "c.example,3"), "--seeds-format", "csv").code()).isZero();
    assertThat(StoredFacts.ranks(data)).hasToString("{b.example=1, c.example=3}");
  }

  @Test
  void a_sitemap_and_a_packed_file_are_read_as_well() throws IOException, SQLException {
    Path map =
        file(
            "map.xml",
            "\n<urlset><url><loc>https://a.example/1</loc></url>",
            "<url><loc>nonsense</loc></url><url><loc>ftp://a.example/</loc></url></urlset>");
    Said said = ingest(map);
    assertThat(said.out()).startsWith("1 seed enqueued, 0 known already, 2 refused");
    assertThat(said.err()).isEqualTo(map + ": 2 entries are no URL\n");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("1,b.example\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(ingest(Files.write(home.resolve("top.csv.gz"), packed.toByteArray())).code())
        .isZero();
    assertThat(StoredFacts.urls(data)).containsExactly("https://a.example/1", "https://b.example/");
    Files.write(home.resolve("cut.gz"), List.of("\u001f\u008b\u0008"), StandardCharsets.ISO_8859_1);
    assertThat(ingest(home.resolve("cut.gz")).err())
        .contains("cut.gz cannot be read (it is packed with gzip and ends too soon)");
  }

  @Test
  void of_a_hostile_file_good_lines_are_taken_and_bad_ones_named_by_their_numbers()
      throws IOException, SQLException {
    Path seeds =
        Files.write(
            home.resolve("seeds.txt"),
            String.join(
                    "\r\n",
                    "\u00ef\u00bb\u00bf# a comment after a mark",
                    "https://a.example/",
                    "",
                    "https://" + "a".repeat(1 << 20) + "/",
                    "http://exa\0mple.com/",
                    "https://a.example/",
                    "https://a.example/caf\u00e9",
                    " ".repeat(50_000) + "https://b.example/",
                    "  https://c.example/ ")
                .getBytes(StandardCharsets.ISO_8859_1));
    Said said = ingest(seeds);
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.out()).isEqualTo("2 seeds enqueued, 1 known already, 4 refused\n");
    assertThat(said.err().lines().map(line -> line.replace(seeds.toString(), "FILE")))
        .containsExactly(
            "FILE:4: a line of 1048586 bytes is no URL",
            "FILE:5: it has NUL characters, so it is not text in UTF-8",
            "FILE:7: it has bytes that are not UTF-8; write the file in UTF-8",
            "FILE:8: a line of 50019 bytes is no URL");
    assertThat(StoredFacts.urls(data)).containsExactly("https://a.example/", "https://c.example/");
  }

  @Test
  void files_without_a_seed_are_refused() throws IOException {
    Path empty = file("empty.txt");
    Said said = ingest(empty);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.out()).isEqualTo("0 seeds enqueued, 0 known already, 0 refused\n");
    assertThat(said.err()).contains("no line of " + empty + " is a URL or a host");
    assertThat(ingest(home))
        .matches(one -> one.code() == 2 && one.err().contains("is a directory; name a file"));
    assertThat(ingest(home.resolve("none")))
        .matches(one -> one.code() == 2 && one.err().contains("none cannot be read (there is no"));
  }

  @Test
  void what_was_read_before_a_file_that_cannot_be_is_taken_and_said() throws IOException {
    Path good = file("good.txt", "a.example", "ftp://b.example");
    Said said = ingest(good, home.toString());
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.out()).isEqualTo("1 seed enqueued, 0 known already, 1 refused\n");
    assertThat(said.err()).contains("good.txt:2: cannot crawl").contains("is a directory");
  }

  @Test
  void a_crawl_without_seeds_goes_on_with_what_was_put_there_and_then_there_is_none()
      throws IOException {
    try (Site site = Site.open().page("/", "Home", "/a").page("/a", "A").page("/b", "B")) {
      assertThat(ingest(file("seeds.txt", site.url("/"), site.url("/b"))).code()).isZero();
      assertThat(site.connections()).isZero();
      Said crawl = crawl("--allow-private");
      assertThat(crawl.lastLine()).startsWith("done: 3 pages (3 × 200) in ");
      assertThat(ingest(home.resolve("seeds.txt")).out().lines())
          .containsExactly(
              "0 seeds enqueued, 2 known already, 0 refused",
              "127.0.0.1:%d is left out: all that is known of it is crawled; --again asks for it"
                      .formatted(site.port())
                  + " again");
      assertThat(Commands.run("crawl", "--data", data.toString()))
          .matches(said -> said.code() == 2 && said.err().contains("nowhere to start"));
    }
  }

  @Test
  void what_was_put_there_leads_inside_only_when_it_was_named_until_it_is_reset()
      throws IOException {
    try (Site site = Site.open().page("/", "Home", "/a", "/b").page("/a", "A").page("/b", "B")) {
      ingest(file("seeds.txt", site.url("/")));
      String refusal =
          site.url("/")
              + ": 127.0.0.1 leads to 127.0.0.1 (loopback), where no name out of a list may lead:"
              + " name it on the command line, or add --allow-private\n"
              + "comity: none of the seeds may be asked\n";
      Said refused = crawl();
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err()).startsWith(refusal);
      assertThat(site.connections()).isZero();

      // Named once, it may be gone on with by any crawl of this directory.
      assertThat(crawl(site.url("/"), "--max-pages", "1").code()).isZero();
      assertThat(crawl("--max-pages", "2").lastLine()).contains(": 1 page (1 × 200) in ");

      Commands.run("domain-reset", "127.0.0.1:" + site.port(), "--data", data.toString());
      assertThat(crawl().err()).startsWith(refusal);
    }
  }

  private Said crawl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("crawl", "--delay", "0", "--data", data.toString()));
    all.addAll(List.of(arguments));
    return Commands.run(all.toArray(String[]::new));
  }

  @Test
  void a_blocked_domain_is_named_with_the_way_to_open_it() throws IOException {
    Path seeds = file("seeds.txt", "a.example");
    ingest(seeds);
    Commands.run("domain-block", "a.example", "--reason", "because", "--data", data.toString());
    assertThat(ingest(seeds).out())
        .contains("a.example is left out: blocked (operator)")
        .contains("`comity domain-reset a.example` opens it");
  }

  @Test
  void a_seed_that_is_a_sitemap_is_asked_as_one_and_the_pages_it_lists_after_it()
      throws IOException {
    try (Site site = Site.open().page("/listed", "Listed")) {
      String map = "<urlset><url><loc>" + site.url("/listed") + "</loc></url></urlset>";
      byte[] bytes = map.getBytes(StandardCharsets.UTF_8);
      site.reply("/Sitemap-1.xml", Replies.ok("text/xml", bytes));
      Said said =
          Commands.run(
              "crawl", site.url("/Sitemap-1.xml"), "--delay", "0", "--data", data.toString());
      assertThat(site.asked()).containsExactly("/robots.txt", "/Sitemap-1.xml", "/listed");
      assertThat(said.lastLine()).startsWith("done: 1 page (1 × 200) in ");
      assertThat(Commands.run("doctor", "--data", data.toString()).code()).isZero();
    }
  }
}
