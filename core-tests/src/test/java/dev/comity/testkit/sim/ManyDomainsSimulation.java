package dev.comity.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.settings.PolicySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManyDomainsSimulation {

  @Test
  void a_thousand_domains_of_every_kind_are_crawled_to_the_end_and_no_url_is_lost() {
    List<SimDomain> domains = mixed(1000, 10_000);
    new Simulation(domains, 7).run(Duration.ofDays(30));
    long closed = 0;
    for (SimDomain domain : domains) {
      SimTally tally = domain.tally();
      assertThat(tally.violations()).isZero();
      assertThat(tally.lostToRefusals()).isZero();
      if (tally.closings().isEmpty()) {
        assertThat(domain.finished()).isTrue();
        assertThat(tally.done()).isEqualTo(10_000);
      } else {
        closed++;
      }
    }
    assertThat(closed).isEqualTo(100); // the dead ones, and nobody else
  }

  @Test
  void the_same_seed_gives_the_same_history_and_another_seed_another() {
    assertThat(history(1)).isEqualTo(history(1)).isNotEqualTo(history(2));
  }

  private static List<String> history(long seed) {
    List<String> history = new ArrayList<>();
    new Simulation(mixed(20, 300), seed)
        .tell((_, decision) -> history.add(decision.toString()))
        .run(Duration.ofDays(1));
    return history;
  }

  /** Ten kinds of server in turn. */
  private static List<SimDomain> mixed(int count, long pages) {
    DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);
    List<SimDomain> domains = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      domains.add(new SimDomain(policy, server(i % 10), limits(i % 10), pages, Simulation.START));
    }
    return domains;
  }

  private static Limits limits(int kind) {
    return kind == 9 ? Limits.NONE.withCrawlDelay(Duration.ofSeconds(5)) : Limits.NONE;
  }

  private static SimServer server(int kind) {
    return switch (kind) {
      case 0 -> new OnePer(Duration.ofSeconds(3), 0.1, true);
      case 1 -> new FixedWindow(1000, Duration.ofHours(1), false);
      case 2 -> new FixedWindow(30, Duration.ofMinutes(1), true);
      case 3 -> new Moody(0.003, SimReplies.TOO_FAST, Steady.serving());
      case 4 -> new Steady(SimReplies.SILENCE);
      case 5 -> new LeakyBucket(0.5, 5);
      case 6 ->
          new Failing(
              Duration.ofMinutes(10), Duration.ofSeconds(20), SimReplies.BROKEN, Steady.serving());
      default -> Steady.serving();
    };
  }
}
