package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A crawl that keeps nothing forgets the pace of a domain that nobody used for an hour. */
class IdleDomainsTest {
  private final Rehearsal crawl = new Rehearsal();

  IdleDomainsTest() {
    crawl.sitemaps = false;
    crawl.seed("http://quick.example/", "http://slow.example/");
    crawl.web.site("http://quick.example").page("/");
    Site slow = crawl.web.site("http://slow.example").page("/robots.txt", "delay 60");
    List<String> links = new ArrayList<>();
    for (int page = 0; page < 70; page++) {
      links.add("http://slow.example/" + page);
      slow.page("/" + page, "http://quick.example/");
    }
    slow.page("/", links.toArray(String[]::new));
  }

  @Test
  void it_is_swept_every_five_minutes_and_its_urls_stay_known() {
    crawl.memory.forgettingIdle();
    List<DomainState> seen = new ArrayList<>();
    for (int minute : List.of(60, 66)) {
      crawl.at(
          Rehearsal.START.plus(Duration.ofMinutes(minute)),
          () -> seen.add(crawl.state("quick.example")));
    }
    assertThat(crawl.run()).isInstanceOf(Crawl.End.Finished.class);
    assertThat(seen.getFirst().latency().samples()).isEqualTo(2);
    assertThat(seen.getLast()).isEqualTo(forgotten());
    assertThat(crawl.web.asked()).containsOnlyOnce("http://quick.example/");
  }

  private static DomainState forgotten() {
    DomainState fresh = DomainState.FRESH;
    return new DomainState(
        Standing.EXHAUSTED,
        fresh.limits(),
        fresh.slots(),
        fresh.learning(),
        fresh.failures(),
        fresh.latency(),
        fresh.heard());
  }

  @Test
  void a_store_that_is_not_told_to_forgets_nothing() {
    List<DomainState> seen = new ArrayList<>();
    crawl.at(
        Rehearsal.START.plus(Duration.ofMinutes(69)), () -> seen.add(crawl.state("quick.example")));
    crawl.run();
    assertThat(seen.getFirst().latency().samples()).isEqualTo(2);
  }
}
