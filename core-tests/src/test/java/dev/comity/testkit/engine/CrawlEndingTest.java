package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.policy.Turn;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a crawl ends, and what it leaves behind when it is told to or has to. */
class CrawlEndingTest {
  private static final Instant START = Rehearsal.START;
  private static final FetchOutcome REFUSED = new FetchOutcome.ConnectionFailed("refused");

  private final Rehearsal rehearsal = new Rehearsal();

  @Test
  void what_the_last_worker_leaves_behind_while_the_store_is_slow_to_say_is_still_crawled() {
    rehearsal.web.site("http://a.example").page("/", "http://b.example/");
    rehearsal.web.site("http://b.example").page("/");
    rehearsal
        .seed("http://a.example/")
        .keptBy(
            new Keeper() {
              @Override
              public void after(Door door, Optional<Claim> claim) {
                if (door == Door.CLAIM) {
                  rehearsal.pass(Duration.ofSeconds(10));
                }
              }
            });
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).containsExactly("http://a.example/", "http://b.example/");
  }

  @Test
  void what_others_put_into_the_store_while_a_crawl_waits_for_a_rest_is_noticed() {
    rehearsal
        .web
        .site("http://a.example")
        .answer("/", new FetchOutcome.RateLimited(429, Optional.of(Duration.ofMinutes(11))));
    rehearsal.web.site("http://b.example").page("/", "/1", "/2").page("/1").page("/2");
    // The second crawl begins two minutes later: nine are left, and it waits for them.
    rehearsal.seed("http://a.example/");
    rehearsal.time.run(
        () -> {
          rehearsal.crawl().run();
          rehearsal.pass(Duration.ofMinutes(2));
          Instant second = rehearsal.time.instant();
          rehearsal.at(second.plusSeconds(30), () -> rehearsal.seed("http://b.example/"));
          Crawl crawl = rehearsal.crawl();
          rehearsal.at(second.plusSeconds(90), crawl::stop);
          return crawl.run();
        });
    assertThat(rehearsal.done())
        .containsExactly("http://b.example/", "http://b.example/1", "http://b.example/2");
  }

  @Test
  void a_stop_ends_though_our_own_network_is_found_to_be_down_meanwhile() {
    Instant down = START.plusSeconds(6);
    for (String host : new String[] {"http://a.example", "http://b.example", "http://c.example"}) {
      rehearsal
          .web
          .site(host)
          .latency(Duration.ofMillis(900), Duration.ofMillis(10))
          .unconnectable(now -> now.isAfter(down) ? Optional.of(REFUSED) : Optional.empty())
          .page("/", "/1", "/2", "/3", "/4", "/5");
      rehearsal.seed(host + "/");
    }
    assertThat(rehearsal.runAndStopAt(down.plusMillis(1))).isEqualTo(new Crawl.End.Stopped());
    assertThat(rehearsal.outages).containsExactly(true);
    assertThat(rehearsal.time.instant()).isBefore(down.plus(rehearsal.grace));
    assertThat(rehearsal.state("a.example").failures().moments()).isZero();
    assertThat(rehearsal.state("b.example").failures().moments()).isZero();
  }

  @Test
  void a_crawl_interrupted_twice_hurries_and_leaves_nothing_running() {
    rehearsal.web.site("http://a.example").latency("/", Duration.ofMinutes(5)).page("/");
    rehearsal.seed("http://a.example/");
    AtomicReference<Thread> running = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                rehearsal.time.run(
                    () -> {
                      running.set(Thread.currentThread());
                      rehearsal.at(START.plusSeconds(5), () -> running.get().interrupt());
                      rehearsal.at(START.plusSeconds(7), () -> running.get().interrupt());
                      return rehearsal.crawl().run();
                    }))
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(rehearsal.time.instant()).isEqualTo(START.plusSeconds(7));
    assertThat(rehearsal.endings).containsExactly(new Ending.Stopped());
    assertThat(rehearsal.memory.claim(1, rehearsal.time.instant())).hasSize(1);
  }

  @Test
  void what_a_site_asked_for_after_the_grace_was_over_is_not_forgotten() {
    rehearsal
        .web
        .site("http://a.example")
        .deaf()
        .latency("/", Duration.ofSeconds(30))
        .answer("/", new FetchOutcome.RateLimited(429, Optional.of(Duration.ofMinutes(9))));
    rehearsal.seed("http://a.example/");
    rehearsal.runAndStopAt(START.plusSeconds(5));
    Instant heard = START.plusMillis(31_040);
    assertThat(rehearsal.time.instant()).isEqualTo(heard);
    assertThat(rehearsal.state("a.example").slots().restUntil())
        .isEqualTo(heard.plus(Duration.ofMinutes(9)));
    assertThat(rehearsal.state("a.example").slots().why()).isEqualTo(Turn.Why.RETRY_AFTER);
  }

  @Test
  void a_listener_that_fails_at_the_claim_ends_the_crawl_and_the_claim() {
    rehearsal.listener =
        new CrawlListener() {
          @Override
          public void claimed(DomainName domain) {
            throw new IllegalStateException("a full disk");
          }
        };
    rehearsal.web.site("http://a.example").page("/");
    rehearsal.seed("http://a.example/");
    assertThatThrownBy(rehearsal::run)
        .hasCauseInstanceOf(CrawlFailed.class)
        .hasRootCauseMessage("a full disk");
    assertThat(rehearsal.memory.claim(1, START.plusSeconds(1))).hasSize(1);
  }

  @Test
  void a_start_nobody_had_time_to_hear_of_is_given_back_with_the_claim() {
    rehearsal
        .web
        .site("http://a.example")
        .latency("/robots.txt", Duration.ofMillis(1010))
        .latency("/1", Duration.ofMillis(1010))
        .latency("/2", Duration.ofSeconds(30))
        .page("/1")
        .page("/2");
    // The first page's settlement takes as long as the second one needs to connect and start.
    rehearsal.listener =
        new CrawlListener() {
          @Override
          public void settled(DomainName domain, Settlement settlement) {
            throw new IllegalStateException("a full disk");
          }
        };
    rehearsal
        .seed("http://a.example/1", "http://a.example/2")
        .keptBy(
            new Keeper() {
              @Override
              public void before(Door door, Optional<Claim> claim) {
                if (door == Door.SETTLE) {
                  rehearsal.pass(Duration.ofSeconds(4));
                }
              }
            });
    assertThatThrownBy(rehearsal::run).hasRootCauseMessage("a full disk");
    Visit second = rehearsal.web.visits().getLast();
    assertThat(second.url()).isEqualTo(CrawlUrl.of("http://a.example/2"));
    assertThat(rehearsal.state("a.example").slots().lastStart()).isEqualTo(second.startedAt());
  }

  @Test
  void the_first_failure_is_told_though_giving_the_domain_back_fails_too() {
    rehearsal
        .seed("http://a.example/")
        .keptBy(
            new Keeper() {
              @Override
              public void before(Door door, Optional<Claim> claim) {
                if (door == Door.NEXT || door == Door.RELEASE) {
                  throw new IllegalStateException("broken at " + door);
                }
              }
            });
    assertThatThrownBy(rehearsal::run).hasRootCauseMessage("broken at NEXT");
  }

  /** A store that waits at these doors until it is hurried, as it does while the disk is full. */
  private final class FullDisk implements Keeper {
    private final Set<Door> doors;
    private final List<Signal> waiting = new ArrayList<>();
    private boolean hurried;

    FullDisk(Door... doors) {
      this.doors = Set.of(doors);
    }

    @Override
    public void before(Door door, Optional<Claim> claim) {
      if (!doors.contains(door)) {
        return;
      }
      Signal mine = new Signal();
      waiting.add(mine);
      while (!hurried) {
        try {
          rehearsal.time.await(mine);
        } catch (InterruptedException _) {
          // A write does not end for that.
        }
      }
      throw new IllegalStateException("the disk is full");
    }

    @Override
    public void hurried() {
      hurried = true;
      waiting.forEach(Signal::raise);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SETTLE", "RENEW"})
  void a_crawl_whose_time_is_up_waits_for_a_full_disk_no_longer_than_for_answers(Door door) {
    rehearsal.web.site("http://a.example").page("/robots.txt", "delay 500").page("/", "/1", "/2");
    rehearsal.seed("http://a.example/").keptBy(new FullDisk(door));
    Instant end = START.plus(Duration.ofMinutes(15));
    assertThatThrownBy(
            () ->
                rehearsal.time.run(
                    () -> {
                      Crawl crawl = rehearsal.crawl();
                      crawl.endAt(end);
                      return crawl.run();
                    }))
        .hasRootCauseMessage("the disk is full");
    assertThat(rehearsal.time.instant()).isEqualTo(end.plus(rehearsal.grace));
  }

  @Test
  void a_crawl_that_is_stopped_waits_for_a_full_disk_no_longer_than_for_answers() {
    rehearsal.web.site("http://a.example").page("/");
    rehearsal.seed("http://a.example/").keptBy(new FullDisk(Door.SETTLE, Door.CLAIM));
    Instant stopped = START.plusSeconds(30);
    assertThatThrownBy(() -> rehearsal.runAndStopAt(stopped))
        .hasRootCauseMessage("the disk is full");
    assertThat(rehearsal.time.instant()).isEqualTo(stopped.plus(rehearsal.grace));
  }

  @Test
  void only_a_crawl_that_was_told_to_end_leaves_a_store_that_waits_for_nothing() {
    FullDisk stopped = new FullDisk();
    rehearsal.web.site("http://a.example").page("/", "/1").page("/1");
    rehearsal.seed("http://a.example/").keptBy(stopped).runAndStopAt(START.plusSeconds(1));
    assertThat(stopped.hurried).isTrue();
    FullDisk finished = new FullDisk();
    rehearsal.keptBy(finished).runAfter(Duration.ofMinutes(1));
    assertThat(rehearsal.done()).hasSize(2);
    assertThat(finished.hurried).isFalse();
  }
}
