package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What slow and failing domains may cost, in figures: five requests at a time, rests that double,
 * closed after five failures, and no place, URL or memory lost to them.
 */
class SlowDomainsTest {
  private static final FetchOutcome HANGING = new TimedOut("no answer within 30 s");

  private final Rehearsal rehearsal = new Rehearsal();

  @Test
  void of_256_requests_in_flight_five_at_most_are_one_domains_and_the_others_do_not_wait() {
    slow("http://slow.example", 300, Duration.ofSeconds(30), Optional.empty());
    for (int number = 0; number < 60; number++) {
      String host = "http://s" + number + ".example";
      PretendWeb.Site site = rehearsal.web.site(host).page("/robots.txt");
      site.page("/", "/1", "/2", "/3").page("/1").page("/2").page("/3");
      rehearsal.seed(host + "/");
    }
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(visits("slow.example")).hasSize(301);
    assertThat(visits("slow.example").stream().mapToInt(Visit::inFlight).max()).hasValue(5);
    for (int number = 0; number < 60; number++) {
      List<Visit> quick = visits("s" + number + ".example");
      assertThat(quick).hasSize(5);
      assertThat(quick.getLast().startedAt()).isBefore(Rehearsal.START.plusSeconds(6));
    }
  }

  @Test
  void rests_after_failures_are_2_4_8_16_32_64_128_256_and_300_seconds() {
    DomainPolicy policy = new DomainPolicy(PolicySettings.DEFAULTS);
    DomainState state = policy.claimed(DomainState.FRESH, Rehearsal.START);
    Instant now = Rehearsal.START;
    CrawlUrl url = CrawlUrl.of("http://slow.example/");
    List<Long> rests = new ArrayList<>();
    for (int failure = 0; failure < 10; failure++) {
      Attempt attempt = new Attempt(url, Kind.PAGE, 1, now, Duration.ofSeconds(1));
      Instant failed = now.plusSeconds(30);
      Fetched silence = new Fetched(HANGING, Optional.empty(), Duration.ofSeconds(30), 0);
      state = policy.decide(policy.started(state, attempt), attempt, silence, failed).state();
      now = policy.nextStart(state);
      rests.add(Duration.between(failed, now).toSeconds());
    }
    assertThat(rests).containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
  }

  @Test
  void a_dead_domain_is_closed_by_its_fifth_failure_and_asked_no_more() {
    rehearsal.web.site("http://dead.example").page("/robots.txt").otherwise(_ -> HANGING);
    for (int page = 0; page < 100; page++) {
      rehearsal.seed("http://dead.example/" + page);
    }
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(visits("dead.example")).hasSize(1 + 5);
    assertThat(gaps("dead.example")).containsExactly(1L, 2L, 4L, 8L, 16L);
    assertThat(rehearsal.state("dead.example").standing().reason()).contains(CloseReason.TIMEOUT);
    assertThat(rehearsal.runAfter(Duration.ofMinutes(59))).isEqualTo(new Crawl.End.Finished());
    assertThat(visits("dead.example")).hasSize(1 + 5);
  }

  @Test
  void no_place_for_a_request_is_lost_whatever_the_answers_are() {
    List<FetchOutcome> outcomes = List.copyOf(categories().values());
    for (int number = 0; number < 40; number++) {
      FetchOutcome outcome = outcomes.get(number % outcomes.size());
      slow("http://s" + number + ".example", 8, Duration.ofSeconds(number), Optional.of(outcome));
    }
    rehearsal.maxInFlight = 7;
    Crawl crawl = rehearsal.crawl();
    List<Integer> most = new ArrayList<>();
    for (int second = 1; second < 600; second++) {
      rehearsal.at(
          Rehearsal.START.plusSeconds(second), () -> most.add(crawl.snapshot().inFlight()));
    }
    assertThat(rehearsal.time.run(crawl::run)).isEqualTo(new Crawl.End.Finished());
    assertThat(most).contains(7).allMatch(inFlight -> inFlight <= 7);
    assertThat(crawl.snapshot().inFlight()).isZero();
    assertThat(crawl.snapshot().queuing()).isZero();
  }

  @Test
  void a_url_is_asked_once_however_many_pages_link_to_it() {
    String[] all = IntStream.range(0, 50).mapToObj(page -> "/" + page).toArray(String[]::new);
    PretendWeb.Site site = rehearsal.web.site("http://a.example").page("/robots.txt");
    for (String page : all) {
      site.page(page, all);
    }
    rehearsal.seed("http://a.example/0");
    rehearsal.run();
    assertThat(rehearsal.web.asked()).hasSize(51).doesNotHaveDuplicates();
  }

  @Test
  void at_most_fifty_thousand_urls_wait_in_memory_or_a_hundred_for_each_request_in_flight() {
    assertThat(StoreLimits.DEFAULTS.forInFlight(256).maxAhead()).isEqualTo(50_000);
    assertThat(StoreLimits.DEFAULTS.forInFlight(1000).maxAhead()).isEqualTo(100_000);
    assertThat(StoreLimits.MOST_AHEAD_PER_DOMAIN).isEqualTo(32);
    assertThat(StoreLimits.DEFAULTS.maxUnfinished()).isEqualTo(100_000);
  }

  @Test
  void every_failure_has_its_category_and_none_is_just_an_error() {
    categories()
        .forEach(
            (category, outcome) -> {
              Rehearsal each = new Rehearsal();
              each.web.site("http://a.example").page("/robots.txt").answer("/", outcome);
              each.seed("http://a.example/");
              each.run();
              assertThat(each.settled.getLast().fate()).isEqualTo(new Fate.Failed(category));
            });
    assertThat(categories().keySet().stream().map(Category::code))
        .containsExactly(
            "timeout",
            "dns_failure",
            "connection_failed",
            "tls_failure",
            "server_error",
            "forbidden",
            "login_required",
            "challenge",
            "too_large",
            "undecodable");
  }

  private static Map<Category, FetchOutcome> categories() {
    Map<Category, FetchOutcome> all = new LinkedHashMap<>();
    all.put(Category.TIMEOUT, HANGING);
    all.put(Category.DNS_FAILURE, new DnsFailed("no address"));
    all.put(Category.CONNECTION_FAILED, new ConnectionFailed("reset"));
    all.put(Category.TLS_FAILURE, new TlsFailed("record overflow"));
    all.put(Category.SERVER_ERROR, new ServerError(500));
    all.put(Category.FORBIDDEN, new Forbidden(403));
    all.put(Category.LOGIN_REQUIRED, new LoginRequired(200));
    all.put(Category.CHALLENGE, new Challenge(200));
    all.put(Category.TOO_LARGE, new TooLarge(200, 10_485_760));
    all.put(Category.UNDECODABLE, new Undecodable(200, "gzip"));
    return all;
  }

  /** A site of so many pages that each take so long, and all end like this. */
  private void slow(String host, int pages, Duration latency, Optional<FetchOutcome> outcome) {
    PretendWeb.Site site = rehearsal.web.site(host).page("/robots.txt");
    for (int page = 0; page < pages; page++) {
      String target = "/" + page;
      site.latency(target, latency);
      if (outcome.isPresent()) {
        site.answer(target, outcome.get());
      } else {
        site.page(target);
      }
      rehearsal.seed(host + target);
    }
  }

  private List<Visit> visits(String host) {
    return rehearsal.web.visits().stream()
        .filter(visit -> visit.url().host().equals(host))
        .toList();
  }

  /** Whole seconds between the starts, as far as the site made us wait for them. */
  private List<Long> gaps(String host) {
    List<Visit> visits = visits(host);
    return IntStream.range(1, visits.size())
        .mapToObj(
            i ->
                Duration.between(visits.get(i - 1).startedAt(), visits.get(i).startedAt())
                    .toSeconds())
        .toList();
  }
}
