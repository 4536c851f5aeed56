package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.TERMS;
import static dev.comity.testkit.contract.Moves.asked;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.JobProgress;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What counts as a page, what is skipped, what is an error, and what follows for priorities. */
public interface CountingContract extends StoreUnderTest {

  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  private static QueuedUrl[] links(QueuedUrl page, String... urls) {
    return List.of(urls).stream().map(url -> page.link(CrawlUrl.of(url))).toArray(QueuedUrl[]::new);
  }

  @Test
  default void a_link_whose_ending_names_a_type_that_is_not_kept_is_counted_once_and_not_asked() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl page = moves.take(claim);
    QueuedUrl[] found =
        links(page, "http://a.example/1.pdf", "http://a.example/2", "http://a.example/3.zip");
    assertThat(moves.store().settle(claim, asked(page, DONE, claim.state(), found)).skipped())
        .isEqualTo(2);
    QueuedUrl second = moves.take(claim);
    assertThat(second.url().toString()).isEqualTo("http://a.example/2");
    QueuedUrl[] more = links(second, "http://a.example/1.pdf", "http://a.example/4.pdf");
    assertThat(moves.store().settle(claim, asked(second, DONE, claim.state(), more)).skipped())
        .isEqualTo(1);
    assertThat(moves.next(claim)).isEqualTo(new Next.Empty());
    assertThat(moves.store().add(List.of(Moves.seed("http://a.example/1.pdf")), NOON)).isZero();
  }

  @Test
  default void what_was_named_is_asked_whatever_its_ending() {
    Moves moves = moves("http://a.example/report.pdf");
    assertThat(moves.take(moves.claimOne()).url().toString())
        .isEqualTo("http://a.example/report.pdf");
  }

  @Test
  default void a_domain_of_which_only_skipped_urls_are_known_is_not_claimed_until_another_comes() {
    Moves moves = moves("http://a.example/", "http://a.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl page = moves.take(claim);
    QueuedUrl[] films = links(page, "http://b.example/film.mp4");
    assertThat(moves.store().settle(claim, asked(page, DONE, claim.state(), films)))
        .satisfies(written -> assertThat(written.elsewhere()).isFalse())
        .satisfies(written -> assertThat(written.skipped()).isEqualTo(1));
    assertThat(moves.store().claim(2, NOON)).isEmpty();
    QueuedUrl second = moves.take(claim);
    moves
        .store()
        .settle(
            claim,
            asked(second, DONE, claim.state(), links(second, "http://b.example/about.html")));
    assertThat(moves.drain(moves.claimOne()))
        .extracting(entry -> entry.url().toString())
        .containsExactly("http://b.example/about.html");
  }

  @Test
  default void skipped_urls_take_no_room_from_others_and_are_kept_up_to_the_same_cap() {
    Moves moves = Moves.on(store(StoreShape.USUAL.withMostUnfinished(3)));
    moves.seeded("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl page = moves.take(claim);
    String[] files =
        IntStream.range(0, 5)
            .mapToObj(file -> "http://a.example/" + file + ".pdf")
            .toArray(String[]::new);
    assertThat(moves.store().settle(claim, asked(page, DONE, claim.state(), links(page, files))))
        .satisfies(written -> assertThat(written.skipped()).isEqualTo(3));
    String[] pages = {"http://a.example/1", "http://a.example/2", "http://a.example/3"};
    assertThat(moves.store().add(List.of(links(page, pages)), NOON)).isEqualTo(3);
  }

  @Test
  default void what_is_not_kept_is_no_page_and_is_counted_for_its_own_limit_over_claims() {
    Moves moves =
        moves(
            "http://a.example/", "http://a.example/2", "http://a.example/3", "http://a.example/4");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, DONE);
    moves.settleNext(claim, new Fate.Skipped());
    moves.settleNext(claim, new Fate.Failed(Category.TOO_LARGE));
    moves.stop(claim);
    assertThat(moves.claimOne().job()).isEqualTo(new JobProgress(1, 2, JobStreak.NONE));
    Run again = moves.store().begin(TERMS, NOON);
    assertThat(again).isEqualTo(new Run(again.id(), true, 1, 2, Set.of(), OptionalLong.empty()));
  }

  @Test
  default void a_url_skipped_by_its_ending_says_nothing_about_the_job() {
    Moves moves = moves("http://a.example/", "http://a.example/2", "http://a.example/3");
    Claim claim = moves.claimOne();
    moves.settleNext(claim, new Fate.Failed(Category.TIMEOUT));
    moves.store().settle(claim, Moves.unasked(moves.take(claim), new Fate.Skipped()));
    moves.stop(claim);
    assertThat(moves.claimOne().job()).isEqualTo(new JobProgress(0, 0, new JobStreak(1)));
  }

  /** With as many URLs left, whoever is claimed first has the higher priority. */
  private List<String> order(FetchOutcome one, FetchOutcome other) {
    Moves moves =
        moves("http://one.example/", "http://one.example/2", "http://other.example/")
            .seeded("http://other.example/2");
    for (Claim claim : moves.store().claim(2, NOON)) {
      QueuedUrl entry = moves.take(claim);
      boolean first = claim.domain().name().startsWith("one");
      moves
          .store()
          .settle(
              claim,
              Moves.answered(entry, new Fate.Done(Category.CLIENT_ERROR), first ? one : other));
      moves.stop(claim);
    }
    return moves.claimInTurn(2, NOON);
  }

  @Test
  default void a_missing_page_does_not_lower_a_domain_s_priority_and_a_forbidden_one_does() {
    FetchOutcome missing = new FetchOutcome.ClientError(404);
    FetchOutcome forbidden = new FetchOutcome.Forbidden(403);
    assertThat(order(forbidden, missing)).containsExactly("other.example", "one.example");
    assertThat(order(missing, forbidden)).containsExactly("one.example", "other.example");
    FetchOutcome slower = new FetchOutcome.RateLimited(429, Optional.empty());
    assertThat(order(forbidden, slower)).containsExactly("other.example", "one.example");
    FetchOutcome film = new FetchOutcome.WrongType(200, "video/mp4");
    assertThat(order(forbidden, film)).containsExactly("other.example", "one.example");
  }

  @Test
  default void a_request_that_failed_is_an_error_though_the_url_is_asked_again() {
    Moves moves =
        moves("http://bad.example/", "http://bad.example/2", "http://good.example/")
            .seeded("http://good.example/2");
    for (Claim claim : moves.store().claim(2, NOON)) {
      FetchOutcome outcome =
          claim.domain().name().startsWith("bad")
              ? new FetchOutcome.ServerError(500)
              : new FetchOutcome.RateLimited(429, Optional.empty());
      moves
          .store()
          .settle(claim, Moves.answered(moves.take(claim), new Fate.Retry(NOON, true), outcome));
      moves.stop(claim);
    }
    assertThat(moves.claimInTurn(2, NOON)).containsExactly("good.example", "bad.example");
  }

  @Test
  default void a_new_domain_has_its_priority_at_once() {
    Moves moves = moves("http://crawled.example/", "http://crawled.example/2");
    Claim claim = moves.claimOne();
    QueuedUrl page = moves.take(claim);
    moves.stop(claim);
    // Crawled today with two URLs left: 4. Never crawled: 150, and 2 for each URL.
    moves.seeded("http://one.example/");
    moves.seeded("http://two.example/", "http://two.example/2");
    assertThat(moves.claimInTurn(3, NOON))
        .containsExactly("two.example", "one.example", "crawled.example");
    assertThat(page.depth()).isZero();
  }

  @Test
  default void a_domain_that_a_link_leads_to_has_its_priority_at_once() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    Claim first = moves.claimOne();
    moves.stop(first);
    Claim second = moves.claimOne();
    QueuedUrl page = moves.take(second);
    String[] found = {"http://one.example/", "http://two.example/1", "http://two.example/2"};
    moves.store().settle(second, asked(page, DONE, second.state(), links(page, found)));
    assertThat(moves.claimInTurn(3, NOON))
        .containsExactly("two.example", "one.example", first.domain().name());
  }
}
