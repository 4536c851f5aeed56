package dev.comity.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.schedule.PagePrice.Demand;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PagePriceTest {

  @Test
  void pages_that_suffice_for_all_have_no_price() {
    List<Demand> demands = List.of(new Demand(2, 60), new Demand(0.1, 40));
    assertThat(PagePrice.of(demands, 100)).isZero();
    assertThat(PagePrice.of(List.of(), 1)).isZero();
  }

  @Test
  void the_price_is_the_yield_of_the_last_domain_served() {
    List<Demand> demands = List.of(new Demand(0.1, 500), new Demand(2, 60), new Demand(1, 60));
    assertThat(PagePrice.of(demands, 50)).isEqualTo(2);
    assertThat(PagePrice.of(demands, 100)).isEqualTo(1);
    assertThat(PagePrice.of(demands, 121)).isEqualTo(0.1);
  }

  @Test
  void domains_at_the_price_use_up_all_pages_and_those_above_it_do_not() {
    SplittableRandom random = new SplittableRandom(Long.getLong("comity.seed", 7));
    for (int round = 0; round < 10_000; round++) {
      List<Demand> demands =
          IntStream.range(0, 1 + random.nextInt(20))
              .mapToObj(_ -> new Demand(random.nextInt(5) / 2.0, random.nextInt(30)))
              .toList();
      long left = random.nextLong(1, 301);
      double price = PagePrice.of(demands, left);
      long all = demands.stream().mapToLong(Demand::pages).sum();
      long above = pages(demands.stream().filter(one -> one.yield() > price).toList());
      long served = pages(demands.stream().filter(one -> one.yield() >= price).toList());
      assertThat(served).as("%s for %d", demands, left).isGreaterThanOrEqualTo(Math.min(all, left));
      assertThat(above).as("%s for %d", demands, left).isLessThanOrEqualTo(left);
    }
  }

  private static long pages(List<Demand> demands) {
    return demands.stream().mapToLong(Demand::pages).sum();
  }

  @Test
  void images_without_an_answer_count_at_the_rate_of_the_others() {
    assertThat(new ImageYield(4, 8, 0, 0).images()).isEqualTo(8);
    assertThat(new ImageYield(4, 8, 7, 7).images()).isEqualTo(8);
    // Seven icons that were refused: the eighth is hardly expected.
    assertThat(new ImageYield(4, 8, 7, 0).images()).isEqualTo(0.125);
  }

  @Test
  void a_few_pages_alone_decide_little() {
    assertThat(ImageYield.NONE.perPage(0.5)).isEqualTo(0.5);
    assertThat(new ImageYield(4, 0, 0, 0).perPage(0.5)).isEqualTo(0.1);
    assertThat(new ImageYield(4, 8, 8, 8).perPage(0.5)).isEqualTo(1.7);
  }
}
