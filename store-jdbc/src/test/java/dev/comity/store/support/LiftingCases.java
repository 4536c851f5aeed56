package dev.comity.store.support;

import static dev.comity.store.support.Stores.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.KeptStore;
import dev.comity.store.StoreLocation;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Operator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A domain with a page, and three days of a calendar and a tag that were taken for traps. */
public abstract class LiftingCases {
  private KeptStore store;
  private Claim claim;

  /** A new store, with a run that has begun. */
  protected abstract KeptStore open();

  /** Where it is. */
  protected abstract StoreLocation place();

  /** What people do there. */
  protected abstract DomainOperator operator();

  private long number(String query) {
    return new Planted(place()).number(query);
  }

  @BeforeEach
  protected void suppress() {
    store = open();
    store.add(
        Stores.seeds(
            "http://a.example/",
            "http://a.example/day/1",
            "http://a.example/day/2",
            "http://a.example/day/3",
            "http://a.example/tag/x"),
        NOON);
    claim = store.claim(1, NOON).getFirst();
    Traps traps = new Traps(new TrapSettings(2), List.of());
    for (int number = 0; number < 5; number++) {
      land(traps, "/day/" + number, "/day/" + (number - 1));
      land(traps, "/tag/" + (char) ('b' + number), "/tag/" + (char) ('a' + number));
    }
    Settlement page = Stores.page(Stores.take(store, claim), claim);
    store.settle(
        claim,
        new Settlement(
            page.entry(),
            page.attempt(),
            page.fetched(),
            page.fate(),
            started(page),
            page.found(),
            page.page(),
            traps.takeChanged()));
    for (int number = 0; number < 4; number++) {
      store.settle(claim, unasked(Stores.take(store, claim)));
    }
    assertThat(number("SELECT urls_suppressed FROM domains")).isEqualTo(4);
  }

  @AfterEach
  protected void close() {
    store.close();
    assertThat(new Doctor(place()).examine(_ -> {})).allMatch(Examination::isSound);
  }

  private static void land(Traps traps, String target, String foundOn) {
    CrawlUrl url = CrawlUrl.of("http://a.example" + target);
    CrawlUrl before = CrawlUrl.of("http://a.example" + foundOn);
    traps.landed(url, Optional.of(before), () -> "nothing here", List.of(), List.of(), NOON);
  }

  private static DomainState started(Settlement page) {
    return Stores.POLICY.started(page.state(), page.attempt().orElseThrow());
  }

  private Settlement unasked(QueuedUrl entry) {
    return new Settlement(
        entry,
        Optional.empty(),
        Optional.empty(),
        new Fate.Suppressed(),
        store.state(claim.domain()).orElseThrow(),
        List.of(),
        Optional.empty());
  }

  private Optional<Operator.OperatorResult> lift(Optional<String> template) {
    return operator().lift("a.example", template, NOON);
  }

  private List<String> suppressed() {
    return store.templates(claim.domain()).stream()
        .filter(stats -> stats.suppressed().isPresent())
        .map(TemplateStats::template)
        .toList();
  }

  @Test
  protected void
      lifting_one_template_queues_its_urls_and_ends_the_claim_of_whoever_does_not_know() {
    assertThat(suppressed()).containsExactly("/day/#", "/tag/*");
    Operator.OperatorResult done = lift(Optional.of("/day/#")).orElseThrow();
    assertThat(done.requeued()).isEqualTo(3);
    assertThat(done.endedClaimOf()).isPresent();
    assertThatThrownBy(() -> store.release(claim, claim.state(), new Ending.Stopped(), NOON))
        .isInstanceOf(ClaimLost.class);
    assertThat(suppressed()).containsExactly("/tag/*");
    Claim next = store.claim(1, NOON).getFirst();
    assertThat(next.takenOver()).isTrue();
    assertThat(Stores.take(store, next).url()).isEqualTo(CrawlUrl.of("http://a.example/day/1"));
    assertThat(number("SELECT urls_suppressed FROM domains")).isEqualTo(1);
    assertThat(number("SELECT frontier_size FROM domains")).isEqualTo(3);
    assertThat(number("SELECT count(*) FROM audit WHERE action = 'trap-lift'")).isEqualTo(1);
  }

  @Test
  protected void lifting_all_opens_an_exhausted_domain() {
    store.release(
        claim,
        Stores.POLICY.emptied(store.state(claim.domain()).orElseThrow(), NOON),
        new Ending.Exhausted(),
        NOON);
    Operator.OperatorResult done = lift(Optional.empty()).orElseThrow();
    assertThat(done)
        .isEqualTo(new Operator.OperatorResult("a.example", "exhausted", Optional.empty(), 4));
    assertThat(suppressed()).isEmpty();
    assertThat(store.state(claim.domain()).orElseThrow().standing().status())
        .isEqualTo(DomainStatus.PENDING);
    assertThat(store.claim(1, NOON)).hasSize(1);
  }

  @Test
  protected void nothing_that_is_not_suppressed_is_lifted() {
    assertThat(lift(Optional.of("/elsewhere/*"))).isEmpty();
    lift(Optional.empty());
    assertThat(lift(Optional.empty())).isEmpty();
  }
}
