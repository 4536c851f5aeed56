package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.shared.CrossDomainRobots.RobotsReply;
import dev.comity.core.engine.shared.CrossDomainRobots.RobotsReply.Came;
import dev.comity.core.engine.shared.CrossDomainRobots.RobotsReply.NotFetched;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.Signal;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Workers that lose their claims ask again; what their first request came to is not lost. */
class CrossDomainRobotsTest {
  private static final DomainName DOMAIN = new DomainName("b.example");
  private static final CrawlUrl FILE = CrawlUrl.of("http://b.example/robots-of-a");
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final RobotsReply FILE_CAME = new Came(new FetchOutcome.TlsFailed("x"));

  private final CrossDomainRobots files = new CrossDomainRobots();
  private final Signal first = new Signal();
  private final Signal second = new Signal();

  @Test
  void tries_are_counted_on_for_a_worker_that_asks_again() {
    files.ask(DOMAIN, FILE, first, NOON);
    files.again(DOMAIN, FILE, true, NOON);
    files.withdraw(first);
    files.again(DOMAIN, FILE, true, NOON);
    assertThat(files.asked()).isEmpty();
    assertThat(files.ask(DOMAIN, FILE, second, NOON)).isTrue();
    assertThat(files.tries(DOMAIN, FILE)).isEqualTo(2);
    assertThat(files.next(DOMAIN)).contains(FILE);
  }

  @Test
  void a_reply_that_came_too_late_is_there_for_the_next_that_asks() {
    files.ask(DOMAIN, FILE, first, NOON);
    files.sent(DOMAIN, FILE);
    files.withdraw(first);
    files.reply(DOMAIN, FILE, FILE_CAME, NOON);
    files.ask(DOMAIN, FILE, second, NOON);
    assertThat(files.next(DOMAIN)).isEmpty();
    assertThat(files.collect(DOMAIN, FILE, second)).contains(FILE_CAME);
  }

  @Test
  void a_request_under_way_when_its_worker_left_is_sent_again() {
    files.ask(DOMAIN, FILE, first, NOON);
    files.sent(DOMAIN, FILE);
    files.withdraw(first);
    files.ask(DOMAIN, FILE, second, NOON);
    assertThat(files.next(DOMAIN)).contains(FILE);
  }

  @Test
  void after_a_day_all_begins_anew() {
    files.ask(DOMAIN, FILE, first, NOON);
    files.again(DOMAIN, FILE, true, NOON);
    files.withdraw(first);
    files.ask(DOMAIN, FILE, second, NOON.plus(Duration.ofDays(1)));
    assertThat(files.tries(DOMAIN, FILE)).isEqualTo(1);
    files.withdraw(second);
    files.ask(DOMAIN, FILE, first, NOON.plus(Duration.ofDays(1)).plusMillis(1));
    assertThat(files.tries(DOMAIN, FILE)).isZero();
  }

  @Test
  void a_reply_that_was_received_is_over() {
    files.ask(DOMAIN, FILE, first, NOON);
    files.refuse(DOMAIN, NOON);
    assertThat(files.collect(DOMAIN, FILE, first)).contains(new NotFetched());
    files.ask(DOMAIN, FILE, second, NOON);
    assertThat(files.collect(DOMAIN, FILE, second)).isEmpty();
    assertThat(files.next(DOMAIN)).contains(FILE);
  }
}
