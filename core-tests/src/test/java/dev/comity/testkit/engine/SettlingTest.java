package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A store that takes its time: the domain is asked on, and nothing is said too early. */
class SettlingTest {
  private static final String SITE = "http://a.example";
  private static final String SECURE = "https://a.example";
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Rehearsal rehearsal = new Rehearsal();
  private final SlowStore store = new SlowStore(Duration.ofSeconds(7));

  /** Each group of settlements takes this long to be written. */
  private final class SlowStore implements Keeper {
    private final Duration taking;
    private final List<Instant> durable = new ArrayList<>();
    private int groups;
    private int atOnce;
    private int most;

    SlowStore(Duration taking) {
      this.taking = taking;
    }

    @Override
    public void before(Door door, Optional<Claim> claim) {
      if (door == Door.SETTLE) {
        groups++;
        most = Math.max(most, ++atOnce);
        rehearsal.pass(taking);
      } else if (door == Door.RECORD || door == Door.RELEASE) {
        assertThat(atOnce).as("settling during " + door).isZero();
      }
    }

    @Override
    public void after(Door door, Optional<Claim> claim) {
      if (door == Door.SETTLE) {
        atOnce--;
        durable.add(rehearsal.time.instant());
      }
    }
  }

  SettlingTest() {
    rehearsal.sitemaps = false;
    rehearsal.keptBy(store);
  }

  private Site site(int pages) {
    return site(rehearsal, pages);
  }

  private static Site site(Rehearsal rehearsal, int pages) {
    Site site = rehearsal.web.site(SITE).page("/robots.txt");
    for (int page = 0; page < pages; page++) {
      site.page("/" + page);
      rehearsal.seed(SITE + "/" + page);
    }
    return site;
  }

  /** Every page that was asked, in order. */
  private List<Visit> pages() {
    return rehearsal.web.visits().stream()
        .filter(visit -> !visit.url().target().equals("/robots.txt"))
        .toList();
  }

  @Test
  void a_domain_is_asked_on_at_its_pace_while_answers_are_written() {
    Rehearsal quick = new Rehearsal();
    quick.sitemaps = false;
    site(quick, 20);
    quick.run();
    site(20);
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.web.visits()).isEqualTo(quick.web.visits());
    assertThat(rehearsal.done()).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  void what_comes_in_while_a_group_is_written_is_the_next_group() {
    site(20);
    rehearsal.run();
    assertThat(store.most).isEqualTo(1);
    // One page, then seven at a time.
    assertThat(store.groups).isEqualTo(4);
  }

  /** The store itself fails the crawl if it is asked to write a note during a settlement. */
  @Test
  void a_note_waits_for_the_group_that_is_written() {
    Site other = rehearsal.web.site(SECURE).page("/robots.txt");
    site(3);
    for (int page = 0; page < 3; page++) {
      other.page("/" + page);
      rehearsal.seed(SECURE + "/" + page);
    }
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).hasSize(6).doesNotHaveDuplicates();
    assertThat(rehearsal.web.asked()).contains(SECURE + "/robots.txt");
  }

  @Test
  void nothing_is_told_before_it_is_durable() {
    List<Instant> told = new ArrayList<>();
    rehearsal.listener =
        new CrawlListener() {
          @Override
          public void settled(DomainName domain, Settlement settlement) {
            told.add(rehearsal.time.instant());
          }

          @Override
          public void answered(DomainName domain, Attempt attempt, Fetched fetched) {
            if (!attempt.url().target().equals("/robots.txt")) {
              told.add(rehearsal.time.instant());
            }
          }

          @Override
          public void changed(DomainName domain, Change change) {
            told.add(rehearsal.time.instant());
          }
        };
    site(9).answer("/4", new ServerError(500)).answer("/5", new RateLimited(429, Optional.empty()));
    rehearsal.run();
    assertThat(told).hasSizeGreaterThan(2 * 9).allMatch(store.durable::contains);
  }

  @Test
  void a_refusal_that_is_not_durable_yet_holds_back_the_next_request() {
    Duration wait = Duration.ofSeconds(40);
    site(6).answer("/2", now -> refusal(now, wait));
    rehearsal.run();
    List<Visit> visits = pages();
    assertThat(visits.get(2).url().target()).isEqualTo("/2");
    assertThat(store.durable.getFirst()).isAfter(visits.get(2).startedAt().plus(SECOND));
    assertThat(visits.get(3).startedAt()).isAfterOrEqualTo(visits.get(2).startedAt().plus(wait));
  }

  private static RateLimited refusal(Instant now, Duration wait) {
    return now.isBefore(Rehearsal.START.plusSeconds(30))
        ? new RateLimited(429, Optional.of(wait))
        : new RateLimited(429, Optional.empty());
  }

  @Test
  void failures_that_are_not_durable_yet_end_a_job_as_soon_as_durable_ones() {
    Rehearsal quick = new Rehearsal();
    for (Rehearsal each : List.of(quick, rehearsal)) {
      each.sitemaps = false;
      Site site = each.web.site(SITE).page("/robots.txt").page("/good");
      site.otherwise(_ -> new ServerError(500));
      each.seed(SITE + "/good");
      for (int page = 0; page < 60; page++) {
        each.seed(SITE + "/" + page);
      }
      each.run();
    }
    assertThat(rehearsal.web.asked()).isEqualTo(quick.web.asked());
    assertThat(rehearsal.endings).isEqualTo(quick.endings);
  }

  /** With the defaults the failures slow the domain down, and each is durable before the next. */
  @Test
  void a_streak_counts_the_failures_of_the_group_that_is_written() {
    int jobFailsAfter = 4;
    rehearsal.settings = PolicySettings.DEFAULTS.with(new FailureSettings(100, 0, jobFailsAfter));
    SlowStore stuck = new SlowStore(Duration.ofMinutes(5));
    rehearsal.keptBy(stuck);
    Site site = rehearsal.web.site(SITE).page("/robots.txt");
    site.otherwise(_ -> new ServerError(500));
    for (int page = 0; page < 20; page++) {
      rehearsal.seed(SITE + "/" + page);
    }
    rehearsal.run();
    assertThat(pages()).hasSize(jobFailsAfter);
    assertThat(pages().getLast().startedAt()).isBefore(stuck.durable.getFirst());
    assertThat(rehearsal.endings)
        .containsExactly(new Ending.JobFailed(jobFailsAfter + " URLs in a row failed"));
  }

  @Test
  void a_domain_is_not_released_as_exhausted_while_the_links_of_its_last_page_are_written() {
    rehearsal.web.site(SITE).page("/robots.txt").page("/0", "/1").page("/1");
    rehearsal.seed(SITE + "/0");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(rehearsal.done()).containsExactly(SITE + "/0", SITE + "/1");
    assertThat(rehearsal.claims).containsExactly("claimed a.example", "ended a.example");
    assertThat(rehearsal.endings).containsExactly(new Ending.Exhausted());
  }

  /** Has no memory for the thread of the next group. */
  private record ShortOfThreads(Timeline inner) implements Timeline {
    @Override
    public Thread start(String name, Runnable task) {
      if (name.startsWith("settle ")) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return inner.start(name, task);
    }

    @Override
    public Instant instant() {
      return inner.instant();
    }

    @Override
    public Instant wall() {
      return inner.wall();
    }

    @Override
    public void await(Signal signal, Instant until) throws InterruptedException {
      inner.await(signal, until);
    }
  }

  @Test
  void a_group_without_a_thread_to_write_it_ends_the_crawl_at_once() {
    rehearsal.crawlTime = new ShortOfThreads(rehearsal.time);
    site(1);
    assertThatThrownBy(() -> rehearsal.run())
        .rootCause()
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage("unable to create native thread");
    assertThat(rehearsal.settled).isEmpty();
    Visit only = pages().getFirst();
    assertThat(rehearsal.time.instant()).isBefore(only.startedAt().plus(SECOND));
  }

  @Test
  void a_budget_is_spent_to_the_page_and_not_beyond() {
    rehearsal.maxPages = 8;
    site(20).answer("/3", new ServerError(500));
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.OutOfBudget());
    assertThat(rehearsal.done()).hasSize(8);
    assertThat(pages()).hasSize(9);
  }

  @Test
  void a_store_that_falls_behind_holds_up_the_requests() {
    SlowStore stuck = new SlowStore(Duration.ofMinutes(5));
    rehearsal.keptBy(stuck);
    site(200);
    rehearsal.runAndStopAt(Rehearsal.START.plusSeconds(240));
    // One that is written, 32 that wait, and those in flight when these were decided.
    assertThat(pages()).hasSizeBetween(33, 38);
    assertThat(rehearsal.done()).hasSameSizeAs(pages());
  }

  @Test
  void a_stop_waits_for_the_group_that_is_written_and_settles_the_rest() {
    site(20);
    Instant stop = Rehearsal.START.plusSeconds(6);
    rehearsal.runAndStopAt(stop);
    assertThat(pages()).hasSizeBetween(4, 7);
    assertThat(rehearsal.done()).hasSameSizeAs(pages());
    assertThat(rehearsal.endings).containsExactly(new Ending.Stopped());
    int asked = pages().size();
    rehearsal.runAfter(Duration.ofSeconds(10));
    assertThat(pages()).as("none again").hasSize(20);
    assertThat(asked).isLessThan(20);
  }

  @Test
  void when_the_grace_is_over_what_is_decided_is_still_settled() {
    rehearsal.grace = SECOND;
    SlowStore slower = new SlowStore(Duration.ofSeconds(30));
    rehearsal.keptBy(slower);
    site(20);
    rehearsal.runAndStopAt(Rehearsal.START.plusSeconds(6));
    assertThat(slower.groups).isEqualTo(2);
    assertThat(rehearsal.done()).hasSameSizeAs(pages()).hasSizeBetween(4, 7);
    assertThat(rehearsal.endings).containsExactly(new Ending.Stopped());
  }

  @Test
  void a_death_before_the_commit_leaves_every_url_to_be_asked_again_after_a_delay() {
    site(6);
    Instant death = Rehearsal.START.plusSeconds(5);
    rehearsal.keptBy(
        new Keeper() {
          @Override
          public void before(Door door, Optional<Claim> claim) {
            if (door == Door.SETTLE) {
              rehearsal.pass(Duration.ofSeconds(7));
            }
            if (!rehearsal.time.instant().isBefore(death)) {
              throw new IllegalStateException("the process is dead");
            }
          }
        });
    assertThatThrownBy(() -> rehearsal.run()).hasRootCauseMessage("the process is dead");
    int asked = pages().size();
    assertThat(asked).isGreaterThan(2);
    assertThat(rehearsal.settled).isEmpty();

    rehearsal.memory.endClaims();
    rehearsal.keptBy(new Keeper() {});
    Instant again = rehearsal.time.instant();
    rehearsal.run();
    assertThat(rehearsal.done()).hasSize(6).doesNotHaveDuplicates();
    assertThat(pages()).hasSize(asked + 6);
    assertThat(pages().get(asked).startedAt()).isAfterOrEqualTo(again.plus(SECOND));
  }

  @Test
  void a_listener_that_fails_is_still_told_the_rest_of_its_group() {
    Set<String> heard = new HashSet<>();
    rehearsal.listener =
        new CrawlListener() {
          @Override
          public void settled(DomainName domain, Settlement settlement) {
            heard.add(settlement.entry().url().target());
            if (settlement.entry().url().target().equals("/2")) {
              throw new IllegalStateException("a listener failed");
            }
          }
        };
    site(20);
    assertThatThrownBy(() -> rehearsal.run())
        .rootCause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a listener failed");
    // The first page, the group of seven that has the second, and what was decided since.
    assertThat(heard).contains("/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7");
    assertThat(heard).hasSameSizeAs(pages());
  }

  @Test
  void once_a_group_is_refused_no_request_starts() {
    Instant[] lost = {Instant.MAX};
    rehearsal.keptBy(
        new Keeper() {
          @Override
          public void before(Door door, Optional<Claim> claim) {
            if (door == Door.SETTLE && lost[0].equals(Instant.MAX)) {
              rehearsal.pass(Duration.ofSeconds(7));
              lost[0] = rehearsal.time.instant();
              rehearsal.steal(claim.orElseThrow());
            }
          }
        });
    site(20).latency(Duration.ofMillis(900), Duration.ofMillis(80));
    rehearsal.run();
    // The next worker waits a delay, and connects for as long.
    assertThat(pages())
        .noneMatch(
            visit ->
                visit.startedAt().isAfter(lost[0])
                    && visit.startedAt().isBefore(lost[0].plus(SECOND)));
    assertThat(rehearsal.done()).hasSize(20).doesNotHaveDuplicates();
    assertThat(rehearsal.endings).startsWith(new Ending.Lost());
  }
}
