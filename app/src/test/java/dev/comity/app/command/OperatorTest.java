package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.store.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator does to a store, and what is said of its health. */
class OperatorTest {
  @TempDir private Path home;

  @Test
  void a_reset_opens_a_domain_and_says_what_it_did() {
    Shelf shelf = Shelf.small(home);
    shelf.run(
        "UPDATE domains SET claimed_by = 'host-1', claim_expires_at = 4000000000000 WHERE id = 1");
    Said said = shelf.said("domain-reset", "able.example", "--reason", "manual review");
    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .containsExactly(
            "able.example: active → pending, 1 URL queued again; the claim of host-1 is ended");
    assertThat(shelf.text("SELECT reason FROM audit")).isEqualTo("manual review");
    assertThat(shelf.said("domain-reset", "able.example", "--all", "--json").out())
        .isEqualTo(
            "{\"domain\":\"able.example\",\"from\":\"pending\",\"to\":\"pending\",\"requeued\":1}"
                + System.lineSeparator());
  }

  @Test
  void a_reset_judges_by_the_rules_that_are_set_here() throws IOException {
    Shelf shelf = Shelf.small(home);
    // Robots.txt asked for 20 days between requests.
    shelf.run(
        "UPDATE domains SET crawl_delay_ms = 1728000000, policy_state = json_set(policy_state,"
            + " '$.limits.crawl_delay', 1728000000000000) WHERE id = 2");
    String delay = "SELECT crawl_delay_ms FROM domains WHERE id = 2";
    assertThat(shelf.said("domain-reset", "baker.example").code()).isZero();
    assertThat(shelf.text(delay)).as("less than 30 days can be waited for").isEqualTo("1728000000");
    shelf.run(
        "UPDATE domains SET crawl_delay_ms = 2678400000, policy_state = json_set(policy_state,"
            + " '$.limits.crawl_delay', 2678400000000000) WHERE id = 2");
    assertThat(shelf.said("domain-reset", "baker.example").code()).isZero();
    assertThat(shelf.text(delay)).as("31 days would allow no request").isEqualTo("0");
  }

  @Test
  void what_is_too_deep_stays_suppressed_when_a_template_is_lifted() {
    Shelf shelf = Shelf.small(home);
    String suppressed =
        "UPDATE url_templates SET suppressed_since = 1700000000000, reason = 'same_text', lifted ="
            + " 0";
    shelf.run(
        "INSERT INTO url_templates (domain_id, template, pages, barren, left_out, found_on)"
            + " VALUES (1, '/#', 1, 1, 0, 0)",
        suppressed,
        "UPDATE domain_frontier SET state = 5, target = '/a/b/c"
            + "/d".repeat(18)
            + "', url_key = -2185625261463522266 WHERE id = 3",
        "UPDATE domains SET frontier_size = 0, urls_suppressed = 1 WHERE id = 1");
    assertThat(shelf.said("trap-lift", "able.example").out())
        .startsWith("able.example: 0 URLs queued again");
    shelf.run(suppressed, "UPDATE domain_frontier SET target = '/a/b/c' WHERE id = 3");
    assertThat(shelf.said("trap-lift", "able.example").out())
        .startsWith("able.example: 1 URL queued again");
  }

  @Test
  void a_reset_that_finds_no_seed_says_how_to_have_more() {
    Shelf shelf = Shelf.small(home);
    assertThat(shelf.said("domain-reset", "easy.able.example").out().lines())
        .containsExactly(
            "easy.able.example: pending → pending, 0 URLs queued again",
            "No finished seed was among its URLs; --all queues every URL that is known.");
  }

  @Test
  void a_block_is_shown_with_its_reason_and_needs_none() {
    Shelf shelf = Shelf.small(home);
    assertThat(shelf.said("domain-block", "easy.able.example").code()).isZero();
    assertThat(shelf.said("domains", "--status", "blocked").out())
        .contains("reason: operator until it is reset (no reason given)");
    assertThat(shelf.said("domain-block", "able.example", "--reason", "they asked").out().lines())
        .containsExactly("able.example: active → blocked until it is reset");
    assertThat(shelf.said("domains", "--status", "blocked").out())
        .contains("reason: operator until it is reset (they asked)");
  }

  @Test
  void operators_work_beside_a_crawl() {
    Shelf shelf = Shelf.small(home);
    try (DataDirectory.Hold _ = new DataDirectory(home).hold()) {
      assertThat(shelf.said("domain-reset", "able.example").code()).isZero();
      assertThat(shelf.said("prune", "--older-than", "1d", "--log").code()).isZero();
      Said compacting = shelf.said("prune", "--older-than", "1d", "--compact");
      assertThat(compacting.code()).isEqualTo(5);
      assertThat(compacting.err()).startsWith("comity: another crawl").contains("uses " + home);
    }
  }

  @Test
  void the_doctor_says_a_line_for_each_check_when_all_is_well() {
    Said said = Shelf.small(home).said("doctor");
    assertThat(said.out().lines()).hasSize(16).allMatch(line -> line.startsWith("ok "));
    assertThat(said.code()).isZero();
  }

  @Test
  void the_doctor_names_what_is_wrong_and_ends_with_1() {
    Shelf shelf = Shelf.small(home);
    shelf.run("UPDATE domains SET requests = 9 WHERE id = 1");
    Said said = shelf.said("doctor");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out().lines())
        .contains(
            "WRONG  counters   counters equal what the log holds, what was pruned from it"
                + " and the pages kept (invariant 13)",
            "       - able.example: 9 requests are counted, 2 are in the log or pruned;"
                + " `comity domain-reset able.example` mends it");
    List<JsonNode> checks =
        shelf.said("doctor", "--json").out().lines().map(new JsonMapper()::readTree).toList();
    assertThat(checks).hasSize(16);
    assertThat(checks.getLast().get("sound").booleanValue()).isFalse();
    assertThat(checks.getLast().get("findings").get(0).get("subject").stringValue())
        .isEqualTo("able.example");
  }

  @Test
  void pruning_says_what_went_and_a_rehearsal_what_would() {
    Shelf shelf = Shelf.small(home);
    String[] all = {"prune", "--older-than", "90d", "--log", "--pages-text", "--transitions"};
    List<String> rehearsal =
        shelf.said("prune", "--older-than", "90d", "--log", "--dry-run").out().lines().toList();
    assertThat(rehearsal)
        .singleElement()
        .asString()
        .startsWith("would remove 1 request of the log from before ");
    assertThat(shelf.said("prune", "--older-than", "90d", "--dry-run").out().lines())
        .as("the log is what is pruned where nothing else is named")
        .hasSize(1)
        .first()
        .asString()
        .startsWith("would remove 1 request of the log from before ");
    assertThat(shelf.text("SELECT count(*) FROM crawl_log")).isEqualTo("2");
    assertThat(shelf.said(all).out().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("removed 1 request of the log from before "))
        .anyMatch(line -> line.startsWith("removed the texts of 1 page from before "))
        .anyMatch(line -> line.startsWith("removed 0 changes of status from before "));
    assertThat(shelf.said("doctor").code()).isZero();
    assertThat(shelf.said("prune", "--older-than", "1d", "--compact").code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"prune --log", "prune --older-than 1d --dry-run --compact"})
  void pruning_does_not_guess(String command) {
    Said said = Shelf.small(home).said(command.split(" ", -1));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).startsWith("comity: ").contains("Try: comity prune --help");
  }

  @Test
  void runs_and_the_queue_are_told_to_people_and_programs() {
    Shelf shelf = Shelf.small(home).run("UPDATE domains SET urls_suppressed = 7 WHERE id = 1");
    shelf.run("UPDATE crawl_runs SET end_reason = NULL");
    try (DataDirectory.Hold crawl = new DataDirectory(home).hold()) {
      crawl.crawling();
      assertThat(shelf.said("runs").out().lines())
          .containsExactly(
              "RUN  STATUS    PAGES  DOMAINS  STARTED           ENDED",
              "─".repeat(54),
              "  1  running  2/1000        1  2023-11-14 22:13  -",
              "  └─ from https://able.example/",
              "  └─ domains: 1 under way, 0 done, 0 failed, 0 with their budget spent");
    }
    assertThat(shelf.said("runs").out().lines())
        .contains(
            "  1  interrupted  2/1000        1  2023-11-14 22:13  -",
            "  └─ no process works on it; the same command goes on with it");
    assertThat(shelf.said("queue-status").out().lines())
        .contains("no claim is held", "1 active domain not held", "1 pending domain not held")
        .anyMatch(line -> line.matches("in all +1 +0 +0 +2 +0 +0 +0 +7 +0"));
    JsonNode queue = new JsonMapper().readTree(shelf.said("queue", "--json").out());
    assertThat(queue.get("queued").longValue()).isEqualTo(1);
    assertThat(queue.get("suppressed").longValue()).isEqualTo(7);
    assertThat(queue.get("waiting").get("pending").longValue()).isEqualTo(1);
    assertThat(queue.get("domains").get(0).get("domain").stringValue()).isEqualTo("able.example");
    shelf.run(
        "UPDATE domains SET claimed_by = 'host-1', claim_expires_at = 4000000000000 WHERE id = 1",
        "INSERT INTO in_flight (url_id, domain_id, taken_at) VALUES (3, 1, 1)");
    assertThat(shelf.said("queue").out().lines())
        .contains("1 claim is left of a process that is gone; the next crawl takes over")
        .anyMatch(line -> line.matches("in all +1 +0 +0 +2 +0 +0 +0 +7 +0"));
    JsonNode run = new JsonMapper().readTree(shelf.said("list-runs", "--json").out());
    assertThat(run.get("seeds").get(0).stringValue()).isEqualTo("https://able.example/");
  }
}
