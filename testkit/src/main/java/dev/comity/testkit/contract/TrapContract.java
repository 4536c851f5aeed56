package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.DONE;
import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.seed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a store remembers of templates, and how many sub-domains it lets links open. */
public interface TrapContract extends StoreUnderTest {

  private static Settlement with(QueuedUrl entry, Claim claim, List<TemplateStats> tallies) {
    Settlement plain = Moves.asked(entry, DONE, claim.state());
    return new Settlement(
        entry,
        plain.attempt(),
        plain.fetched(),
        plain.fate(),
        plain.state(),
        plain.found(),
        plain.page(),
        tallies);
  }

  /** A page of this number, found on the one before, and all of them say the same. */
  private static List<TemplateStats> landed(Traps traps, int number) {
    CrawlUrl url = CrawlUrl.of("http://a.example/day/" + number);
    CrawlUrl before = CrawlUrl.of("http://a.example/day/" + (number - 1));
    traps.landed(
        url,
        Optional.of(before),
        () -> "there are no events",
        List.of(),
        List.of(),
        NOON.plusSeconds(number));
    return traps.takeChanged();
  }

  @Test
  default void what_is_known_of_templates_is_read_again_as_it_was_written() {
    Moves moves =
        Moves.on(store(StoreShape.USUAL))
            .seeded(
                "http://a.example/day/1",
                "http://a.example/day/2",
                "http://a.example/day/3",
                "http://a.example/day/4");
    Claim claim = moves.claimOne();
    assertThat(moves.store().templates(claim.domain())).isEmpty();
    Traps traps = new Traps(new TrapSettings(2), List.of());
    List<TemplateStats> last = List.of();
    for (int number = 1; number < 5; number++) {
      last = landed(traps, number);
      moves.store().settle(claim, with(moves.take(claim), claim, last));
      assertThat(moves.store().templates(claim.domain())).isEqualTo(last);
    }
    assertThat(last.getFirst().suppressed().orElseThrow().since()).isEqualTo(NOON.plusSeconds(4));
    List<TemplateStats> lifted = last.stream().map(TemplateStats::lifting).toList();
    moves.seeded("http://a.example/day/5");
    moves.store().settle(claim, with(moves.take(claim), claim, lifted));
    assertThat(moves.store().templates(claim.domain())).isEqualTo(lifted);
  }

  @Test
  default void what_the_last_pages_said_of_templates_is_noted_when_the_work_ends() {
    Moves moves = Moves.on(store(StoreShape.USUAL)).seeded("http://a.example/day/1");
    Claim claim = moves.claimOne();
    List<TemplateStats> last = landed(new Traps(new TrapSettings(2), List.of()), 1);
    moves
        .store()
        .record(
            claim, new Note(claim.state(), Optional.empty(), Optional.empty(), List.of(), last));
    assertThat(moves.store().templates(claim.domain())).isEqualTo(last).isNotEmpty();
  }

  @Test
  default void who_lost_the_claim_says_nothing_about_templates() {
    Moves moves = Moves.on(store(StoreShape.USUAL)).seeded("http://a.example/day/0");
    Claim claim = moves.claimOne();
    QueuedUrl entry = moves.take(claim);
    moves.stop(claim);
    Settlement late = with(entry, claim, landed(new Traps(TrapSettings.DEFAULTS, List.of()), 1));
    assertThatThrownBy(() -> moves.store().settle(claim, late)).isInstanceOf(ClaimLost.class);
    assertThat(moves.store().templates(claim.domain())).isEmpty();
  }

  @Test
  default void links_open_so_many_sub_domains_of_a_name_and_no_more() {
    Moves moves = Moves.on(store(StoreShape.USUAL));
    QueuedUrl page = seed("http://example.com/");
    moves.seeded("http://example.com/");
    moves.linkedSubdomains("example.com", StoreLimits.MOST_SUBDOMAINS - 2);
    assertThat(moves.store().add(List.of(link(page, "c"), link(page, "a"), link(page, "b")), NOON))
        .isEqualTo(2);
    assertThat(moves.store().state(CrawlUrl.of("http://c.example.com/").domain())).isEmpty();
    assertThat(moves.store().state(CrawlUrl.of("http://a.example.com/").domain())).isPresent();
    // What is known goes on, and other names have their own.
    QueuedUrl known = page.link(CrawlUrl.of("http://a.example.com/2"));
    QueuedUrl other = page.link(CrawlUrl.of("http://c.example.net/"));
    assertThat(moves.store().add(List.of(known, link(page, "d"), other), NOON)).isEqualTo(2);
  }

  @Test
  default void a_sub_domain_that_was_asked_for_enters_however_many_there_are() {
    Moves moves = Moves.on(store(StoreShape.USUAL));
    QueuedUrl page = seed("http://example.com/");
    moves.seeded("http://example.com/");
    moves.linkedSubdomains("example.com", StoreLimits.MOST_SUBDOMAINS);
    assertThat(moves.store().add(List.of(link(page, "a")), NOON)).isZero();
    assertThat(moves.store().add(List.of(seed("http://a.example.com/")), NOON)).isEqualTo(1);
  }

  @Test
  default void rented_names_are_not_sub_domains_of_who_rents_them_out() {
    Moves moves = Moves.on(store(StoreShape.USUAL));
    QueuedUrl page = seed("http://example.com/");
    moves.seeded("http://example.com/");
    moves.linkedSubdomains("bob.github.io", StoreLimits.MOST_SUBDOMAINS);
    QueuedUrl rented = page.link(CrawlUrl.of("http://alice.github.io/"));
    QueuedUrl below = page.link(CrawlUrl.of("http://deep.bob.github.io/"));
    assertThat(moves.store().add(List.of(rented, below), NOON)).isEqualTo(1);
  }

  private static QueuedUrl link(QueuedUrl page, String label) {
    return page.link(CrawlUrl.of("http://" + label + ".example.com/"));
  }
}
