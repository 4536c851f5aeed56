package dev.comity.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.engine.support.YieldMix;
import dev.comity.testkit.engine.support.YieldMix.Harvested;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A run over mixed domains, half of them without images, with pages for a quarter of what there is.
 * It is compared with ten crawls that take the same domains in shuffled orders. A failure prints
 * the figures, and {@code -Dcomity.seed=N} tries another mix.
 */
class ImageYieldSimulation {
  private static final long SEED = Long.getLong("comity.seed", 1);
  private static final int ORDERS = 10;
  private static final int QUARTER = 4;

  /** So few domains at once that the order decides which of them are crawled. */
  private static final int FEW_CLAIMS = 8;

  private static final int SOME_CLAIMS = 16;

  private static final int MANY_CLAIMS = 1000;

  private record Compared(YieldMix mix, Harvested ours, List<Harvested> orders) {
    static Compared with(YieldMix mix, int claims) {
      return new Compared(
          mix,
          mix.crawl(0, MANY_CLAIMS, true, QUARTER),
          LongStream.rangeClosed(1, ORDERS)
              .mapToObj(order -> mix.crawl(order, claims, false, QUARTER))
              .toList());
    }

    double times(ToDoubleFunction<Harvested> figure) {
      double[] others = orders.stream().mapToDouble(figure).sorted().toArray();
      double median = (others[ORDERS / 2 - 1] + others[ORDERS / 2]) / 2;
      return figure.applyAsDouble(ours) / median;
    }

    @Override
    public String toString() {
      return "%s: %s; %.2f times the images of a request, %.2f of a page; orders: %s"
          .formatted(
              mix,
              ours,
              times(Harvested::ofRequests),
              times(Harvested::ofPages),
              orders.stream().map(one -> "%.0f".formatted(one.ofRequests())).toList());
    }
  }

  @Test
  void a_scarce_budget_brings_twice_the_images_of_a_shuffled_order() {
    for (long seed = SEED; seed < SEED + 3; seed++) {
      for (int claims : new int[] {FEW_CLAIMS, MANY_CLAIMS}) {
        Compared compared = Compared.with(YieldMix.uneven(seed), claims);
        assertThat(compared.times(Harvested::ofRequests))
            .as(compared.toString())
            .isGreaterThanOrEqualTo(2);
        assertThat(compared.orders())
            .allSatisfy(one -> assertThat(one.pages()).isEqualTo(compared.ours().pages()));
      }
    }
  }

  /** With equal yields twice is the most that is possible, for a page and without any trial. */
  @Test
  void among_domains_of_equal_yield_it_avoids_those_without_images() {
    for (int claims : new int[] {FEW_CLAIMS, MANY_CLAIMS}) {
      Compared compared = Compared.with(YieldMix.equal(SEED), claims);
      assertThat(compared.times(Harvested::ofPages))
          .as(compared.toString())
          .isGreaterThanOrEqualTo(1.4);
    }
  }

  @Test
  void with_few_claims_the_domains_without_images_leave_theirs_to_others() {
    YieldMix mix = YieldMix.uneven(SEED);
    Harvested ours = mix.crawl(0, SOME_CLAIMS, true, QUARTER);
    Harvested inOrder = mix.crawl(0, SOME_CLAIMS, false, QUARTER);
    assertThat(ours.pages()).isEqualTo(inOrder.pages());
    assertThat(ours.hosts()).isGreaterThan(inOrder.hosts());
    assertThat(ours.ofRequests()).isGreaterThan(inOrder.ofRequests() * 2);
  }

  @Test
  void a_crawl_with_pages_for_all_domains_is_the_same_to_the_millisecond() {
    YieldMix mix = YieldMix.uneven(SEED);
    Harvested ours = mix.crawl(0, MANY_CLAIMS, true, 1);
    assertThat(ours).isEqualTo(mix.crawl(0, MANY_CLAIMS, false, 1));
    assertThat(ours.pages()).isEqualTo(mix.pages());
  }
}
