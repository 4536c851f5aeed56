package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Many domains on one server: each is polite, and their sum must be, too. */
class SharedAddressTest {
  private static final Duration CONNECT = Duration.ofMillis(20);
  private static final Duration SLOW = Duration.ofSeconds(30);
  private static final Duration QUICK = Duration.ofMillis(80);

  private final Rehearsal rehearsal = new Rehearsal();

  @Test
  void fifty_domains_at_one_address_have_twenty_requests_in_flight_and_never_more() {
    crowd(50, SLOW);
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(50);
    assertThat(mostAtOnce(visits(SharedAddressTest::isCrowded), SLOW)).isEqualTo(20);
  }

  @Test
  void meanwhile_a_domain_at_another_address_keeps_its_pace() {
    crowd(50, SLOW);
    rehearsal
        .web
        .site("http://quiet.example")
        .page("/", "/1", "/2", "/3", "/4")
        .latency(CONNECT, QUICK);
    rehearsal.seed("http://quiet.example/");
    rehearsal.run();
    // The same to the millisecond as if it were alone.
    assertThat(sinceTheFirst(starts("quiet.example")))
        .hasSize(6)
        .isEqualTo(sinceTheFirst(startsAlone()));
  }

  @Test
  void who_waits_for_an_address_holds_no_place_that_others_could_have() {
    crowd(50, SLOW);
    rehearsal.maxInFlight = 21;
    rehearsal.web.site("http://quiet.example").page("/", "/1", "/2").latency(CONNECT, QUICK);
    rehearsal.seed("http://quiet.example/");
    rehearsal.run();
    assertThat(starts("quiet.example").getLast()).isLessThan(SLOW);
  }

  @Test
  void a_name_that_is_long_in_looking_up_holds_nothing_meanwhile() {
    rehearsal.maxInFlight = 1;
    rehearsal
        .web
        .site("http://lost.example")
        .page("/")
        .latency(CONNECT, QUICK)
        .lookUp(Duration.ofSeconds(9));
    rehearsal.web.site("http://quiet.example").page("/", "/1").latency(CONNECT, QUICK);
    rehearsal.seed("http://lost.example/", "http://quiet.example/").run();
    assertThat(starts("quiet.example").getLast()).isLessThan(Duration.ofSeconds(9));
    assertThat(starts("lost.example").getFirst()).isGreaterThan(Duration.ofSeconds(9));
    assertThat(rehearsal.done()).hasSize(3);
  }

  @Test
  void a_stop_does_not_wait_for_a_name_to_be_looked_up() {
    rehearsal.web.site("http://lost.example").page("/").lookUp(Duration.ofHours(1));
    rehearsal.seed("http://lost.example/");
    Instant stopped = Rehearsal.START.plusSeconds(3);
    assertThat(rehearsal.runAndStopAt(stopped)).isEqualTo(new Crawl.End.Stopped());
    assertThat(rehearsal.time.instant()).isEqualTo(stopped);
    assertThat(rehearsal.web.visits()).isEmpty();
  }

  private void crowd(int size, Duration latency) {
    for (int number = 0; number < size; number++) {
      String host = "http://crowd" + number + ".example";
      rehearsal.web.site(host).page("/").latency(CONNECT, latency).at("192.0.2.1");
      rehearsal.seed(host + "/");
    }
  }

  private static boolean isCrowded(CrawlUrl url) {
    return url.host().startsWith("crowd");
  }

  private List<Visit> visits(Predicate<CrawlUrl> wanted) {
    return rehearsal.web.visits().stream().filter(visit -> wanted.test(visit.url())).toList();
  }

  private List<Duration> starts(String host) {
    return visits(url -> url.host().equals(host)).stream()
        .map(visit -> Duration.between(Rehearsal.START, visit.startedAt()))
        .toList();
  }

  private static List<Duration> sinceTheFirst(List<Duration> starts) {
    return starts.stream().map(start -> start.minus(starts.getFirst())).toList();
  }

  private static List<Duration> startsAlone() {
    SharedAddressTest alone = new SharedAddressTest();
    alone
        .rehearsal
        .web
        .site("http://quiet.example")
        .page("/", "/1", "/2", "/3", "/4")
        .latency(CONNECT, QUICK);
    alone.rehearsal.seed("http://quiet.example/").run();
    return alone.starts("quiet.example");
  }

  /** Of requests that all take so long, how many overlap. */
  private static long mostAtOnce(List<Visit> visits, Duration each) {
    return visits.stream()
        .map(Visit::startedAt)
        .mapToLong(
            now ->
                visits.stream()
                    .map(Visit::startedAt)
                    .filter(start -> !start.isAfter(now) && now.isBefore(start.plus(each)))
                    .count())
        .max()
        .orElse(0);
  }
}
