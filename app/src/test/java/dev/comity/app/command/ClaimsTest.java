package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which worker holds what, and claims that are ended by hand; priorities, too. */
class ClaimsTest {
  private static final String NO_CRAWL =
      "no crawl is running; the next one takes over what is left";

  @TempDir private Path home;
  private Shelf shelf;

  /** One claim that lasts, one that has expired. */
  @BeforeEach
  void hold() {
    shelf = Shelf.small(home);
    shelf.run(
        "UPDATE domains SET claimed_by = 'host-1', claim_expires_at = 4000000000000 WHERE id = 1",
        "UPDATE domains SET claimed_by = 'host-2', claim_expires_at = 1700000900000, claim_token ="
            + " 4, last_crawled_at = 1700000000000 WHERE id = 3");
  }

  private String holders() {
    return shelf.text("SELECT group_concat(claimed_by, ' ') FROM domains");
  }

  @Test
  void every_claim_has_its_line() {
    Said said = shelf.said("claims");
    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .containsExactly(
            "DOMAIN             WORKER  TOKEN  SINCE                    EXPIRES",
            "─".repeat(82),
            "able.example       host-1      1  2023-11-14 22:13:30 UTC  2096-10-02 07:06:40 UTC",
            "easy.able.example  host-2      4  2023-11-14 22:13:20 UTC  2023-11-14 22:28:20 UTC",
            "2 claims",
            "1 claim is expired; `comity release-stuck-claims` ends expired claims",
            NO_CRAWL);
    assertThat(shelf.said("claims", "--json").out().lines())
        .contains(
            "{\"domain\":\"easy.able.example\",\"worker\":\"host-2\",\"token\":4,"
                + "\"since\":\"2023-11-14T22:13:20.000Z\","
                + "\"expires_at\":\"2023-11-14T22:28:20.000Z\",\"expired\":true}")
        .hasSize(2);
  }

  @Test
  void expired_claims_are_ended_and_audited_and_others_stay() {
    Said said = shelf.said("release-stuck-claims");
    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .containsExactly("easy.able.example: the claim of host-2 is ended", "1 claim is ended");
    assertThat(holders()).isEqualTo("host-1");
    assertThat(shelf.text("SELECT unclean FROM domains WHERE id = 3"))
        .as("its next holder waits one full delay")
        .isEqualTo("1");
    assertThat(shelf.text("SELECT action || ' ' || subject || ' ' || detail FROM audit"))
        .isEqualTo("claim-ended easy.able.example of host-2");
    assertThat(shelf.said("release-stuck-claims").out().lines())
        .containsExactly("no claim has expired", NO_CRAWL);
  }

  @Test
  void a_worker_s_claims_are_ended_by_force_and_its_name_must_be_right() {
    assertThat(shelf.said("release-stuck-claims", "--force", "host-1", "--json").out())
        .startsWith("{\"domain\":\"able.example\",\"worker\":\"host-1\",\"token\":1,");
    assertThat(holders()).isEqualTo("host-2");
    Said said = shelf.said("release-stuck-claims", "--force", "host-9");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err().lines())
        .containsExactly(
            "comity: force is host-9, but no worker of that name holds a claim; `comity claims`"
                + " lists them",
            "Try: comity release-stuck-claims --help");
    shelf.said("release-stuck-claims");
    assertThat(shelf.said("claims").out().lines()).containsExactly("no claim is held");
    assertThat(shelf.said("release-stuck-claims").out().lines())
        .containsExactly("no claim has expired");
  }

  @Test
  void priorities_are_computed_for_every_domain() {
    shelf.run("UPDATE domains SET priority_score = -77");
    Said said = shelf.said("recalculate-priorities");
    assertThat(said.code()).isZero();
    assertThat(said.out().lines())
        .containsExactly(
            "the priority of 3 domains is recalculated; `comity domains --sort priority` lists"
                + " them");
    assertThat(shelf.text("SELECT count(*) FROM domains WHERE priority_score = -77"))
        .isEqualTo("0");
    assertThat(shelf.said("recalculate-priorities", "--json").out().strip())
        .isEqualTo("{\"domains\":3}");
  }
}
