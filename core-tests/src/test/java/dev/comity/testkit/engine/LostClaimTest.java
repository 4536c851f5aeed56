package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
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
import org.junit.jupiter.params.provider.EnumSource;

/** A worker whose claim was taken away in the middle writes nothing, sends nothing and leaves. */
class LostClaimTest {
  private static final Instant START = Rehearsal.START;

  private final Rehearsal rehearsal = new Rehearsal();

  @ParameterizedTest
  @EnumSource(names = {"NEXT", "SETTLE", "RECORD", "RELEASE"})
  void wherever_a_claim_is_lost_the_crawl_goes_on_and_the_domain_is_crawled_whole(Door door) {
    rehearsal.web.site("http://a.example").page("/", "/1", "/2").page("/1").page("/2");
    rehearsal.seed("http://a.example/").keptBy(rehearsal.thiefAt(door));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done())
        .containsExactly("http://a.example/", "http://a.example/1", "http://a.example/2");
    assertThat(rehearsal.endings).startsWith(new Ending.Lost());
  }

  @Test
  void a_page_whose_claim_was_lost_costs_nothing_of_the_budget() {
    rehearsal.maxPages = 2;
    rehearsal.web.site("http://a.example").page("/", "/1").page("/1");
    rehearsal.seed("http://a.example/").keptBy(rehearsal.thiefAt(Door.SETTLE));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.OutOfBudget());
    assertThat(rehearsal.done()).containsExactly("http://a.example/", "http://a.example/1");
  }

  @Test
  void nothing_is_sent_once_the_claim_is_known_to_be_lost() {
    // The second page is connecting when the first one's settlement is refused.
    rehearsal
        .web
        .site("http://a.example")
        .deaf()
        .latency(Duration.ofSeconds(5), Duration.ofMillis(80))
        .latency("/1", Duration.ofSeconds(3))
        .page("/1")
        .page("/2");
    Instant[] stolenAt = {Instant.MAX};
    rehearsal
        .seed("http://a.example/1", "http://a.example/2")
        .keptBy(
            new Keeper() {
              @Override
              public void before(Door door, Optional<Claim> claim) {
                if (door == Door.SETTLE && stolenAt[0].equals(Instant.MAX)) {
                  stolenAt[0] = rehearsal.time.instant();
                  rehearsal.steal(claim.orElseThrow());
                }
              }
            });
    rehearsal.run();
    assertThat(stolenAt[0]).isEqualTo(START.plusSeconds(14));
    // The next worker connects anew, for five seconds.
    assertThat(rehearsal.web.visits())
        .noneMatch(
            visit ->
                visit.startedAt().isAfter(stolenAt[0])
                    && visit.startedAt().isBefore(stolenAt[0].plusSeconds(5)));
  }

  @Test
  void what_a_lost_claim_had_in_flight_is_gone_before_the_domain_is_worked_on_again() {
    rehearsal.maxPagesPerDomain = 2;
    rehearsal
        .web
        .site("http://a.example")
        .deaf()
        .latency("/2", Duration.ofSeconds(30))
        .page("/1")
        .page("/2");
    rehearsal
        .seed("http://a.example/1", "http://a.example/2")
        .keptBy(
            new Keeper() {
              private boolean stolen;

              @Override
              public void before(Door door, Optional<Claim> claim) {
                boolean twoOut = rehearsal.web.asked().contains("http://a.example/2");
                if (door == Door.NEXT && twoOut && !stolen) {
                  stolen = true;
                  rehearsal.steal(claim.orElseThrow());
                }
              }
            });
    rehearsal.run();
    assertThat(rehearsal.web.visits()).allMatch(visit -> visit.inFlight() == 1);
    assertThat(rehearsal.done())
        .containsExactlyInAnyOrder("http://a.example/1", "http://a.example/2");
    assertThat(rehearsal.claims)
        .containsExactly(
            "claimed a.example", "ended a.example", "claimed a.example", "ended a.example");
  }

  @Test
  void the_worker_after_a_lost_claim_hears_of_a_stop() {
    rehearsal
        .web
        .site("http://a.example")
        .page("/robots.txt", "delay 100")
        .latency("/1", Duration.ofMillis(80))
        .page("/1");
    rehearsal
        .seed("http://a.example/1", "http://a.example/2")
        .keptBy(
            new Keeper() {
              private boolean stolen;

              @Override
              public void before(Door door, Optional<Claim> claim) {
                if (door == Door.SETTLE && !stolen) {
                  stolen = true;
                  rehearsal.steal(claim.orElseThrow());
                  // Somebody else is told meanwhile, and the domain is claimed again.
                  rehearsal.pass(Duration.ofSeconds(20));
                }
              }
            });
    rehearsal.runAndStopAt(START.plusSeconds(150));
    assertThat(rehearsal.time.instant()).isEqualTo(START.plusSeconds(150));
    assertThat(rehearsal.endings).containsExactly(new Ending.Lost(), new Ending.Stopped());
  }
}
