package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.POLICY;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.answer;
import static dev.comity.testkit.contract.Moves.asked;
import static dev.comity.testkit.contract.Moves.attempt;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is heard beside pages is written whole and found again: robots.txt files and sitemaps. */
public interface NoteContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  @Test
  default void a_sitemap_is_handed_out_as_one_and_settled_as_no_page() {
    Moves moves = moves();
    QueuedUrl sitemap = QueuedUrl.sitemap(CrawlUrl.of("http://a.example/map.xml"));
    QueuedUrl further = sitemap.furtherSitemap(CrawlUrl.of("http://a.example/more.xml"));
    QueuedUrl page = sitemap.listed(CrawlUrl.of("http://a.example/1"));
    moves.store().add(List.of(sitemap), NOON);
    Claim claim = moves.claimOne();
    assertThat(moves.settleNext(claim, DONE, further, page)).isEqualTo(sitemap);
    assertThat(moves.store().begin(TERMS, NOON).pages()).isZero();
    QueuedUrl taken = moves.take(claim);
    assertThat(taken).isEqualTo(page);
    moves.store().settle(claim, asked(taken, DONE, claim.state()));
    assertThat(moves.settleNext(claim, new Fate.Retry(NOON, true))).isEqualTo(further);
    assertThat(moves.take(claim)).isEqualTo(further.askedAgain(true));
    assertThat(moves.store().begin(TERMS, NOON).pages()).isEqualTo(1);
  }

  @Test
  default void sitemaps_that_fail_end_no_job() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, new Fate.Failed(Category.SERVER_ERROR));
    for (int number = 0; number < 3; number++) {
      moves
          .store()
          .add(List.of(QueuedUrl.sitemap(CrawlUrl.of("http://a.example/" + number))), NOON);
      moves.settleNext(claim, new Fate.Failed(Category.SERVER_ERROR));
    }
    moves.seeded("http://a.example/last");
    moves.stop(claim);
    assertThat(moves.claimOne().job().streak().failed()).isEqualTo(1);
  }

  @Test
  default void a_note_writes_state_finds_and_start_together() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    DomainState after = POLICY.startFailed(claim.state(), NOON);
    Attempt attempt =
        new Attempt(
            CrawlUrl.of("http://a.example/robots.txt"),
            Kind.ROBOTS,
            1,
            NOON.plusSeconds(3),
            Duration.ofSeconds(1));
    moves
        .store()
        .record(
            claim,
            new Note(
                after,
                Optional.of(new Note.Exchange(attempt, answer())),
                Optional.empty(),
                List.of(seed("http://b.example/"))));
    assertThat(moves.store().state(claim.domain())).contains(after);
    assertThat(moves.store().lastStart(claim.domain())).contains(NOON.plusSeconds(3));
    assertThat(moves.claimOne().domain().name()).isEqualTo("b.example");
    assertThat(moves.store().begin(TERMS, NOON).pages()).isZero();
  }

  @Test
  default void copies_of_robots_txt_and_tdmrep_json_are_kept_apart() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    Authority authority = CrawlUrl.of("http://a.example/").authority();
    for (RobotsCopy copy :
        List.of(
            new RobotsCopy(authority, Optional.of(Body.of("robots")), true, NOON),
            RobotsCopy.ofTdmRep(authority, Optional.of(Body.of("first")), NOON),
            RobotsCopy.ofTdmRep(authority, Optional.of(Body.of("mining")), NOON.plusSeconds(1)))) {
      Note note = new Note(claim.state(), Optional.empty(), Optional.of(copy), List.of());
      moves.store().record(claim, note);
    }
    RobotsCopy robots = moves.store().robots(authority).orElseThrow();
    RobotsCopy mining = moves.store().tdmRep(authority).orElseThrow();
    assertThat(robots.file().orElseThrow().bytes()).isEqualTo(Body.of("robots").bytes());
    assertThat(mining.file().orElseThrow().bytes()).isEqualTo(Body.of("mining").bytes());
    assertThat(mining.fetchedAt()).isEqualTo(NOON.plusSeconds(1));
  }

  @Test
  default void the_last_start_of_a_domain_and_of_a_source_is_the_latest_of_all() {
    Moves moves = moves();
    CrawlStore store = moves.store();
    store.add(
        List.of(
            seed("http://a.example/1").of("feed"),
            seed("http://a.example/2"),
            seed("http://a.example/3").of("feed")),
        NOON);
    Claim claim = moves.claimOne();
    assertThat(store.lastStart(claim.domain())).isEmpty();
    assertThat(store.lastStartOfSource("feed")).isEmpty();
    // All of them have started by then: a store trusts no start in the future.
    store.renew(List.of(claim), NOON.plusSeconds(30));
    for (int seconds : List.of(20, 30, 10)) {
      QueuedUrl entry = moves.take(claim);
      Settlement plain = asked(entry, DONE, claim.state());
      store.settle(
          claim,
          new Settlement(
              entry,
              Optional.of(attempt(entry, NOON.plusSeconds(seconds))),
              plain.fetched(),
              plain.fate(),
              plain.state(),
              plain.found(),
              plain.page()));
    }
    assertThat(store.lastStart(claim.domain())).contains(NOON.plusSeconds(30));
    assertThat(store.lastStartOfSource("feed")).contains(NOON.plusSeconds(20));
    assertThat(store.lastStartOfSource("another")).isEmpty();
  }

  @Test
  default void a_robots_txt_is_found_again_as_it_was_served() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    Authority plain = CrawlUrl.of("http://a.example/").authority();
    Authority secure = CrawlUrl.of("https://a.example/").authority();
    Authority other = CrawlUrl.of("http://www.a.example/").authority();
    byte[] bytes = "User-agent: *\r\nDisallow: /\u00e9\0\n".getBytes(StandardCharsets.UTF_8);
    keep(moves, claim, new RobotsCopy(plain, Optional.of(Body.of(bytes)), true, NOON));
    keep(moves, claim, new RobotsCopy(secure, Optional.empty(), true, NOON));
    keep(moves, claim, new RobotsCopy(other, Optional.empty(), false, NOON.plusSeconds(1)));

    RobotsCopy served = moves.store().robots(plain).orElseThrow();
    assertThat(served.file().orElseThrow().bytes()).isEqualTo(bytes);
    assertThat(served.authority()).isEqualTo(plain);
    assertThat(served.fetchedAt()).isEqualTo(NOON);
    assertThat(moves.store().robots(secure))
        .contains(new RobotsCopy(secure, Optional.empty(), true, NOON));
    assertThat(moves.store().robots(other))
        .contains(new RobotsCopy(other, Optional.empty(), false, NOON.plusSeconds(1)));
    assertThat(moves.store().robots(CrawlUrl.of("http://b.example/").authority())).isEmpty();
  }

  @Test
  default void the_last_robots_txt_counts_and_an_empty_one_is_still_a_file() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    Authority authority = CrawlUrl.of("http://a.example/").authority();
    keep(moves, claim, new RobotsCopy(authority, Optional.empty(), false, NOON));
    Instant later = NOON.plusSeconds(60);
    keep(moves, claim, new RobotsCopy(authority, Optional.of(Body.EMPTY), true, later));
    RobotsCopy copy = moves.store().robots(authority).orElseThrow();
    assertThat(copy.file().orElseThrow().length()).isZero();
    assertThat(copy.fetchedAt()).isEqualTo(later);
  }

  private static void keep(Moves moves, Claim claim, RobotsCopy copy) {
    moves
        .store()
        .record(claim, new Note(claim.state(), Optional.empty(), Optional.of(copy), List.of()));
  }
}
