package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.BROKEN;
import static dev.comity.core.policy.support.Script.MISSING;
import static dev.comity.core.policy.support.Script.OK;
import static dev.comity.core.policy.support.Script.REFUSED;
import static dev.comity.core.policy.support.Script.url;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.support.Script;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Robots.txt files and sitemaps: they count for pace, rests and refusals, and little else. */
class SideRequestsTest {
  private static final CrawlUrl ROBOTS = CrawlUrl.of("http://site.test/robots.txt");
  private static final CrawlUrl OTHER = CrawlUrl.of("http://www.site.test/robots.txt");
  private static final List<Kind> ASIDE = List.of(Kind.ROBOTS, Kind.SITEMAP);

  private final Script script = Script.play();

  @Test
  void their_4xx_is_no_failure_and_rests_nobody() {
    for (Kind kind : ASIDE) {
      for (int code : new int[] {401, 403}) {
        Decision decision = script.ask(ROBOTS, kind, 1, new Forbidden(code));
        assertThat(decision.fate()).isEqualTo(new Fate.Done(Category.CLIENT_ERROR));
        assertThat(decision.state().failures()).isEqualTo(Failures.NONE);
        assertThat(decision.state().slots().restUntil()).isEqualTo(Slots.NEVER);
      }
    }
  }

  @Test
  void their_403_ends_no_incident() {
    for (Kind kind : ASIDE) {
      Script each = Script.play();
      each.times(20, OK).times(1, REFUSED);
      each.ask(ROBOTS, kind, 1, new Forbidden(403));
      assertThat(each.state.learning().refusalsInARow()).isEqualTo(1);
      each.ask(ROBOTS, kind, 1, MISSING);
      assertThat(each.state.learning().refusalsInARow()).isZero();
    }
  }

  @Test
  void their_200_counts_as_served_and_their_429_opens_an_incident() {
    for (Kind kind : ASIDE) {
      Script each = Script.play();
      each.ask(ROBOTS, kind, 1, REFUSED);
      assertThat(each.state.learning().refusalsInARow()).isEqualTo(1);
      for (int i = 0; i < 19; i++) {
        each.ask(ROBOTS, kind, 1, OK);
      }
      assertThat(each.state.learning().refusalsInARow()).isZero();
      assertThat(each.state.learning().evidence().served()).isEqualTo(19);
    }
  }

  @Test
  void a_captcha_behind_a_5xx_is_no_robots_txt_and_is_asked_for_again() {
    assertThat(script.ask(ROBOTS, Kind.ROBOTS, 4, new Challenge(503)).fate())
        .isEqualTo(new Fate.Retry(script.now.plusSeconds(2), true));
    assertThat(script.ask(ROBOTS, Kind.ROBOTS, 5, new Challenge(503)).fate())
        .isEqualTo(new Fate.Failed(Category.CHALLENGE));
    assertThat(script.state.standing().reason()).contains(CloseReason.CHALLENGE);
    assertThat(Script.play().ask(ROBOTS, Kind.ROBOTS, 1, new Challenge(200)).fate())
        .isEqualTo(new Fate.Done(Category.CLIENT_ERROR));
  }

  @Test
  void each_failure_of_a_robots_txt_rests_twice_as_long() {
    List<Long> rests = new ArrayList<>();
    for (int ordinal = 1; ordinal <= 5; ordinal++) {
      script.ask(ROBOTS, Kind.ROBOTS, ordinal, BROKEN);
      rests.add(script.rest().toSeconds());
    }
    assertThat(rests).containsExactly(2L, 4L, 8L, 16L, 32L);
    assertThat(script.state.standing().until()).contains(script.now.plus(Duration.ofDays(1)));
  }

  @Test
  void a_failing_sitemap_does_not_decide_what_becomes_of_the_domain() {
    script.ask(MISSING);
    script.ask(url(100), Kind.SITEMAP, 4, BROKEN);
    assertThat(script.policy.emptied(script.state, script.now).standing())
        .isEqualTo(Standing.EXHAUSTED);
    script.ask(ROBOTS, Kind.ROBOTS, 1, new TimedOut("5 s"));
    assertThat(script.policy.emptied(script.state, script.now).standing().reason())
        .contains(CloseReason.TIMEOUT);
  }

  @Test
  void an_authority_that_answered_before_is_not_another_one() {
    script.ask(ROBOTS, Kind.ROBOTS, 1, OK);
    script.times(30, OK);
    Decision fifth = script.ask(ROBOTS, Kind.ROBOTS, 5, new TimedOut("5 s"));
    assertThat(fifth.state().standing().reason()).contains(CloseReason.TIMEOUT);
    assertThat(fifth.changes())
        .doesNotContain(new Change.AuthorityGivenUp(Category.TIMEOUT))
        .contains(new Change.Closed(fifth.state().standing()));
  }

  @Test
  void while_another_authority_answers_the_domain_stays_open_whichever_answered_last() {
    script.ask(OTHER, Kind.PAGE, 1, OK);
    assertThat(script.ask(ROBOTS, Kind.ROBOTS, 5, BROKEN).state().standing().mayBeAsked()).isTrue();
    script.ask(ROBOTS, Kind.ROBOTS, 1, MISSING);
    for (CrawlUrl either : List.of(ROBOTS, OTHER)) {
      Decision fifth = script.ask(either, Kind.ROBOTS, 5, BROKEN);
      assertThat(fifth.state().standing().mayBeAsked()).isTrue();
      assertThat(fifth.changes()).contains(new Change.AuthorityGivenUp(Category.SERVER_ERROR));
    }
  }

  @Test
  void a_robots_txt_that_only_points_elsewhere_has_not_answered() {
    script.ask(OTHER, Kind.ROBOTS, 1, new Redirect(301, Optional.of(ROBOTS)));
    script.ask(ROBOTS, Kind.ROBOTS, 5, BROKEN);
    assertThat(script.state.standing().reason()).contains(CloseReason.SERVER_ERRORS);
    Script page = Script.play();
    page.ask(OTHER, Kind.PAGE, 1, new Redirect(301, Optional.of(ROBOTS)));
    page.ask(ROBOTS, Kind.ROBOTS, 5, BROKEN);
    assertThat(page.state.standing().mayBeAsked()).isTrue();
  }
}
