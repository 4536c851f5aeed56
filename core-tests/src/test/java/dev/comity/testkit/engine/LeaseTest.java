package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Renewal;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.engine.support.Rehearsal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A worker asks while its lease lasts, keeps it alive, and stops before it ends. */
class LeaseTest {
  private static final Instant START = Rehearsal.START;
  private static final Duration LEASE = Duration.ofSeconds(60);

  private final Rehearsal rehearsal = new Rehearsal(LEASE);
  private final List<Claim> granted = new ArrayList<>();
  private final List<Instant> renewed = new ArrayList<>();

  /** Thirty pages, ten seconds from one to the next: five leases long. */
  private void openASlowSite() {
    rehearsal.web.site("http://a.example").page("/robots.txt", "delay 10");
    for (int page = 0; page < 30; page++) {
      rehearsal.web.site("http://a.example").page("/" + page);
      rehearsal.seed("http://a.example/" + page);
    }
  }

  /** Watches, and lets the first renewal that comes after a minute take so long. */
  private Keeper cutOffFor(Duration duration) {
    return new Keeper() {
      private boolean wasCutOff;

      @Override
      public void before(Door door, Optional<Claim> claim) {
        boolean late = rehearsal.time.instant().isAfter(START.plusSeconds(60));
        if (door == Door.RENEW && late && !wasCutOff) {
          wasCutOff = true;
          rehearsal.pass(duration);
        }
      }

      @Override
      public void granted(List<Claim> claims) {
        granted.addAll(claims);
      }

      @Override
      public void renewed(Collection<Claim> claims, Renewal renewal) {
        renewed.add(renewal.until());
      }
    };
  }

  @Test
  void a_claim_is_renewed_for_as_long_as_there_is_work() {
    openASlowSite();
    rehearsal.keptBy(cutOffFor(Duration.ZERO));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(30);
    assertThat(granted).hasSize(1);
    assertThat(renewed).hasSizeGreaterThan(10).isSorted();
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
  }

  @Test
  void a_worker_that_cannot_renew_stops_before_its_lease_ends() {
    openASlowSite();
    rehearsal.keptBy(cutOffFor(Duration.ofMinutes(5)));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    nothingStartedWhileCutOff();
    assertThat(rehearsal.endings).containsExactly(new Ending.Lost(), new Ending.Exhausted());
    assertThat(rehearsal.done()).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void a_request_whose_connection_comes_after_the_lease_is_not_sent() {
    openASlowSite();
    rehearsal.web.site("http://a.example").latency(Duration.ofSeconds(25), Duration.ofMillis(80));
    rehearsal.keptBy(cutOffFor(Duration.ofMinutes(5)));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    nothingStartedWhileCutOff();
    assertThat(rehearsal.done()).hasSize(30).doesNotHaveDuplicates();
  }

  /** From when the lease was no longer to be relied on until renewing worked again. */
  private void nothingStartedWhileCutOff() {
    Instant until = renewed.stream().filter(START.plusSeconds(120)::isAfter).toList().getLast();
    assertThat(rehearsal.web.visits())
        .noneMatch(
            visit ->
                !visit.startedAt().isBefore(until)
                    && visit.startedAt().isBefore(START.plusSeconds(360)));
  }

  @Test
  void a_claim_that_could_not_be_renewed_in_time_is_given_back_all_the_same() {
    openASlowSite();
    rehearsal.keptBy(cutOffFor(Duration.ofMinutes(5)));
    rehearsal.run();
    assertThat(granted).extracting(Claim::takenOver).containsExactly(false, false);
  }

  @Test
  void an_answer_that_comes_after_the_lease_counts_while_nobody_else_has_the_domain() {
    openASlowSite();
    rehearsal.web.site("http://a.example").latency("/7", Duration.ofSeconds(100));
    rehearsal.keptBy(cutOffFor(Duration.ofMinutes(5)));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(30);
    assertThat(rehearsal.web.asked()).containsOnlyOnce("http://a.example/7");
  }

  @Test
  void a_lease_of_three_seconds_is_kept_alive_though_the_loop_looks_every_five() {
    Rehearsal brief = new Rehearsal(Duration.ofSeconds(3));
    brief.web.site("http://a.example").page("/robots.txt", "delay 10");
    for (int page = 0; page < 5; page++) {
      brief.web.site("http://a.example").page("/" + page);
      brief.seed("http://a.example/" + page);
    }
    assertThat(brief.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(brief.done()).hasSize(5);
    assertThat(brief.endings).containsExactly(new Ending.Exhausted());
  }
}
