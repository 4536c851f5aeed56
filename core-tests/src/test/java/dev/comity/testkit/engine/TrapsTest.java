package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sites without an end and sites behind walls, as the engine meets them. */
class TrapsTest {
  private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");
  private static final DomainName SITE = CrawlUrl.of("http://a.example/").domain();

  private final VirtualTimeline time = new VirtualTimeline(42);
  private final PretendWeb web = new PretendWeb(time);
  private final MemoryStore store = new MemoryStore(CrawlUrl::domain, time);
  private final List<Settlement> settled = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Ending> endings = new ArrayList<>();

  private final CrawlListener log =
      new CrawlListener() {
        @Override
        public void settled(DomainName domain, Settlement settlement) {
          settled.add(settlement);
        }

        @Override
        public void changed(DomainName domain, Change change) {
          changes.add(change);
        }

        @Override
        public void ended(DomainName domain, Ending ending) {
          endings.add(ending);
        }
      };

  private void crawl(TrapSettings traps, String... seeds) {
    for (String seed : seeds) {
      CrawlUrl url = CrawlUrl.of("http://a.example" + seed);
      store.add(List.of(QueuedUrl.seed(url, Optional.empty())), START);
    }
    Scope scope =
        Scope.ofSeeds(List.of(CrawlUrl.of("http://a.example/")), Grouping.BY_HOST).toDepth(5_000);
    CrawlPlan plan =
        new CrawlPlan(
            new DomainPolicy(PolicySettings.DEFAULTS),
            scope,
            new CrawlLimits(2_000, 2_000, 256, 1000, 0, Duration.ofSeconds(10)),
            traps,
            Map.of());
    time.run(() -> new Crawl(plan, new CrawlParts(store, web, web, web, log, time)).run());
  }

  private static FetchOutcome page(String text, Stream<String> links) {
    // The pretended web reads every line as a link; one into the page itself leads nowhere.
    String body = String.join("\n", Stream.concat(Stream.of("#" + text), links).toList());
    return new Success(200, Headers.NONE, Body.of(body));
  }

  private static FetchOutcome page(String text, String... links) {
    return page(text, Stream.of(links));
  }

  private List<String> asked(String prefix) {
    return web.asked().stream().filter(url -> url.startsWith("http://a.example" + prefix)).toList();
  }

  private static FetchOutcome calendar(String target) {
    if (target.equals("/robots.txt")) {
      return new ClientError(404);
    }
    if (target.startsWith("/day/")) {
      int day = Integer.parseInt(target.substring("/day/".length()));
      return page("no events", "/", "/day/" + (day + 1), "/day/" + (day + 2), "/day/" + (day + 40));
    }
    return target.equals("/")
        ? page("home", Stream.concat(Stream.of("/day/0"), numbered("/honest/", 20)))
        : page("words of " + target.replaceAll("[0-9]", "x" + target.hashCode()));
  }

  private static Stream<String> numbered(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(number -> prefix + number);
  }

  @Test
  void a_calendar_without_end_ends_the_rest_is_crawled_and_all_of_it_is_told() {
    web.site("http://a.example").any(TrapsTest::calendar);
    crawl(new TrapSettings(30), "/");
    assertThat(endings).containsExactly(new Ending.Exhausted());
    assertThat(asked("/honest/")).hasSize(20);
    // One that is new, three found on it, and thirty found on one like them.
    assertThat(asked("/day/")).hasSize(34);
    assertThat(settled)
        .filteredOn(settlement -> settlement.fate() instanceof Fate.Suppressed)
        .isNotEmpty()
        .allMatch(settlement -> settlement.attempt().isEmpty())
        .allMatch(settlement -> settlement.entry().url().target().startsWith("/day/"));
    assertThat(changes)
        .filteredOn(change -> change instanceof Change.TemplateSuppressed)
        .containsExactly(
            new Change.TemplateSuppressed("/day/#", "its pages say the same, but for numbers"));
    assertThat(store.templates(SITE))
        .filteredOn(stats -> stats.suppressed().isPresent())
        .singleElement()
        .satisfies(
            stats -> {
              assertThat(stats.template()).isEqualTo("/day/#");
              assertThat(stats.pages()).isEqualTo(34);
              assertThat(stats.leftOut()).isPositive();
            });
  }

  private static FetchOutcome gallery(String target) {
    if (target.equals("/robots.txt")) {
      return new ClientError(404);
    }
    int number = target.equals("/") ? 0 : Integer.parseInt(target.substring("/photo/".length()));
    return page(
        "a photo",
        "/",
        "/photo/" + Math.max(1, number - 1),
        "/photo/" + Math.min(300, number + 1),
        "image /logo.png",
        "image /pictures/" + number + ".jpg");
  }

  @Test
  void a_gallery_whose_pages_differ_in_their_photo_alone_is_crawled_whole() {
    web.site("http://a.example").any(TrapsTest::gallery);
    crawl(TrapSettings.DEFAULTS, "/");
    assertThat(asked("/photo/")).hasSize(300);
    assertThat(endings).containsExactly(new Ending.Exhausted());
  }

  @Test
  void what_was_suppressed_before_is_not_asked_again_by_the_next_holder_unless_it_is_a_seed() {
    web.site("http://a.example").any(TrapsTest::calendar);
    crawl(new TrapSettings(30), "/");
    int before = asked("/day/").size();
    crawl(new TrapSettings(30), "/day/9999");
    assertThat(asked("/day/").subList(before, asked("/day/").size()))
        .containsExactly("http://a.example/day/9999");
  }

  @Test
  void links_of_endless_shapes_are_counted_and_not_kept() {
    String deep = String.join("", numbered("/d", 21).toList());
    web.site("http://a.example")
        .answer("/", page("home", "/a/b/a/b/a/b", "/fine", deep))
        .answer("/fine", page("fine"));
    crawl(TrapSettings.DEFAULTS, "/");
    assertThat(settled).extracting(one -> one.entry().url().target()).containsExactly("/", "/fine");
    assertThat(store.templates(SITE))
        .filteredOn(stats -> stats.suppressed().isPresent())
        .extracting(TemplateStats::template)
        .containsExactly("repeating", "too_deep");
  }

  @Test
  void five_login_pages_in_a_row_close_a_domain() {
    web.site("http://a.example")
        .any(
            target ->
                target.equals("/robots.txt")
                    ? new ClientError(404)
                    : new FetchOutcome.LoginRequired(200));
    crawl(TrapSettings.DEFAULTS, numbered("/page/", 9).toArray(String[]::new));
    assertThat(asked("/page/")).hasSize(5);
    assertThat(closeReason()).isEqualTo(CloseReason.LOGIN_REQUIRED);
  }

  @Test
  void five_challenges_in_a_row_close_a_domain() {
    web.site("http://a.example")
        .any(
            target ->
                target.equals("/robots.txt")
                    ? new ClientError(404)
                    : new FetchOutcome.Challenge(200));
    crawl(TrapSettings.DEFAULTS, numbered("/page/", 9).toArray(String[]::new));
    assertThat(asked("/page/")).hasSize(5);
    assertThat(closeReason()).isEqualTo(CloseReason.CHALLENGE);
  }

  @Test
  void one_body_behind_different_urls_all_over_a_site_is_a_challenge() {
    String[] everywhere =
        IntStream.range(0, 30)
            .mapToObj(number -> "/part" + (char) ('a' + number % 6) + "/page" + number)
            .toArray(String[]::new);
    web.site("http://a.example").any(TrapsTest::wall);
    crawl(TrapSettings.DEFAULTS, everywhere);
    // The tenth is the first that is known for what it is, the fourteenth the fifth of those.
    assertThat(asked("/part")).hasSize(14);
    assertThat(closeReason()).isEqualTo(CloseReason.CHALLENGE);
    assertThat(settled.getLast().fetched().orElseThrow().note())
        .contains("one body behind different URLs");
  }

  private static FetchOutcome wall(String target) {
    return target.equals("/robots.txt") ? new ClientError(404) : page("please stand by");
  }

  @Test
  void soft_404s_of_one_kind_close_nothing() {
    web.site("http://a.example").any(TrapsTest::wall);
    crawl(TrapSettings.DEFAULTS, numbered("/gone/page", 40).toArray(String[]::new));
    assertThat(asked("/gone/")).hasSize(40);
    assertThat(endings).containsExactly(new Ending.Exhausted());
  }

  private static FetchOutcome toLogin(String target) {
    return new Redirect(
        302, Optional.of(CrawlUrl.of("http://a.example/user/login?back=" + target)));
  }

  @Test
  void a_site_that_sends_every_stranger_to_its_login_is_closed() {
    web.site("http://a.example")
        .any(
            target ->
                target.equals("/robots.txt")
                    ? new ClientError(404)
                    : target.startsWith("/user/login") ? page("log in") : toLogin(target));
    crawl(TrapSettings.DEFAULTS, numbered("/page/", 30).toArray(String[]::new));
    // Two may be a coincidence; from the third on each counts, and five do.
    assertThat(asked("/page/")).hasSize(7);
    assertThat(closeReason()).isEqualTo(CloseReason.LOGIN_REQUIRED);
  }

  @Test
  void a_forum_where_only_replying_needs_a_login_stays_open() {
    web.site("http://a.example")
        .any(
            target ->
                target.equals("/robots.txt")
                    ? new ClientError(404)
                    : target.startsWith("/reply/") || target.startsWith("/report/")
                        ? toLogin(target)
                        : page("topic" + target.replaceAll("[0-9/]", "x")));
    String[] urls =
        Stream.of(numbered("/topic/", 3), numbered("/reply/", 30), numbered("/report/", 30))
            .flatMap(some -> some)
            .toArray(String[]::new);
    crawl(TrapSettings.DEFAULTS, urls);
    assertThat(asked("/report/")).hasSize(30);
    assertThat(endings).containsExactly(new Ending.Exhausted());
  }

  private CloseReason closeReason() {
    return store.state(SITE).orElseThrow().standing().reason().orElseThrow();
  }
}
