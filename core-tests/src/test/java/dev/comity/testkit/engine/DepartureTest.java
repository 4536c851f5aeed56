package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Settlement;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Connecting takes time, in which what let a request be sent off may cease to hold. */
class DepartureTest {
  private static final Instant START = Rehearsal.START;
  private static final FetchOutcome REFUSED = new FetchOutcome.RateLimited(429, Optional.empty());

  private final Rehearsal rehearsal = new Rehearsal();

  @Test
  void after_a_refusal_no_second_request_joins_the_one_in_flight_however_long_it_connected() {
    // The rest of two seconds is over when the third page has its connection; the first page is
    // still in flight.
    rehearsal
        .web
        .site("http://a.example")
        .latency(Duration.ofSeconds(4), Duration.ofMillis(80))
        .latency("/1", Duration.ofMinutes(1))
        .latency("/2", Duration.ofMillis(1500))
        .page("/1")
        .answer("/2", REFUSED)
        .page("/3");
    rehearsal.seed("http://a.example/1", "http://a.example/2", "http://a.example/3");
    rehearsal.run();
    Visit first = visit("http://a.example/1");
    Visit third = visit("http://a.example/3");
    assertThat(third.startedAt()).isAfter(first.startedAt().plusSeconds(60));
    assertThat(third.inFlight()).isEqualTo(1);
  }

  @Test
  void a_refusal_that_waits_for_the_store_to_finish_holds_back_what_is_connecting() {
    rehearsal
        .web
        .site("http://a.example")
        .latency(Duration.ofSeconds(2), Duration.ofMillis(80))
        .latency("/1", Duration.ofMillis(5000))
        .latency("/2", Duration.ofMillis(2200))
        .page("/1")
        .answer("/2", new FetchOutcome.RateLimited(429, Optional.of(Duration.ofSeconds(100))))
        .page("/3");
    rehearsal
        .seed("http://a.example/1", "http://a.example/2", "http://a.example/3")
        .keptBy(
            new Keeper() {
              @Override
              public void before(Door door, Optional<Claim> claim) {
                if (door == Door.SETTLE) {
                  rehearsal.pass(Duration.ofSeconds(4));
                }
              }
            });
    rehearsal.run();
    Instant heard = visit("http://a.example/2").startedAt().plusMillis(2200);
    assertThat(heard).isBefore(START.plusSeconds(20));
    assertThat(visit("http://a.example/3").startedAt()).isAfterOrEqualTo(heard.plusSeconds(100));
  }

  @Test
  void the_next_slot_is_counted_from_the_first_byte_however_late_it_left() {
    rehearsal
        .web
        .site("http://a.example")
        .latency(Duration.ofMillis(20), Duration.ofSeconds(3))
        .hesitation(Duration.ofMillis(700))
        .page("/1")
        .page("/2")
        .page("/3");
    rehearsal.seed("http://a.example/1", "http://a.example/2", "http://a.example/3");
    rehearsal.run();
    assertThat(rehearsal.web.asked()).hasSize(4);
    List<Visit> visits = rehearsal.web.visits();
    for (int i = 1; i < visits.size(); i++) {
      assertThat(Duration.between(visits.get(i - 1).startedAt(), visits.get(i).startedAt()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
    for (Settlement settled : rehearsal.settled) {
      assertThat(settled.attempt().orElseThrow().startedAt())
          .isEqualTo(visit(settled.entry().url().toString()).startedAt());
    }
  }

  @Test
  void a_request_that_was_let_go_and_never_left_takes_up_its_slot_when_it_fails() {
    rehearsal.web.site("http://a.example").hesitation(Duration.ofSeconds(2)).page("/1").page("/2");
    rehearsal.seed("http://a.example/1", "http://a.example/2");
    Crawl.End end = rehearsal.runAndStopAt(START.plusMillis(500));
    assertThat(end).isInstanceOf(Crawl.End.Stopped.class);
    assertThat(rehearsal.state("a.example").slots().lastStart()).isAfter(START.plusMillis(400));
  }

  private Visit visit(String url) {
    return rehearsal.web.visits().stream()
        .filter(visit -> visit.url().toString().equals(url))
        .findFirst()
        .orElseThrow();
  }
}
