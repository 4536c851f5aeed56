package dev.comity.app.monitor;

import static dev.comity.app.support.Settled.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Settled;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpacingTest {
  private static final CrawlUrl HERE = CrawlUrl.of("http://here.example/");
  private static final CrawlUrl THERE = CrawlUrl.of("http://there.example/");

  private final Spacing spacing = new Spacing();

  @Test
  void a_single_request_is_not_apart_from_anything() {
    assertThat(spacing.shortest()).isEmpty();
    start(HERE, 0);
    assertThat(spacing.shortest()).isEmpty();
  }

  @Test
  void the_shortest_gap_on_one_domain_counts_wherever_it_comes() {
    start(HERE, 0);
    start(HERE, 1000);
    assertThat(spacing.shortest()).contains(Duration.ofSeconds(1));
    start(HERE, 1999);
    assertThat(spacing.shortest()).contains(Duration.ofMillis(999));
    start(HERE, 5000);
    assertThat(spacing.shortest()).contains(Duration.ofMillis(999));
  }

  @Test
  void two_domains_do_not_crowd_each_other() {
    start(HERE, 0);
    start(THERE, 1);
    start(HERE, 1000);
    start(THERE, 1003);
    assertThat(spacing.shortest()).contains(Duration.ofSeconds(1));
  }

  private void start(CrawlUrl url, long millisecond) {
    spacing.started(url.domain(), Settled.attempt(url, NOON.plusMillis(millisecond)));
  }
}
