package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.TERMS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.PageHint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.schedule.VisitResult;
import dev.comity.core.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pages that are done get a date, and a refresh visits those that are due. */
public interface RefreshContract extends StoreUnderTest {
  private static RunTerms refresh() {
    return TERMS.refreshing(List.of());
  }

  private static Instant days(int days) {
    return NOON.plus(Duration.ofDays(days));
  }

  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  /** An answer with this text and an ETag. */
  private static Settlement page(Claim claim, QueuedUrl entry, String text, Instant at) {
    FetchOutcome answer =
        new FetchOutcome.Success(
            200,
            Headers.of(Map.of("ETag", List.of("\"" + text + "\""))),
            Body.of(text.getBytes(StandardCharsets.UTF_8)));
    return settlement(
        claim,
        entry,
        answer,
        new Fate.Done(Category.SUCCESS),
        at,
        Optional.of(new PageContent(Optional.of("A title"), text, Optional.of("text/html"))));
  }

  private static Settlement settlement(
      Claim claim,
      QueuedUrl entry,
      FetchOutcome answer,
      Fate fate,
      Instant at,
      Optional<PageContent> content) {
    Attempt attempt =
        new Attempt(entry.url(), entry.kind(), entry.triesSpent() + 1, at, Duration.ofSeconds(1));
    Fetched fetched = new Fetched(answer, Optional.empty(), Duration.ofMillis(100), 0);
    return new Settlement(
        entry, Optional.of(attempt), Optional.of(fetched), fate, claim.state(), List.of(), content);
  }

  private static List<QueuedUrl> taken(Moves moves, Claim claim, Instant now) {
    List<QueuedUrl> taken = new ArrayList<>();
    while (moves.store().frontier().next(claim, now) instanceof Next.Ready(var entry)) {
      taken.add(entry);
    }
    return taken;
  }

  /** Crawls every URL that is there, and gives the domain back. */
  private static void crawl(Moves moves, String text) {
    crawl(moves, text, NOON);
  }

  private static void crawl(Moves moves, String text, Instant at) {
    Claim claim = moves.claimOne(at);
    taken(moves, claim, at)
        .forEach(entry -> moves.store().settle(claim, page(claim, entry, text, at)));
    rest(moves, claim, at);
  }

  private static void rest(Moves moves, Claim claim, Instant at) {
    moves.store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), at);
    moves.store().end(RunEnding.FINISHED, at);
  }

  /** Visits one page that is due then; this is its answer. */
  private static VisitResult visit(Moves moves, Instant at, FetchOutcome answer, Fate fate) {
    moves.store().begin(refresh(), at);
    Claim claim = moves.claimOne(at);
    QueuedUrl entry = taken(moves, claim, at).getFirst();
    Settlement settled = settlement(claim, entry, answer, fate, at, Optional.empty());
    moves.store().settle(claim, settled);
    rest(moves, claim, at);
    return settled.visited().orElseThrow();
  }

  @Test
  default void a_page_is_due_a_fortnight_after_its_first_visit() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    moves.store().begin(refresh(), days(13));
    assertThat(moves.store().claim(1, days(13))).isEmpty();
    assertThat(moves.store().outlook(days(13))).isEqualTo(new Outlook.Nothing());
    assertThat(moves.store().claim(1, days(14))).hasSize(1);
  }

  @Test
  default void a_crawl_claims_no_page_that_is_due() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    moves.store().begin(TERMS, days(20));
    assertThat(moves.store().claim(1, days(20))).isEmpty();
    assertThat(moves.store().outlook(days(20))).isEqualTo(new Outlook.Nothing());
  }

  @Test
  default void a_refresh_claims_an_exhausted_domain_and_knows_its_pages() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    moves.store().begin(refresh(), days(15));
    Claim claim = moves.claimOne(days(15));
    assertThat(moves.store().state(claim.domain()).orElseThrow().standing().status())
        .isEqualTo(DomainStatus.ACTIVE);
    QueuedUrl entry = taken(moves, claim, days(15)).getFirst();
    PageVisits visits = entry.visits().orElseThrow();
    assertThat(visits.at()).isEqualTo(NOON);
    assertThat(visits.etag()).contains("\"text\"");
    assertThat(page(claim, entry, "text", days(15)).visited()).contains(VisitResult.UNCHANGED);
    assertThat(page(claim, entry, " t e x t ", days(15)).visited()).contains(VisitResult.UNCHANGED);
    assertThat(page(claim, entry, "other", days(15)).visited()).contains(VisitResult.CHANGED);
  }

  @Test
  default void a_page_that_changed_is_due_sooner_than_one_that_did_not() {
    Moves moves = moves("http://a.example/changed", "http://a.example/same/page");
    crawl(moves, "text");
    moves.store().begin(refresh(), days(15));
    Claim claim = moves.claimOne(days(15));
    for (QueuedUrl entry : taken(moves, claim, days(15))) {
      String text = entry.url().toString().endsWith("changed") ? "other" : "text";
      moves.store().settle(claim, page(claim, entry, text, days(15)));
    }
    rest(moves, claim, days(15));
    moves.store().begin(refresh(), days(22));
    Claim again = moves.claimOne(days(22));
    assertThat(taken(moves, again, days(22)))
        .extracting(entry -> entry.url().toString())
        .containsExactly("http://a.example/changed");
  }

  @Test
  default void a_page_that_is_missing_twice_a_week_apart_is_gone() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    FetchOutcome missing = new FetchOutcome.ClientError(404);
    Fate fate = new Fate.Done(Category.CLIENT_ERROR);
    assertThat(visit(moves, days(15), missing, fate)).isEqualTo(VisitResult.MISSING);
    moves.store().begin(refresh(), days(21));
    assertThat(moves.store().claim(1, days(21))).isEmpty();
    assertThat(visit(moves, days(22), missing, fate)).isEqualTo(VisitResult.GONE);
    moves.store().begin(refresh(), days(400));
    assertThat(moves.store().claim(1, days(400))).isEmpty();
  }

  @Test
  default void a_page_that_is_back_within_the_week_has_changed() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    visit(moves, days(15), new FetchOutcome.ClientError(410), new Fate.Done(Category.CLIENT_ERROR));
    moves.store().begin(refresh(), days(22));
    Claim claim = moves.claimOne(days(22));
    QueuedUrl entry = taken(moves, claim, days(22)).getFirst();
    assertThat(page(claim, entry, "text", days(22)).visited()).contains(VisitResult.CHANGED);
  }

  @Test
  default void a_server_that_fails_says_nothing_about_its_pages() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    assertThat(
            visit(
                moves,
                days(15),
                new FetchOutcome.ServerError(503),
                new Fate.Failed(Category.SERVER_ERROR)))
        .isEqualTo(VisitResult.NO_EVIDENCE);
    moves.store().begin(refresh(), days(17));
    Claim claim = moves.claimOne(days(17));
    PageVisits known = taken(moves, claim, days(17)).getFirst().visits().orElseThrow();
    assertThat(known.at()).isEqualTo(NOON);
    assertThat(known.etag()).contains("\"text\"");
  }

  @Test
  default void a_304_keeps_what_is_known_of_the_page() {
    Moves moves = moves("http://a.example/");
    crawl(moves, "text");
    assertThat(
            visit(
                moves,
                days(15),
                new FetchOutcome.NotModified(304, Headers.NONE),
                new Fate.Done(Category.NOT_MODIFIED)))
        .isEqualTo(VisitResult.UNCHANGED);
    moves.store().begin(refresh(), days(120));
    Claim claim = moves.claimOne(days(120));
    QueuedUrl entry = taken(moves, claim, days(120)).getFirst();
    assertThat(entry.visits().orElseThrow().etag()).contains("\"text\"");
    assertThat(page(claim, entry, "text", days(120)).visited()).contains(VisitResult.UNCHANGED);
  }

  @Test
  default void a_refresh_that_was_left_goes_on_with_what_it_had() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    crawl(moves, "text");
    moves.store().begin(refresh(), days(15));
    Claim claim = moves.claimOne(days(15));
    if (moves.store().frontier().next(claim, days(15)) instanceof Next.Ready(var first)) {
      moves.store().settle(claim, page(claim, first, "text", days(15)));
    }
    moves.stopActive(claim, days(15));
    moves.store().end(RunEnding.STOPPED, days(15));
    assertThat(moves.store().begin(refresh(), days(15)).continued()).isTrue();
    assertThat(taken(moves, moves.claimOne(days(15)), days(15))).hasSize(1);
  }

  @Test
  default void an_answer_that_says_how_long_it_is_fresh_is_believed() {
    Moves moves = moves("http://a.example/");
    Claim claim = moves.claimOne();
    QueuedUrl entry = taken(moves, claim, NOON).getFirst();
    FetchOutcome answer =
        new FetchOutcome.Success(
            200, Headers.of(Map.of("Cache-Control", List.of("max-age=2592000"))), Body.EMPTY);
    moves
        .store()
        .settle(
            claim,
            settlement(
                claim, entry, answer, new Fate.Done(Category.SUCCESS), NOON, Optional.empty()));
    rest(moves, claim, NOON);
    moves.store().begin(refresh(), days(29));
    assertThat(moves.store().claim(1, days(29))).isEmpty();
    assertThat(moves.store().claim(1, days(30))).hasSize(1);
  }

  @Test
  default void a_page_of_which_the_site_says_that_it_changed_is_due() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    crawl(moves, "text");
    moves.store().begin(TERMS, days(2));
    moves.seeded("http://a.example/3");
    Claim claim = moves.claimOne(days(2));
    moves
        .store()
        .hint(
            claim,
            List.of(
                new PageHint(CrawlUrl.of("http://a.example/1"), days(1)),
                new PageHint(CrawlUrl.of("http://a.example/2"), NOON),
                new PageHint(CrawlUrl.of("http://a.example/unknown"), days(1))));
    taken(moves, claim, days(2))
        .forEach(entry -> moves.store().settle(claim, page(claim, entry, "text", days(2))));
    rest(moves, claim, days(2));
    moves.store().begin(refresh(), days(3));
    QueuedUrl entry = taken(moves, moves.claimOne(days(3)), days(3)).getFirst();
    assertThat(entry.url()).isEqualTo(CrawlUrl.of("http://a.example/1"));
    assertThat(entry.visits().orElseThrow().hint()).isEqualTo(PageVisits.Hint.FOLLOWED);
  }

  @Test
  default void ten_hints_are_tried_before_any_is_judged() {
    String[] urls = new String[30];
    List<PageHint> hints = new ArrayList<>();
    for (int number = 0; number < urls.length; number++) {
      urls[number] = "http://a.example/" + number;
      hints.add(new PageHint(CrawlUrl.of(urls[number]), days(1)));
    }
    Moves moves = moves(urls);
    crawl(moves, "text");
    moves.store().begin(TERMS, days(2));
    moves.seeded("http://a.example/more");
    Claim claim = moves.claimOne(days(2));
    moves.store().hint(claim, hints);
    taken(moves, claim, days(2))
        .forEach(entry -> moves.store().settle(claim, page(claim, entry, "text", days(2))));
    rest(moves, claim, days(2));
    moves.store().begin(refresh(), days(3));
    assertThat(taken(moves, moves.claimOne(days(3)), days(3))).hasSize(10);
  }

  @Test
  default void a_refresh_keeps_to_twice_the_budget_of_the_days_that_have_passed() {
    String[] urls = new String[800];
    for (int number = 0; number < urls.length; number++) {
      urls[number] = "http://a.example/" + number;
    }
    Moves moves = moves(urls);
    crawl(moves, "text");
    moves.store().begin(refresh(), days(14));
    Claim claim = moves.claimOne(days(14));
    // Twice 20 and a hundredth of 800 a day, for 14 days.
    assertThat(taken(moves, claim, days(14))).hasSize(784);
  }

  @Test
  default void a_domain_that_gets_a_url_during_a_refresh_keeps_its_pages_that_are_due() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    crawl(moves, "text");
    moves.store().begin(refresh(), days(15));
    moves.seeded("http://a.example/3");
    assertThat(urls(taken(moves, moves.claimOne(days(15)), days(15))))
        .containsExactlyInAnyOrder(
            "http://a.example/1", "http://a.example/2", "http://a.example/3");
  }

  @Test
  default void a_domain_that_is_claimed_again_in_a_refresh_draws_no_second_budget() {
    String[] urls = new String[800];
    for (int number = 0; number < urls.length; number++) {
      urls[number] = "http://a.example/" + number;
    }
    Moves moves = moves(urls);
    crawl(moves, "text");
    moves.store().begin(refresh(), days(14));
    Claim claim = moves.claimOne(days(14));
    taken(moves, claim, days(14))
        .forEach(entry -> moves.store().settle(claim, page(claim, entry, "text", days(14))));
    moves.store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), days(14));
    moves.seeded("http://a.example/more");
    assertThat(urls(taken(moves, moves.claimOne(days(14)), days(14))))
        .containsExactly("http://a.example/more");
  }

  @Test
  default void a_page_that_a_hint_names_during_a_refresh_is_visited_in_it() {
    Moves moves = moves("http://a.example/1", "http://a.example/2");
    crawl(moves, "text");
    moves.store().begin(refresh(), days(5));
    moves.seeded("http://a.example/3");
    Claim claim = moves.claimOne(days(5));
    assertThat(urls(taken(moves, claim, days(5)))).containsExactly("http://a.example/3");
    moves.store().hint(claim, List.of(new PageHint(CrawlUrl.of("http://a.example/1"), days(4))));
    List<QueuedUrl> hinted = taken(moves, claim, days(5));
    assertThat(urls(hinted)).containsExactly("http://a.example/1");
    assertThat(hinted.getFirst().visits().orElseThrow().hint()).isEqualTo(PageVisits.Hint.FOLLOWED);
    moves.store().settle(claim, page(claim, hinted.getFirst(), "other", days(5)));
    assertThat(moves.store().frontier().next(claim, days(5))).isInstanceOf(Next.Empty.class);
  }

  @Test
  default void a_hint_during_a_crawl_waits_for_the_next_refresh() {
    Moves moves = moves("http://a.example/1");
    crawl(moves, "text");
    moves.store().begin(TERMS, days(5));
    moves.seeded("http://a.example/3");
    Claim claim = moves.claimOne(days(5));
    taken(moves, claim, days(5));
    moves.store().hint(claim, List.of(new PageHint(CrawlUrl.of("http://a.example/1"), days(4))));
    assertThat(taken(moves, claim, days(5))).isEmpty();
  }

  @Test
  default void hints_beyond_the_budget_of_a_refresh_wait_for_the_next() {
    Moves moves = moves("http://a.example/1", "http://a.example/2", "http://a.example/3");
    crawl(moves, "text");
    // Twice 20 visits a day are one in an hour.
    Instant soon = NOON.plus(Duration.ofMinutes(61));
    moves.store().begin(refresh(), soon);
    moves.seeded("http://a.example/new");
    Claim claim = moves.claimOne(soon);
    taken(moves, claim, soon);
    List<PageHint> hints = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      hints.add(
          new PageHint(
              CrawlUrl.of("http://a.example/" + number), NOON.plus(Duration.ofMinutes(30))));
    }
    moves.store().hint(claim, hints);
    assertThat(taken(moves, claim, soon)).hasSize(1);
    moves.store().hint(claim, hints);
    assertThat(taken(moves, claim, soon)).isEmpty();
  }

  @Test
  default void of_domains_that_are_due_the_one_that_waits_longest_is_claimed_first() {
    Moves moves = moves("http://b.example/");
    crawl(moves, "text");
    moves.store().begin(TERMS, days(1));
    moves.seeded("http://a.example/");
    crawl(moves, "text", days(1));
    moves.store().begin(refresh(), days(20));
    assertThat(moves.claimInTurn(2, days(20))).containsExactly("b.example", "a.example");
  }

  @Test
  default void a_domain_that_gets_urls_all_the_time_is_due_all_the_same() {
    Moves moves = moves("http://a.example/first");
    crawl(moves, "text");
    Instant justNow = days(14).minus(Duration.ofMinutes(20));
    moves.store().begin(TERMS, justNow);
    moves.seeded("http://a.example/new");
    crawl(moves, "text", justNow);
    moves.store().begin(refresh(), days(14));
    assertThat(urls(taken(moves, moves.claimOne(days(14)), days(14))))
        .containsExactly("http://a.example/first");
  }

  @Test
  default void of_pages_that_are_due_those_that_wait_longest_get_the_budget() {
    Moves moves = moves("http://a.example/first");
    crawl(moves, "text");
    for (int order : List.of(2, 1)) {
      Instant later = NOON.plus(Duration.ofMinutes(50 - 10 * order));
      moves.store().begin(TERMS, later);
      moves.seeded("http://a.example/" + order);
      crawl(moves, "text", later);
    }
    moves.store().begin(refresh(), days(14));
    crawl(moves, "text", days(14));
    // Twice 20 visits a day are one in an hour.
    Instant soon = days(14).plus(Duration.ofMinutes(61));
    moves.store().begin(refresh(), soon);
    assertThat(urls(taken(moves, moves.claimOne(soon), soon)))
        .containsExactly("http://a.example/2");
  }

  private static List<String> urls(List<QueuedUrl> entries) {
    return entries.stream().map(entry -> entry.url().toString()).toList();
  }
}
