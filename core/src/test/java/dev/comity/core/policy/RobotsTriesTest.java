package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.support.Script;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How long it is remembered that a robots.txt was asked for in vain. */
class RobotsTriesTest {
  private static final CrawlUrl ROBOTS = CrawlUrl.of("http://site.test/robots.txt");
  private static final CrawlUrl OTHER = CrawlUrl.of("http://www.site.test/robots.txt");
  private static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final DomainPolicy POLICY = new DomainPolicy(PolicySettings.DEFAULTS);

  private static int tries(DomainState state, CrawlUrl file, Instant now) {
    return POLICY.robotsTries(state, file.authority(), now).size();
  }

  private static DomainState tried(DomainState state, CrawlUrl file, Instant now) {
    return POLICY.robotsTried(state, file.authority(), Category.TIMEOUT, now);
  }

  @Test
  void tries_of_a_robots_txt_are_counted_by_authority_until_it_answers() {
    DomainState state = tried(tried(DomainState.FRESH, ROBOTS, NOON), ROBOTS, NOON.plusSeconds(9));
    state = tried(state, OTHER, NOON.plusSeconds(10));
    assertThat(tries(state, ROBOTS, NOON.plusSeconds(10))).isEqualTo(2);
    assertThat(tries(state, OTHER, NOON.plusSeconds(10))).isEqualTo(1);
    DomainState answered = POLICY.robotsAnswered(state, ROBOTS.authority());
    assertThat(tries(answered, ROBOTS, NOON.plusSeconds(10))).isZero();
    assertThat(tries(answered, OTHER, NOON.plusSeconds(10))).isEqualTo(1);
    assertThat(POLICY.robotsAnswered(answered, ROBOTS.authority())).isSameAs(answered);
  }

  @Test
  void an_hour_after_the_last_try_of_a_robots_txt_it_is_asked_as_if_it_never_was() {
    DomainState state = tried(tried(DomainState.FRESH, ROBOTS, NOON), ROBOTS, NOON.plusSeconds(9));
    assertThat(tries(state, ROBOTS, NOON.plusSeconds(9).plus(HOUR))).isEqualTo(2);
    assertThat(tries(state, ROBOTS, NOON.plusSeconds(9).plus(HOUR).plusNanos(1))).isZero();
  }

  @Test
  void tries_outlive_claims_and_pages_but_neither_our_own_outage_nor_a_reset() {
    DomainState state = tried(POLICY.claimed(DomainState.FRESH, NOON), ROBOTS, NOON);
    assertThat(tries(POLICY.claimed(state, NOON), ROBOTS, NOON)).isEqualTo(1);
    assertThat(tries(POLICY.takenOver(state, NOON), ROBOTS, NOON)).isEqualTo(1);
    assertThat(tries(POLICY.takenBack(state, NOON.plusNanos(1)), ROBOTS, NOON)).isEqualTo(1);
    assertThat(tries(POLICY.takenBack(state, NOON), ROBOTS, NOON)).isZero();
    assertThat(tries(POLICY.reset(state, NOON), ROBOTS, NOON)).isZero();
    // A clock ahead of ours must not make it silent for longer than an hour.
    DomainState early = POLICY.claimed(state, NOON.minus(HOUR));
    assertThat(tries(early, ROBOTS, NOON)).isEqualTo(1);
    assertThat(tries(early, ROBOTS, NOON.plusNanos(1))).isZero();
  }

  @Test
  void pages_that_answer_or_fail_leave_the_tries_of_a_robots_txt_alone() {
    Script script = Script.play();
    script.state = tried(script.state, OTHER, NOON);
    script.ask(url(1), Kind.PAGE, 1, BROKEN);
    script.ask(url(2), Kind.PAGE, 1, MISSING);
    script.ask(url(3), Kind.PAGE, 1, OK);
    script.ask(url(4), Kind.PAGE, 1, OK);
    assertThat(script.state.failures().robots()).hasSize(1);
  }

  @Test
  void of_tries_without_end_the_last_twenty_are_kept() {
    DomainState state = DomainState.FRESH;
    for (int number = 0; number < 50; number++) {
      state = tried(state, ROBOTS, NOON.plusSeconds(number));
    }
    assertThat(state.failures().robots()).hasSize(20);
    assertThat(state.failures().robots().getFirst().at()).isEqualTo(NOON.plusSeconds(30));
  }

  @Test
  void a_robots_txt_that_cannot_be_used_is_one_that_was_not_answered() {
    Script script = Script.play();
    FetchOutcome broken = new FetchOutcome.Undecodable(200, "bad gzip");
    assertThat(script.ask(ROBOTS, Kind.ROBOTS, 4, broken).fate()).isInstanceOf(Fate.Retry.class);
    Decision last = script.ask(ROBOTS, Kind.ROBOTS, 5, broken);
    assertThat(last.fate()).isEqualTo(new Fate.Failed(Category.UNDECODABLE));
    assertThat(last.changes()).contains(new Change.AuthorityGivenUp(Category.UNDECODABLE));
    assertThat(last.state().standing().mayBeAsked()).isTrue();
    assertThat(Script.play().ask(ROBOTS, Kind.SITEMAP, 1, broken).fate())
        .isEqualTo(new Fate.Failed(Category.UNDECODABLE));
  }
}
