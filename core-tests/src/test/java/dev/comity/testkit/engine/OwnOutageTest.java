package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.engine.support.Rehearsal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Our own network is down: nobody is blamed, whatever was under way when it was noticed. */
class OwnOutageTest {
  private static final Instant DOWN = Rehearsal.START.plusSeconds(5);
  private static final Instant UP = DOWN.plusSeconds(60);
  private static final List<String> HOSTS =
      List.of("http://a.example", "http://b.example", "http://c.example");

  private Rehearsal rehearsal = new Rehearsal();

  /** One failure closes a domain, so that the first to fail is given back before it is noticed. */
  private void openThreeSites() {
    rehearsal.settings = PolicySettings.DEFAULTS.with(new FailureSettings(1, 3, 20));
    for (int number = 0; number < HOSTS.size(); number++) {
      rehearsal
          .web
          .site(HOSTS.get(number))
          .latency(Duration.ofMillis(10 + 300L * number), Duration.ofMillis(10))
          .unconnectable(
              now ->
                  now.isAfter(DOWN) && now.isBefore(UP)
                      ? Optional.of(new FetchOutcome.ConnectionFailed("refused"))
                      : Optional.empty())
          .page("/", "/1", "/2", "/3", "/4", "/5", "/6");
      for (int page = 1; page < 7; page++) {
        rehearsal.web.site(HOSTS.get(number)).page("/" + page);
      }
      rehearsal.seed(HOSTS.get(number) + "/");
    }
  }

  @Test
  void a_domain_that_was_closed_before_the_outage_was_noticed_is_opened_again() {
    openThreeSites();
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.outages).containsExactly(true, false);
    assertThat(rehearsal.done()).hasSize(21);
  }

  @Test
  void so_is_one_that_is_being_given_back_in_that_moment() {
    openThreeSites();
    rehearsal.keptBy(
        new Keeper() {
          @Override
          public void before(Door door, Optional<Claim> claim) {
            if (door == Door.RELEASE) {
              rehearsal.pass(Duration.ofSeconds(3));
            }
          }

          @Override
          public void after(Door door, Optional<Claim> claim) {
            if (door == Door.RELEASE) {
              rehearsal.pass(Duration.ofSeconds(3));
            }
          }
        });
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.outages).containsExactly(true, false);
    assertThat(rehearsal.done()).hasSize(21);
    assertThat(rehearsal.endings).endsWith(new Ending.Exhausted());
  }

  @Test
  void a_claim_that_is_lost_meanwhile_is_given_up_and_the_next_worker_goes_on() {
    Map<DomainName, Claim> claims = new HashMap<>();
    rehearsal = new Rehearsal(Duration.ofSeconds(30));
    openThreeSites();
    rehearsal.keptBy(
        new Keeper() {
          @Override
          public void before(Door door, Optional<Claim> claim) {
            claim.ifPresent(one -> claims.put(one.domain(), one));
          }
        });
    Crawl crawl = rehearsal.crawl();
    Crawl.End end =
        rehearsal.time.run(
            () -> {
              rehearsal.at(DOWN.plusSeconds(10), () -> claims.values().forEach(rehearsal::steal));
              return crawl.run();
            });
    assertThat(end).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.endings).contains(new Ending.Lost());
    assertThat(rehearsal.done()).hasSize(21);
  }

  @Test
  void addresses_of_a_site_that_never_let_us_in_are_no_sign_of_it() {
    for (String host : List.of("a.example", "b.example", "c.example")) {
      rehearsal.web.site("http://" + host).page("/", "https://" + host + "/");
      rehearsal
          .web
          .site("https://" + host)
          .unconnectable(new FetchOutcome.ConnectionFailed("refused"));
      rehearsal.seed("http://" + host + "/");
    }
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.outages).isEmpty();
  }

  @Test
  void a_crawl_that_goes_on_during_an_outage_notices_when_it_is_over() {
    openThreeSites();
    assertThat(rehearsal.runAndStopAt(DOWN.minusSeconds(1))).isEqualTo(new Crawl.End.Stopped());
    rehearsal.time.run(
        () -> {
          rehearsal.pass(Duration.ofSeconds(3));
          return rehearsal.time.instant();
        });
    assertThat(rehearsal.outages).isEmpty();
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.outages).containsExactly(true, false);
    assertThat(rehearsal.done()).hasSize(21);
  }

  @Test
  void most_sites_dying_at_once_hold_a_crawl_up_but_do_not_end_it() {
    for (String host : HOSTS) {
      rehearsal.web.site(host).page("/", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8");
      rehearsal.seed(host + "/");
    }
    for (String host : HOSTS.subList(0, 2)) {
      rehearsal
          .web
          .site(host)
          .unconnectable(
              now ->
                  now.isAfter(DOWN)
                      ? Optional.of(new FetchOutcome.ConnectionFailed("refused"))
                      : Optional.empty());
    }
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).filteredOn(url -> url.startsWith("http://c.example")).hasSize(9);
    assertThat(rehearsal.outages).startsWith(true, false).endsWith(false);
  }
}
