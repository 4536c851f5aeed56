package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.store.DataDirectory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is said about domains: the list, one of them, and why it is asked as it is. */
class DomainsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path home;

  @Test
  void every_domain_has_its_line_and_a_closed_one_its_reason() {
    Said said = Shelf.small(home).said("domains");
    assertThat(said.code()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out().lines())
        .containsExactly(
            "DOMAIN             STATUS   PAGES  DELAY  IMAGES  YIELD  LAST CRAWLED",
            "─".repeat(73),
            "able.example       active     2/3    1 s      15   7.50  2023-11-14 22:13",
            "baker.example      blocked    0/0  2.5 s       0      -  2023-11-14 22:13",
            "  └─ reason: forbidden until 2023-11-28 22:14:20 UTC (it kept answering 401 or 403)",
            "easy.able.example  pending    0/0    1 s       0      -  never",
            "3 domains: 1 pending, 1 active, 1 blocked");
  }

  @Test
  void without_images_the_delay_has_a_column() {
    Shelf shelf = Shelf.small(home);
    shelf.run("UPDATE domains SET images_stored = 0");
    assertThat(shelf.said("domains").out().lines())
        .contains(
            "DOMAIN             STATUS   PAGES  DELAY  LAST CRAWLED",
            "able.example       active     2/3    1 s  2023-11-14 22:13",
            "baker.example      blocked    0/0  2.5 s  2023-11-14 22:13");
  }

  @Test
  void the_domains_with_most_images_a_page_come_first() {
    Shelf shelf = Shelf.small(home);
    assertThat(shelf.said("top-domains", "--limit", "1").out().lines())
        .contains("able.example  active    2/3      15   7.50  2023-11-14 22:13")
        .noneMatch(line -> line.contains("baker.example"));
    assertThat(shelf.said("top-domains", "--json", "--limit", "1").out())
        .contains("\"images_stored\":15,\"image_yield\":7.5");
  }

  @Test
  void what_the_operator_has_set_is_told_by_why() {
    Shelf shelf = Shelf.small(home);
    assertThat(shelf.said("why", "able.example").out()).doesNotContain("operator");
    shelf.run(
        "UPDATE domains SET paused = 1, max_pages_per_run = 77, max_concurrency = 1,"
            + " min_scrape_interval = 99.5");
    assertThat(shelf.said("why", "able.example").out())
        .contains("it is paused by the operator")
        .contains("the operator has set its minimum interval to 99.5 s")
        .contains("the operator allows 1 request in flight")
        .contains("the operator allows 77 pages in a run")
        .doesNotContain("no minimum interval is set");
  }

  @Test
  void what_is_left_out_is_counted() {
    Said said = Shelf.small(home).said("domain-status", "--limit", "1", "--sort", "name");
    assertThat(said.out().lines())
        .hasSize(5)
        .contains("2 more; --limit 3 shows them all, --status and --sort show others first");
  }

  @Test
  void only_one_status_is_shown_when_asked_for() {
    Said said = Shelf.small(home).said("domains", "--status", "blocked", "--json");
    JsonNode baker = JSON.readTree(said.out());
    assertThat(said.out().lines()).hasSize(1);
    assertThat(baker.get("domain").stringValue()).isEqualTo("baker.example");
    assertThat(baker.get("until").stringValue()).isEqualTo("2023-11-28T22:14:20.000Z");
    assertThat(baker.get("delay_ms").longValue()).isEqualTo(2500);
  }

  @Test
  void an_empty_store_has_no_domains() {
    assertThat(Shelf.empty(home).said("domains").out().lines()).containsExactly("0 domains");
  }

  @Test
  void a_domain_is_found_in_any_spelling_and_shown_with_all_that_happened() {
    Said said = Shelf.small(home).said("domain-info", "HTTPS://WWW.Able.example/x");
    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .startsWith("able.example", "  status             active")
        .contains(
            "URLs",
            "  to be asked        1 queued, 0 deferred, 0 in flight",
            "  pages              2 in 2 requests, 0 errors, depth 0",
            "  held by            no worker",
            "  2023-11-14 22:13:30 UTC  pending → active by claim, token 1 (host-1)",
            "  2023-11-14 22:13:40 UTC  200  https://able.example/two  success, done");
  }

  @Test
  void a_domain_in_json_is_one_object() {
    JsonNode able = JSON.readTree(Shelf.small(home).said("domain", "able.example", "--json").out());
    assertThat(able.get("pages").longValue()).isEqualTo(2);
    assertThat(able.get("queued").longValue()).isEqualTo(1);
    assertThat(able.get("changes").get(0).get("door").stringValue()).isEqualTo("claim");
    assertThat(able.get("requests_made").size()).isEqualTo(2);
    assertThat(able.has("reason")).isFalse();
  }

  @Test
  void why_names_the_rule_the_wait_and_what_would_change_it() {
    Said said = Shelf.small(home).said("why", "able.example");
    assertThat(said.out().lines())
        .startsWith(
            "able.example: 1 s between requests, set by the minimum interval",
            "  considered: the minimum interval, 1 s",
            "  in flight: 5 at most")
        .contains(
            "  - 1 URL queued, 0 deferred, 0 in flight",
            "  - no crawl is running",
            "  - no minimum interval is set for it and no run has asked it yet, so the usual one of"
                + " 1 s is taken; a crawl with --delay goes by that",
            "  - a refusal would make the delay longer, another setting would replace it");
  }

  @Test
  void why_says_what_keeps_a_domain_from_being_asked() {
    Shelf shelf = Shelf.small(home);
    shelf.run(
        "UPDATE domains SET spent_run_id = 1 WHERE id = 1",
        "UPDATE domain_frontier SET due_at = 4000000000000 WHERE id = 3");
    JsonNode why = JSON.readTree(shelf.said("why", "able.example", "--json").out());
    assertThat(why.get("facts").valueStream().map(JsonNode::stringValue))
        .startsWith(
            "0 URLs queued, 1 deferred, 0 in flight",
            "nothing is due before 2096-10-02 07:06:40 UTC",
            "run 1 has had as many pages of it as it may; another run may go on with it",
            "no crawl is running");
  }

  @Test
  void why_knows_who_is_at_work_and_who_went_away() {
    Shelf shelf = Shelf.small(home);
    shelf.run(
        "UPDATE domains SET claimed_by = 'host-1', claim_expires_at = 1700000000000 WHERE id = 1");
    try (DataDirectory.Hold crawl = new DataDirectory(home).hold()) {
      crawl.crawling();
      // However old its lease is: its process lives.
      assertThat(shelf.said("why", "able.example").out())
          .contains("host-1 holds it and is at work")
          .doesNotContain("no crawl is running");
      shelf.run("UPDATE domains SET claimed_by = NULL, claim_expires_at = NULL WHERE id = 1");
      assertThat(shelf.said("why", "able.example").out()).doesNotContain("no crawl is running");
    }
    shelf.run(
        "UPDATE domains SET claimed_by = 'host-1', claim_expires_at = 4000000000000 WHERE id = 1");
    assertThat(shelf.said("why", "able.example").out())
        .contains("host-1 held it and is gone", "no crawl is running");
  }

  @Test
  void why_of_a_closed_domain_names_the_way_to_open_it() {
    assertThat(Shelf.small(home).said("why", "baker.example").out())
        .contains(
            "it is closed: forbidden until 2023-11-28 22:14:20 UTC (it kept answering 401 or 403);"
                + " `comity domain-reset baker.example` opens it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"domains", "domain able.example", "why able.example", "runs", "queue"})
  void nothing_from_elsewhere_reaches_the_terminal_raw(String command) {
    Shelf shelf = Shelf.small(home);
    String hostile = Shelf.literal(Shelf.HOSTILE);
    shelf.run(
        "UPDATE domains SET status = 'blocked', version = version + 1, claimed_by = " + hostile,
        "UPDATE domains SET claim_expires_at = 4000000000000",
        "UPDATE domains SET block_reason = %s, block_reason_code = %s".formatted(hostile, hostile),
        "UPDATE transitions SET reason = %s, worker = %s".formatted(hostile, hostile),
        "UPDATE crawl_log SET error = %s, url = %s".formatted(hostile, hostile),
        "UPDATE crawl_runs SET end_reason = " + hostile,
        "UPDATE crawl_run_seeds SET url = " + hostile);
    for (List<String> more : List.of(List.<String>of(), List.of("--json"))) {
      List<String> words = new java.util.ArrayList<>(List.of(command.split(" ", -1)));
      words.addAll(more);
      Said said;
      try (DataDirectory.Hold crawl = new DataDirectory(home).hold()) {
        crawl.crawling();
        said = shelf.said(words.toArray(String[]::new));
      }
      assertThat(said.code()).isZero();
      assertThat((said.out() + said.err()).chars().filter(DomainsTest::movesATerminal))
          .containsOnly((int) '\n');
      assertThat(said.out()).contains("\\u001B[31m\\u009B2J");
    }
  }

  static boolean movesATerminal(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  @Test
  void an_unknown_domain_is_named_with_those_it_is_like() {
    Shelf shelf = Shelf.small(home);
    for (String command : List.of("domain", "why", "domain-reset")) {
      Said said = shelf.said(command, "abel.example");
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err().lines())
          .containsExactly(
              "comity: domain is abel.example, but it is not known; did you mean able.example"
                  + " or baker.example?",
              "Try: comity " + command + " --help");
    }
    assertThat(shelf.said("domain", "nothing-of-the-kind.test").err())
        .contains("`comity domains` lists those that are known");
    assertThat(shelf.said("domain", "not a host").code()).isEqualTo(2);
  }

  @Test
  void a_directory_with_nothing_in_it_is_named() {
    Path nowhere = home.resolve("nowhere");
    for (String command : List.of("domains", "runs", "queue", "doctor")) {
      Said said = Commands.run(command, "--data", nowhere.toString());
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err())
          .startsWith("comity: data is " + nowhere + ", but no crawl has left anything there: ");
    }
  }

  @Test
  void settings_that_make_no_sense_are_named() {
    Shelf shelf = Shelf.small(home);
    assertThat(shelf.said("domains", "--limit", "0").err())
        .startsWith("comity: limit is 0, but must be at least 1");
    Said status = shelf.said("domains", "--status", "lost");
    assertThat(status.code()).isEqualTo(2);
    assertThat(status.err())
        .contains("'--status'", "PENDING, ACTIVE, EXHAUSTED, BLOCKED, UNREACHABLE", "'lost'");
  }
}
