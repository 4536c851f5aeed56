package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.PagePrice;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class YieldOrderTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final DomainName RICH = new DomainName("rich.example");
  private static final DomainName POOR = new DomainName("poor.example");

  private final Signal wake = new Signal();

  private static YieldOrder order(long pages, boolean applies) {
    CrawlPlan plan =
        CrawlPlan.of(
            new DomainPolicy(PolicySettings.DEFAULTS),
            Scope.ofSeeds(List.of(), Grouping.BY_HOST),
            CrawlLimits.DEFAULTS);
    MemoryStore store = new MemoryStore(CrawlUrl::domain, () -> NOON);
    return new YieldOrder(plan, new RunBudget(store, pages, 0, 0), applies);
  }

  /** Asks for so many pages, each with ten links and so many images of its own. */
  private static void ask(YieldOrder order, DomainName domain, int pages, int images) {
    order.begun(domain, NOON);
    for (int page = 0; page < pages; page++) {
      QueuedUrl entry = QueuedUrl.seed(url(domain, "/" + page), Optional.empty());
      List<QueuedUrl> found = new ArrayList<>();
      for (int link = 0; link < 10; link++) {
        found.add(entry.link(url(domain, "/" + page + "/" + link)));
      }
      for (int image = 0; image < images; image++) {
        found.add(entry.image(url(domain, "/" + page + "/" + image + ".png")));
      }
      order.asked(domain, NOON);
      order.read(domain, found);
    }
  }

  private static CrawlUrl url(DomainName domain, String path) {
    return CrawlUrl.of("http://" + domain.name() + path);
  }

  private static YieldOrder richAndPoor(long pages) {
    YieldOrder order = order(pages, true);
    ask(order, RICH, PagePrice.TRIAL, 2);
    ask(order, POOR, PagePrice.TRIAL, 0);
    return order;
  }

  @Test
  void a_domain_on_trial_may_ask_whatever_the_others_bring() {
    YieldOrder order = order(10, true);
    ask(order, RICH, PagePrice.TRIAL, 2);
    ask(order, POOR, PagePrice.TRIAL - 1, 0);
    assertThat(order.mayAsk(POOR, wake, NOON)).isTrue();
  }

  @Test
  void scarce_pages_are_left_to_the_domain_with_more_images() {
    YieldOrder order = richAndPoor(30);
    assertThat(order.mayAsk(RICH, wake, NOON)).isTrue();
    assertThat(order.mayAsk(POOR, wake, NOON)).isFalse();
  }

  @Test
  void pages_that_suffice_for_all_are_left_to_all() {
    YieldOrder order = richAndPoor(1000);
    assertThat(order.mayAsk(RICH, wake, NOON)).isTrue();
    assertThat(order.mayAsk(POOR, wake, NOON)).isTrue();
  }

  @Test
  void without_images_to_collect_every_domain_may_ask() {
    YieldOrder order = order(10, false);
    ask(order, RICH, PagePrice.TRIAL, 2);
    ask(order, POOR, PagePrice.TRIAL, 0);
    assertThat(order.mayAsk(POOR, wake, NOON)).isTrue();
  }

  @Test
  void once_the_better_domain_has_ended_the_others_are_woken_and_may_ask() {
    YieldOrder order = richAndPoor(30);
    assertThat(order.mayAsk(POOR, wake, NOON)).isFalse();
    assertThat(wake.isRaised()).isFalse();
    order.ended(RICH);
    assertThat(wake.isRaised()).isTrue();
    assertThat(order.mayAsk(POOR, wake, NOON)).isTrue();
  }

  @Test
  void a_better_domain_that_rests_holds_up_no_other_for_longer_than_a_minute() {
    YieldOrder order = richAndPoor(30);
    assertThat(order.mayAsk(POOR, wake, NOON.plusSeconds(60))).isFalse();
    assertThat(order.mayAsk(POOR, wake, NOON.plusSeconds(62))).isTrue();
  }

  @Test
  void images_that_are_refused_make_a_domain_poor() {
    YieldOrder order = order(30, true);
    ask(order, RICH, PagePrice.TRIAL, 8);
    ask(order, POOR, PagePrice.TRIAL, 1);
    for (int image = 0; image < 30; image++) {
      order.imageSettled(RICH, false);
    }
    for (int image = 0; image < 4; image++) {
      order.imageSettled(POOR, true);
    }
    assertThat(order.mayAsk(RICH, wake, NOON)).isFalse();
    assertThat(order.mayAsk(POOR, wake, NOON)).isTrue();
  }

  @Test
  void the_same_image_on_every_page_counts_once() {
    YieldOrder order = order(30, true);
    ask(order, RICH, PagePrice.TRIAL, 1);
    ask(order, POOR, PagePrice.TRIAL, 0);
    QueuedUrl page = QueuedUrl.seed(url(POOR, "/"), Optional.empty());
    for (int again = 0; again < 50; again++) {
      order.read(POOR, List.of(page.image(url(POOR, "/logo.png"))));
    }
    assertThat(order.mayAsk(POOR, wake, NOON)).isFalse();
  }
}
