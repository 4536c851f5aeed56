package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.Crawl;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.policy.Fate;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import dev.comity.testkit.site.PretendWeb.Visit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a redirect leads is asked in its turn, as a URL of the domain it leads to. */
class RedirectTest {
  private final Rehearsal rehearsal = new Rehearsal();

  private static FetchOutcome redirect(int code, String target) {
    return new Redirect(code, Optional.of(CrawlUrl.of(target)));
  }

  private Site site(String authority) {
    return rehearsal.web.site(authority);
  }

  private List<String> pagesAsked() {
    return rehearsal.web.asked().stream().filter(url -> !url.endsWith("/robots.txt")).toList();
  }

  private void assertPaced(String host) {
    List<Visit> visits =
        rehearsal.web.visits().stream().filter(visit -> visit.url().host().equals(host)).toList();
    for (int i = 1; i < visits.size(); i++) {
      assertThat(Duration.between(visits.get(i - 1).startedAt(), visits.get(i).startedAt()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  void a_page_that_redirects_to_itself_is_asked_once() {
    site("http://a.example").answer("/", redirect(302, "http://a.example/"));
    rehearsal.seed("http://a.example/");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAsked()).containsExactly("http://a.example/");
  }

  @Test
  void two_domains_that_redirect_to_each_other_end_it_by_being_known() {
    site("http://a.example").answer("/", redirect(301, "http://b.example/"));
    site("http://b.example").answer("/", redirect(301, "http://a.example/"));
    rehearsal.seed("http://a.example/");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAsked()).containsExactly("http://a.example/", "http://b.example/");
  }

  @Test
  void a_chain_across_two_domains_ends_after_five_hops_and_each_hop_is_paced_where_it_leads() {
    for (int hop = 0; hop < 100; hop++) {
      String here = hop % 2 == 0 ? "a" : "b";
      String there = hop % 2 == 0 ? "b" : "a";
      site("http://" + here + ".example")
          .answer("/" + hop, redirect(302, "http://" + there + ".example/" + (hop + 1)));
    }
    rehearsal.seed("http://a.example/0");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAsked())
        .containsExactly(
            "http://a.example/0",
            "http://b.example/1",
            "http://a.example/2",
            "http://b.example/3",
            "http://a.example/4",
            "http://b.example/5");
    assertPaced("a.example");
    assertPaced("b.example");
    assertThat(rehearsal.claims).contains("claimed b.example");
  }

  @Test
  void the_robots_txt_of_the_domain_it_leads_to_has_its_say() {
    site("http://a.example")
        .page("/robots.txt")
        .answer("/", redirect(302, "http://b.example/secret"));
    site("http://b.example").page("/robots.txt", "deny /secret").page("/secret");
    rehearsal.seed("http://a.example/");
    rehearsal.run();
    assertThat(rehearsal.web.asked())
        .containsExactly(
            "http://a.example/robots.txt", "http://a.example/", "http://b.example/robots.txt");
    assertThat(rehearsal.settled.getLast().fate()).isEqualTo(new Fate.Denied());
  }

  @Test
  void once_a_site_has_moved_to_https_its_other_urls_are_asked_there_only() {
    site("http://a.example")
        .answer("/", redirect(301, "https://a.example/"))
        .answer("/1", redirect(301, "https://a.example/1"))
        .answer("/2", redirect(301, "https://a.example/2"));
    site("https://a.example")
        .page("/", "http://a.example/1", "https://a.example/1", "http://a.example/3")
        .page("/1")
        .page("/2")
        .page("/3");
    rehearsal.seed("http://a.example/", "http://a.example/2");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAsked())
        .containsExactly(
            "http://a.example/",
            "https://a.example/",
            "https://a.example/2",
            "https://a.example/1",
            "https://a.example/3");
    assertThat(rehearsal.settled)
        .filteredOn(one -> one.fate() instanceof Fate.Moved)
        .extracting(one -> one.entry().url().toString())
        .containsExactly("http://a.example/2");
  }

  @Test
  void that_a_site_has_moved_is_known_to_the_next_process() {
    site("http://www.a.example").answer("/", redirect(308, "http://a.example/"));
    site("http://a.example").page("/").page("/2");
    rehearsal.seed("http://www.a.example/");
    rehearsal.run();
    rehearsal.seed("http://www.a.example/2");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAsked())
        .containsExactly("http://www.a.example/", "http://a.example/", "http://a.example/2");
  }

  @Test
  void a_redirect_for_the_time_being_moves_nobody() {
    site("http://a.example")
        .answer("/", redirect(302, "https://a.example/"))
        .answer("/2", redirect(307, "https://a.example/2"));
    site("https://a.example").page("/").page("/2");
    rehearsal.seed("http://a.example/", "http://a.example/2");
    rehearsal.run();
    assertThat(pagesAsked()).contains("http://a.example/", "http://a.example/2");
  }

  @Test
  void a_site_that_sends_every_page_back_and_forth_ends_too() {
    for (int page = 0; page < 3; page++) {
      site("http://a.example").answer("/" + page, redirect(301, "http://www.a.example/" + page));
      site("http://www.a.example").answer("/" + page, redirect(301, "http://a.example/" + page));
    }
    rehearsal.seed("http://a.example/0", "http://a.example/1", "http://a.example/2");
    assertThat(rehearsal.run()).isEqualTo(new Crawl.End.Finished());
    assertThat(pagesAsked()).hasSizeLessThanOrEqualTo(6);
  }
}
