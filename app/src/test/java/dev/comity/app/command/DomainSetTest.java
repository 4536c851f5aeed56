package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.store.DataDirectory;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code comity domain set} does to a store and says of it. */
class DomainSetTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path home;
  private Shelf shelf;

  @BeforeEach
  void open() {
    shelf = Shelf.small(home);
  }

  private String set(String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "domain";
    all[1] = "set";
    System.arraycopy(options, 0, all, 2, options.length);
    Said said = shelf.said(all);
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    return said.out().strip();
  }

  private String column(String name) {
    return shelf.text("SELECT " + name + " FROM domains WHERE id = 1");
  }

  @Test
  void a_pause_is_written_told_audited_and_taken_back() {
    try (DataDirectory.Hold _ = new DataDirectory(home).hold()) {
      assertThat(set("able.example", "--pause")).isEqualTo("able.example: paused");
    }
    assertThat(column("paused")).isEqualTo("1");
    assertThat(column("claimable_at")).as("it is not claimed").isEqualTo("null");
    assertThat(column("status")).isEqualTo("active");
    assertThat(shelf.text("SELECT action || ' ' || subject || ': ' || detail FROM audit"))
        .isEqualTo("domain-set able.example: paused 0 -> 1");
    assertThat(shelf.text("SELECT actor FROM audit")).isEqualTo(System.getProperty("user.name"));
    assertThat(set("able.example", "--pause")).isEqualTo("able.example: nothing to change");
    assertThat(shelf.text("SELECT count(*) FROM audit")).isEqualTo("1");
    assertThat(set("able.example", "--resume")).isEqualTo("able.example: resumed");
    assertThat(column("claimable_at")).isEqualTo("0");
  }

  @Test
  void several_values_are_set_at_once_and_default_takes_them_back() {
    String[] all = {"able.example", "--min-interval", "2.5s", "--max-pages", "7"};
    assertThat(set(all))
        .isEqualTo(
            "able.example: minimum interval 2.5 s instead of the default, pages of a run 7 instead"
                + " of the default");
    assertThat(set("able.example", "--concurrency", "2", "--max-pages", "default"))
        .isEqualTo(
            "able.example: pages of a run the default instead of 7, in flight 2 instead of the"
                + " default");
    assertThat(column("min_scrape_interval")).isEqualTo("2.5");
    assertThat(column("max_pages_per_run")).isEqualTo("null");
    assertThat(column("max_concurrency")).isEqualTo("2");
    assertThat(shelf.text("SELECT detail FROM audit ORDER BY id DESC"))
        .isEqualTo("max_concurrency NULL -> 2, max_pages_per_run 7 -> NULL");
    set("able.example", "--min-interval", "default", "--concurrency", "default");
    assertThat(column("min_scrape_interval")).isEqualTo("null");
    assertThat(column("max_concurrency")).isEqualTo("null");
  }

  @Test
  void a_shorter_interval_than_the_site_asks_for_shortens_nothing() {
    assertThat(set("baker.example", "--min-interval", "100ms"))
        .isEqualTo(
            "baker.example: minimum interval 0.1 s instead of the default"
                + System.lineSeparator()
                + "2.5 s between requests counts all the same: its robots.txt asks for it");
    assertThat(shelf.said("why", "baker.example").out())
        .startsWith("baker.example: 2.5 s between requests, set by the delay that its robots.txt");
    shelf.run("UPDATE domains SET adaptive_delay_ms = 4000 WHERE id = 1");
    assertThat(set("able.example", "--min-interval", "3s"))
        .endsWith("4 s between requests counts all the same: its refusals taught it");
  }

  /** As a crawl wrote it that obeyed the operator. */
  private void obeyed() {
    set("able.example", "--min-interval", "3s", "--concurrency", "2");
    shelf.run(
        "UPDATE domains SET policy_state = json_set(policy_state, '$.limits',"
            + " json('{\"minimum\":3000000000,\"concurrency\":2}')) WHERE id = 1");
    assertThat(shelf.said("domains").out()).contains("able.example       active     2/3    3 s");
  }

  @Test
  void a_value_that_was_taken_back_is_not_shown_any_more() {
    obeyed();
    set("able.example", "--min-interval", "default", "--concurrency", "default");
    assertThat(shelf.said("domains").out()).contains("able.example       active     2/3    1 s");
    assertThat(shelf.said("domain", "able.example").out().lines())
        .contains("  delay              1 s (comity why tells the reason)");
    JsonNode domain = JSON.readTree(shelf.said("domain", "able.example", "--json").out());
    assertThat(domain.get("delay_ms").longValue()).isEqualTo(1000);
    assertThat(shelf.said("doctor").code()).isZero();
  }

  @Test
  void a_value_that_was_taken_back_while_a_crawl_holds_the_domain_is_not_shown_any_more() {
    obeyed();
    shelf.run(
        "UPDATE domains SET claimed_by = 'host-1', claim_expires_at = 9999999999999 WHERE id = 1");
    try (DataDirectory.Hold hold = new DataDirectory(home).hold()) {
      hold.crawling();
      set("able.example", "--min-interval", "default", "--concurrency", "default");
      assertThat(shelf.said("why", "able.example").out())
          .startsWith("able.example: 1 s between requests")
          .contains("in flight: 5 at most", "host-1 holds it and is at work");
    }
  }

  @Test
  void why_and_the_reports_say_what_the_operator_has_set() {
    set(
        "able.example",
        "--pause",
        "--min-interval",
        "3s",
        "--concurrency",
        "2",
        "--max-pages",
        "9");
    assertThat(shelf.said("why", "able.example").out().lines())
        .contains(
            "able.example: 3 s between requests, set by the minimum interval",
            "  in flight: 2 at most",
            "next request: not a matter of time (paused by the operator)",
            "  - it is paused by the operator; `comity domain set able.example --resume` lets it go"
                + " on",
            "  - the operator allows 2 requests in flight",
            "  - the operator allows 9 pages in a run",
            "  - the operator has set its minimum interval to 3 s; what the site asks for or has"
                + " taught counts where it is longer",
            "  - `comity domain set able.example --resume`");
    assertThat(shelf.said("domain", "able.example").out().lines())
        .contains(
            "Set by the operator",
            "  paused             by the operator; --resume lets it go on",
            "  minimum interval   3 s",
            "  in flight          at most 2",
            "  pages of a run     at most 9");
    assertThat(shelf.said("domains").out())
        .contains(
            "able.example       active     2/3    3 s",
            "paused by the operator; `comity domain set able.example --resume` lets it go on");
    JsonNode domain = JSON.readTree(shelf.said("domain", "able.example", "--json").out());
    assertThat(domain.get("paused").booleanValue()).isTrue();
    assertThat(domain.get("min_interval_ms").longValue()).isEqualTo(3000);
    assertThat(domain.get("max_concurrency").longValue()).isEqualTo(2);
    assertThat(domain.get("max_pages").longValue()).isEqualTo(9);
    set("able.example", "--resume", "--min-interval", "default");
    assertThat(shelf.said("why", "able.example").out())
        .startsWith("able.example: 1 s between requests")
        .doesNotContain("paused", "operator has set");
  }

  @Test
  void a_rehearsal_changes_nothing_and_programs_get_an_object() {
    assertThat(set("able.example", "--pause", "--dry-run"))
        .isEqualTo("able.example: would be set: paused");
    assertThat(set("able.example", "--min-interval", "3", "--dry-run", "--json"))
        .isEqualTo(
            "{\"domain\":\"able.example\",\"changed\":true,\"dry_run\":true,\"paused\":false,"
                + "\"min_interval_ms\":3000,\"before\":{\"paused\":false}}");
    assertThat(set("--where", "status=pending", "--pause", "--dry-run").lines())
        .containsExactly(
            "easy.able.example: would be set: paused", "1 pending domain would change");
    assertThat(shelf.text("SELECT count(*) FROM audit")).isEqualTo("0");
    assertThat(shelf.text("SELECT sum(paused) FROM domains")).isEqualTo("0");
  }

  @Test
  void all_domains_of_a_status_are_set_together() {
    assertThat(set("--where", "status=Blocked", "--concurrency", "1").lines())
        .containsExactly(
            "baker.example: in flight 1 instead of the default", "1 blocked domain changed");
    assertThat(set("--where", "status=blocked", "--concurrency", "1"))
        .isEqualTo("0 blocked domains changed");
    assertThat(shelf.text("SELECT count(*) FROM audit")).isEqualTo("1");
    assertThat(column("max_concurrency")).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "able.example --min-interval soon | min-interval is soon, but must be a time up to 30d,"
            + " such as 500ms, 3s or 10m, or `default`",
        "able.example --min-interval 31d | min-interval is 31d, but must be a time up to 30d, such"
            + " as 500ms, 3s or 10m, or `default`",
        "able.example --max-pages 0 | max-pages is 0, but must be a whole number from 1 to"
            + " 9223372036854775807, or `default`",
        "able.example --concurrency few | concurrency is few, but must be a whole number from 1 to"
            + " 2147483647, or `default`",
        "able.example --pause --resume | --pause and --resume are both given; leave one of them"
            + " out",
        "able.example | nothing is to be set: give --min-interval, --max-pages, --concurrency,"
            + " --pause or --resume",
        "--pause | NAME is missing: name a domain, or several with --where status=STATUS",
        "able.example --where status=active --pause | NAME is able.example and where is"
            + " status=active, but one of them is enough: leave the other out",
        "--where state=active --pause | where is state=active, but must be status= and one of"
            + " pending, active, exhausted, blocked, unreachable",
        "--where status=busy --pause | where is status=busy, but must be status= and one of"
            + " pending, active, exhausted, blocked, unreachable",
        "abel.example --pause | domain is abel.example, but it is not known; did you mean"
            + " able.example or baker.example?",
      })
  void what_cannot_be_set_is_refused_with_the_rule(String options, String message) {
    Said said = shelf.said(("domain set " + options).split(" ", -1));
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.out()).isEmpty();
    assertThat(said.err().lines())
        .containsExactly("comity: " + message, "Try: comity domain set --help");
    assertThat(shelf.text("SELECT count(*) FROM audit")).isEqualTo("0");
  }

  @Test
  void pages_that_the_operator_allowed_are_no_fault_even_if_taken_back() {
    shelf.run("UPDATE crawl_runs SET max_pages_per_domain = 1");
    assertThat(shelf.said("doctor").out()).contains("run 1 has 2 pages of it and may have 1");
    set("able.example", "--max-pages", "2");
    assertThat(shelf.said("doctor").code()).isZero();
    set("able.example", "--max-pages", "default");
    assertThat(shelf.said("doctor").code()).isZero();
  }

  @Test
  void options_of_the_report_do_not_count_for_set() {
    Said said = shelf.said("domain", "able.example", "set", "--pause");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .startsWith("comity: `comity domain set` takes its domain and options behind `set`");
    assertThat(column("paused")).isEqualTo("0");
  }

  @Test
  void the_report_still_needs_a_name_and_help_knows_both() {
    Said said = shelf.said("domain");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).startsWith("comity: NAME is missing");
    assertThat(shelf.said("domain", "set", "--help").out())
        .startsWith("Usage: comity domain set ")
        .contains("--min-interval=TIME", "--where=status=STATUS", "--dry-run", "`default`");
  }
}
