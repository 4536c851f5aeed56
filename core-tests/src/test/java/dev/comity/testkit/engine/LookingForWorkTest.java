package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.engine.support.Rehearsal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a crawl looks for domains to claim: when there may be one, and not with every page. */
class LookingForWorkTest {
  private static final int PAGES = 40;

  private final Rehearsal rehearsal = new Rehearsal();
  private int looks;

  @Test
  void a_page_that_leads_to_sites_at_work_makes_nobody_look() {
    for (int page = 0; page < PAGES; page++) {
      lead("http://a.example", "http://b.example", page);
      lead("http://b.example", "http://a.example", page);
    }
    rehearsal.keptBy(
        new Keeper() {
          @Override
          public void before(Door door, Optional<Claim> claim) {
            looks += door == Door.CLAIM ? 1 : 0;
          }
        });
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(4 * PAGES);
    assertThat(looks).isLessThan(PAGES);
  }

  /** A page that somebody named leads to one of the other site that nobody did. */
  private void lead(String from, String to, int page) {
    rehearsal.web.site(from).page("/" + page, to + "/found/" + page).page("/found/" + page);
    rehearsal.seed(from + "/" + page);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_arrives_while_a_worker_is_leaving_is_claimed_when_it_has_left(boolean before) {
    isAskedSoonAfter(new Leaving(before ? When.BEFORE_RELEASE : When.AFTER_RELEASE));
  }

  @Test
  void what_arrives_after_the_frontier_was_found_empty_is_asked_in_this_run() {
    isAskedSoonAfter(new Leaving(When.FOUND_EMPTY));
    assertThat(rehearsal.endings).hasOnlyElementsOfType(Ending.Exhausted.class);
  }

  @Test
  void what_arrives_after_the_frontier_had_no_next_url_is_asked_in_this_run() {
    rehearsal.sitemaps = false;
    rehearsal.settings =
        PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(Duration.ZERO));
    isAskedSoonAfter(new Leaving(When.AFTER_NEXT));
    assertThat(rehearsal.endings).hasOnlyElementsOfType(Ending.Exhausted.class);
  }

  private void isAskedSoonAfter(Leaving leaving) {
    for (int page = 0; page < 20; page++) {
      rehearsal.web.site("http://a.example").page("/" + page, "http://a.example/" + (page + 1));
    }
    rehearsal
        .web
        .site("http://a.example")
        .page("/6", "http://b.example/late", "http://a.example/7");
    rehearsal.web.site("http://a.example").page("/20");
    rehearsal.web.site("http://b.example").page("/0").page("/late");
    rehearsal.seed("http://a.example/0", "http://b.example/0");
    rehearsal.keptBy(leaving);
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(leaving.left).isPresent();
    Instant asked =
        rehearsal.web.visits().stream()
            .filter(visit -> visit.url().toString().equals("http://b.example/late"))
            .findFirst()
            .orElseThrow()
            .startedAt();
    assertThat(asked).isBetween(leaving.left.get(), leaving.left.get().plusSeconds(2));
  }

  private enum When {
    AFTER_NEXT,
    FOUND_EMPTY,
    BEFORE_RELEASE,
    AFTER_RELEASE
  }

  /** Keeps the first worker of b that has nothing left at the door until a page has led there. */
  private final class Leaving implements Keeper {
    private final When when;
    private Optional<Instant> left = Optional.empty();

    Leaving(When when) {
      this.when = when;
    }

    @Override
    public void before(Door door, Optional<Claim> claim) {
      if (door == Door.RELEASE) {
        hold(When.BEFORE_RELEASE, claim.orElseThrow());
      }
    }

    @Override
    public void after(Door door, Optional<Claim> claim) {
      if (door == Door.RELEASE) {
        hold(When.AFTER_RELEASE, claim.orElseThrow());
      } else if (door == Door.NEXT) {
        hold(When.AFTER_NEXT, claim.orElseThrow());
      }
    }

    @Override
    public void foundEmpty(Claim claim) {
      hold(When.FOUND_EMPTY, claim);
    }

    private void hold(When now, Claim claim) {
      boolean isB = claim.domain().name().equals("b.example");
      boolean isLast = rehearsal.done().contains("http://b.example/0");
      if (now != when || !isB || !isLast || left.isPresent()) {
        return;
      }
      while (!rehearsal.done().contains("http://a.example/6")) {
        rehearsal.pass(Duration.ofMillis(10));
      }
      left = Optional.of(rehearsal.time.instant());
    }
  }
}
