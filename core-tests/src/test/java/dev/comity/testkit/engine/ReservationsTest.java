package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What sites reserve from mining in tdmrep.json, as a whole crawl obeys it. */
class ReservationsTest {
  private static final String FILE = "/.well-known/tdmrep.json";
  private static final String HOST = "http://site.test";

  private final Rehearsal rehearsal = new Rehearsal();
  private final Site site = rehearsal.web.site(HOST);

  @BeforeEach
  void oneSite() {
    rehearsal.seed(HOST + "/");
    rehearsal.purposes = Set.of(Purpose.TRAIN_AI);
  }

  @Test
  void what_the_file_reserves_is_not_asked_and_the_rest_is() {
    site.answer(FILE, text("reserve /art"));
    site.page("/", "/art/1", "/free").page("/art/1").page("/free");
    rehearsal.run();
    assertThat(rehearsal.web.asked())
        .containsExactly(HOST + "/robots.txt", HOST + FILE, HOST + "/", HOST + "/free");
    Settlement reserved = settled("/art/1");
    assertThat(reserved.attempt()).isEmpty();
    assertThat(reserved.refusal())
        .map(UsageRefusal::toString)
        .contains("refused for train-ai: /.well-known/tdmrep.json says \"tdm-reservation: 1\"");
    assertThat(rehearsal.settled)
        .filteredOn(Settlement::isPage)
        .extracting(one -> one.entry().url().target())
        .containsExactly("/", "/free");
  }

  @Test
  void every_authority_is_asked_once_and_after_its_robots_txt_at_the_same_pace() {
    rehearsal.seed("http://other.test/");
    rehearsal.web.site("http://other.test").page("/", "/1", "/2").page("/1").page("/2");
    site.page("/", "/1", "/2").page("/1").page("/2");
    rehearsal.run();
    for (String host : List.of(HOST, "http://other.test")) {
      List<PretendWeb.Visit> visits =
          rehearsal.web.visits().stream()
              .filter(visit -> visit.url().toString().startsWith(host))
              .toList();
      assertThat(visits)
          .extracting(visit -> visit.url().target())
          .containsExactly("/robots.txt", FILE, "/", "/1", "/2");
      for (int next = 1; next < visits.size(); next++) {
        assertThat(Duration.between(visits.get(next - 1).startedAt(), visits.get(next).startedAt()))
            .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void a_crawl_that_it_cannot_refuse_or_whose_purpose_is_not_named_does_not_ask_for_it() {
    site.page("/");
    for (Set<Purpose> purposes : List.of(Purpose.USUAL, Set.of(Purpose.SEARCH, Purpose.ARCHIVE))) {
      Rehearsal other = new Rehearsal().seed(HOST + "/");
      other.purposes = purposes;
      other.web.site(HOST).page("/");
      other.run();
      assertThat(other.web.asked()).containsExactly(HOST + "/robots.txt", HOST + "/");
    }
  }

  @Test
  void a_copy_is_good_for_a_day_also_for_the_next_crawl() {
    site.answer(FILE, text("reserve /art"));
    site.page("/", "/art").page("/late", "/art/late").page("/later");
    rehearsal.run();
    rehearsal.seed(HOST + "/late");
    rehearsal.runAfter(Duration.ofHours(23));
    assertThat(timesAsked()).isEqualTo(1);
    assertThat(settled("/art/late").refusal()).isPresent();
    rehearsal.seed(HOST + "/later");
    rehearsal.runAfter(Duration.ofHours(2));
    assertThat(timesAsked()).isEqualTo(2);
  }

  @Test
  void a_redirect_or_a_page_in_its_place_reserves_nothing() {
    for (FetchOutcome answer :
        List.of(
            new Redirect(301, Optional.of(CrawlUrl.of("http://elsewhere.test" + FILE))),
            text("<html>not found</html>"))) {
      Rehearsal other = new Rehearsal().seed(HOST + "/");
      other.purposes = Set.of(Purpose.AI_INPUT);
      other.web.site(HOST).answer(FILE, answer).page("/");
      other.run();
      assertThat(other.web.asked()).containsExactly(HOST + "/robots.txt", HOST + FILE, HOST + "/");
      assertThat(other.memory.tdmRep(CrawlUrl.of(HOST + "/").authority()).orElseThrow().file())
          .isEmpty();
    }
  }

  @Test
  void a_file_that_fails_for_a_while_is_asked_again_before_any_page() {
    Instant well = Rehearsal.START.plusSeconds(3);
    site.answer(
        FILE, (Instant now) -> now.isBefore(well) ? new ServerError(503) : text("reserve /"));
    site.page("/");
    rehearsal.run();
    assertThat(rehearsal.web.asked()).doesNotContain(HOST + "/");
    assertThat(settled("/").refusal()).isPresent();
  }

  @Test
  void a_file_that_never_answers_counts_as_missing_for_an_hour() {
    site.answer(FILE, new ServerError(503));
    site.page("/");
    rehearsal.run();
    int tries = timesAsked();
    assertThat(tries).isBetween(2, 5);
    assertThat(rehearsal.web.asked()).endsWith(HOST + "/");
  }

  @Test
  void a_file_that_robots_txt_denies_is_not_asked_for() {
    site.answer("/robots.txt", text("deny /.well-known"));
    site.page("/");
    rehearsal.run();
    assertThat(rehearsal.web.asked()).containsExactly(HOST + "/robots.txt", HOST + "/");
  }

  @Test
  void a_reservation_in_the_header_counts_beside_a_file_that_reserves_something_else() {
    site.answer(FILE, text("reserve /art"));
    site.answer(
        "/",
        new Success(200, Headers.of(Map.of("tdm-reservation", List.of("1"))), Body.of("/never")));
    rehearsal.run();
    assertThat(settled("/").refusal())
        .map(refusal -> refusal.wish().origin().code())
        .contains("header");
  }

  private int timesAsked() {
    return (int) rehearsal.web.asked().stream().filter((HOST + FILE)::equals).count();
  }

  private Settlement settled(String target) {
    return rehearsal.settled.stream()
        .filter(one -> one.entry().url().target().equals(target))
        .findFirst()
        .orElseThrow();
  }

  private static FetchOutcome text(String body) {
    return new Success(200, Headers.NONE, Body.of(body));
  }
}
