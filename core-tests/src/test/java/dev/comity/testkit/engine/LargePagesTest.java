package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bodies of all domains share one memory; who waits for it fails nothing and is not blamed. */
class LargePagesTest {
  private static final int PAGE = 1 << 20;

  /** Three quarters are for large pages, and a page takes four times its length: three at once. */
  private static final long THREE_AT_ONCE = 4L * 4 * PAGE;

  private static final Body LARGE = Body.of(new byte[PAGE]);

  private final Rehearsal crawl = new Rehearsal();

  @Test
  void a_hundred_large_pages_of_a_hundred_hosts_come_three_at_a_time() {
    List<Instant> settled = crawled(THREE_AT_ONCE);
    for (int page = 3; page < settled.size(); page++) {
      assertThat(Duration.between(settled.get(page - 3), settled.get(page)))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(10));
    }
  }

  @Test
  void pages_larger_than_all_memory_come_one_at_a_time() {
    List<Instant> settled = crawled(PAGE);
    for (int page = 1; page < settled.size(); page++) {
      assertThat(Duration.between(settled.get(page - 1), settled.get(page)))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(10));
    }
  }

  @Test
  void with_memory_for_all_they_come_at_once() {
    List<Instant> settled = crawled(Long.MAX_VALUE);
    assertThat(Duration.between(settled.getFirst(), settled.getLast()))
        .isLessThan(Duration.ofSeconds(10));
  }

  /** A page takes ten seconds to read; answers when each was settled. */
  private List<Instant> crawled(long memory) {
    List<Instant> settled = new ArrayList<>();
    for (int host = 0; host < 100; host++) {
      Site site = crawl.web.site("http://h" + host + ".example");
      site.latency("/", Duration.ofSeconds(10));
      site.answer("/", new Success(200, Headers.NONE, LARGE));
      crawl.seed("http://h" + host + ".example/");
    }
    crawl.bodyMemory = memory;
    crawl.sitemaps = false;
    crawl.listener =
        new CrawlListener() {
          @Override
          public void settled(DomainName domain, Settlement settlement) {
            settled.add(crawl.time.instant());
            crawl.settled(domain, settlement);
          }
        };
    assertThat(crawl.run()).isInstanceOf(Crawl.End.Finished.class);
    assertThat(crawl.done()).hasSize(100);
    assertThat(crawl.settled).hasSize(100);
    return settled;
  }
}
