package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.PaymentRequired;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.testkit.engine.support.Rehearsal;
import dev.comity.testkit.site.PretendWeb.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What sites wish, as a whole crawl obeys it. */
class WishesTest {
  private final Rehearsal rehearsal = new Rehearsal();
  private final Site site = rehearsal.web.site("http://site.test");

  @BeforeEach
  void oneSite() {
    rehearsal.seed("http://site.test/");
    rehearsal.purposes = Set.of(Purpose.TRAIN_AI);
  }

  @Test
  void what_robots_txt_refuses_is_not_asked_and_the_wish_is_the_reason() {
    site.answer("/robots.txt", page("signal search=yes, ai-train=no"));
    site.page("/", "/a");
    rehearsal.run();
    assertThat(rehearsal.web.asked()).containsExactly("http://site.test/robots.txt");
    Settlement only = settled("/");
    assertThat(only.attempt()).isEmpty();
    assertThat(only.refusal())
        .map(UsageRefusal::toString)
        .contains("refused for train-ai: robots.txt says \"Content-Signal: ai-train=no\"");
  }

  @Test
  void the_same_robots_txt_refuses_no_other_purpose() {
    rehearsal.purposes = Set.of(Purpose.SEARCH);
    site.answer("/robots.txt", page("signal search=yes, ai-train=no"));
    site.page("/", "/a").page("/a");
    rehearsal.run();
    assertThat(rehearsal.web.asked()).hasSize(3);
    assertThat(settled("/a").page().orElseThrow().reading().wishes().json())
        .contains(
            "[\"robots.txt: Content-Signal: search=yes\",\"robots.txt: Content-Signal:"
                + " ai-train=no\"]");
  }

  @Test
  void what_the_header_refuses_has_no_body_no_page_and_no_budget() {
    rehearsal.maxPages = 3;
    site.page("/", "/refused", "/a", "/b");
    site.answer("/refused", page("/never", "X-Robots-Tag", "noai"));
    site.page("/a").page("/b").page("/never");
    rehearsal.run();
    Settlement refused = settled("/refused");
    assertThat(refused.fate()).isInstanceOf(Fate.Denied.class);
    assertThat(refused.isPage()).isFalse();
    assertThat(refused.isUnkept()).isTrue();
    assertThat(refused.fetched().map(Fetched::bytes)).contains(0L);
    assertThat(refused.fetched().map(Fetched::outcome).orElseThrow())
        .isInstanceOf(UsageRefused.class);
    assertThat(rehearsal.web.asked()).doesNotContain("http://site.test/never");
    assertThat(rehearsal.settled).filteredOn(Settlement::isPage).hasSize(3);
  }

  @Test
  void what_the_page_refuses_is_a_page_without_content_and_its_links_are_followed() {
    site.answer("/", page("robots noai\n/a"));
    site.page("/a");
    rehearsal.run();
    Settlement page = settled("/");
    assertThat(page.isPage()).isTrue();
    assertThat(page.page().orElseThrow().mayKeep()).isFalse();
    assertThat(page.refusal())
        .map(UsageRefusal::toString)
        .contains("refused for train-ai: the page says \"robots: noai\"");
    assertThat(rehearsal.web.asked()).contains("http://site.test/a");
    assertThat(settled("/a").page().orElseThrow().mayKeep()).isTrue();
  }

  @Test
  void noindex_drops_the_content_for_search_alone() {
    site.answer("/", page("robots noindex"));
    rehearsal.purposes = Purpose.USUAL;
    rehearsal.run();
    assertThat(settled("/").page().orElseThrow().mayKeep()).isTrue();
    Rehearsal search = new Rehearsal().seed("http://site.test/");
    search.purposes = Set.of(Purpose.SEARCH, Purpose.RESEARCH);
    search.web.site("http://site.test").answer("/", page("robots noindex"));
    search.run();
    assertThat(search.settled.getLast().page().orElseThrow().mayKeep()).isFalse();
  }

  @Test
  void a_site_that_wants_to_be_paid_is_left_after_five_pages() {
    site.page("/", "/1", "/2", "/3", "/4", "/5", "/6", "/7");
    site.otherwise(_ -> new PaymentRequired(402, Optional.of("USD 0.01")));
    site.answer("/robots.txt", page(""));
    rehearsal.run();
    assertThat(rehearsal.endings)
        .singleElement()
        .isInstanceOfSatisfying(
            Ending.Closed.class,
            closed -> {
              assertThat(closed.standing().reason()).contains(CloseReason.PAYMENT_REQUIRED);
              assertThat(closed.standing().detail()).contains("USD 0.01");
            });
    assertThat(rehearsal.web.asked().size()).isBetween(7, 9);
  }

  private Settlement settled(String target) {
    return rehearsal.settled.stream()
        .filter(one -> one.entry().url().target().equals(target))
        .findFirst()
        .orElseThrow();
  }

  private static FetchOutcome page(String body, String... header) {
    Headers headers =
        header.length == 0 ? Headers.NONE : Headers.of(Map.of(header[0], List.of(header[1])));
    return new Success(200, headers, Body.of(body));
  }
}
