package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.shared.ByteBudget.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteBudgetTest {
  private static final long MIB = 1 << 20;

  /** Three quarters of this are for large bodies: three of ten MiB at a time. */
  private static final long HEAP = 4 * 10 * MIB * ByteBudget.COST;

  private final ByteBudget budget = new ByteBudget(HEAP);

  @Test
  void a_large_body_waits_until_its_bytes_fit() {
    Share first = taken(10 * MIB);
    taken(20 * MIB);
    Share third = new Share();
    assertThat(budget.take(third, 10 * MIB)).isFalse();
    budget.release(first);
    assertThat(budget.take(third, 10 * MIB)).isTrue();
  }

  @Test
  void a_body_larger_than_all_memory_is_read_alone() {
    Share other = taken(MIB);
    Share huge = new Share();
    assertThat(budget.take(huge, 1_000 * MIB)).isFalse();
    budget.release(other);
    assertThat(budget.take(huge, 1_000 * MIB)).isTrue();
    assertThat(budget.take(new Share(), MIB)).isFalse();
  }

  @Test
  void small_bodies_do_not_wait_for_large_ones() {
    taken(1_000 * MIB);
    assertThat(budget.take(new Share(), 1_000 * MIB)).isFalse();
    for (int page = 0; page < 80; page++) {
      taken(ByteBudget.SMALL);
    }
    assertThat(budget.take(new Share(), 1)).isFalse();
  }

  @Test
  void two_hundred_and_fifty_six_pages_of_unknown_length_are_read_at_once_with_a_heap_of_1_gb() {
    ByteBudget half = new ByteBudget(512 * MIB);
    for (int page = 0; page < 256; page++) {
      assertThat(half.take(new Share(), ByteBudget.SMALL)).isTrue();
    }
  }

  @Test
  void the_first_that_waits_is_served_first_however_large() {
    Share before = taken(25 * MIB);
    Share large = new Share();
    Share smaller = new Share();
    assertThat(budget.take(large, 10 * MIB)).isFalse();
    assertThat(budget.take(smaller, MIB)).isFalse();
    budget.release(before);
    assertThat(budget.take(large, 10 * MIB)).isTrue();
    assertThat(budget.take(smaller, MIB)).isTrue();
  }

  @Test
  void bodies_that_all_wait_for_more_are_finished_one_after_the_other() {
    Share first = taken(15 * MIB);
    Share second = taken(15 * MIB);
    assertThat(budget.take(second, 20 * MIB)).isFalse();
    // Now none of them could go on: the older one goes beyond the budget.
    assertThat(budget.take(first, 20 * MIB)).isTrue();
    assertThat(budget.take(second, 20 * MIB)).isFalse();
    assertThat(budget.take(first, 40 * MIB)).isTrue();
    budget.release(first);
    assertThat(budget.take(second, 20 * MIB)).isTrue();
  }

  @Test
  void a_body_that_grows_out_of_the_small_pool_leaves_its_room_there() {
    List<Share> small = new ArrayList<>();
    for (int page = 0; page < 80; page++) {
      small.add(taken(ByteBudget.SMALL));
    }
    Share next = new Share();
    assertThat(budget.take(next, ByteBudget.SMALL)).isFalse();
    assertThat(budget.take(small.getFirst(), 10 * MIB)).isTrue();
    assertThat(budget.take(next, ByteBudget.SMALL)).isTrue();
  }

  @Test
  void what_is_given_back_twice_counts_once() {
    Share share = taken(10 * MIB);
    taken(MIB);
    budget.release(share);
    budget.release(share);
    assertThat(budget.used()).isEqualTo(MIB * ByteBudget.COST);
  }

  @Test
  void a_body_that_is_stopped_while_it_waits_leaves_the_queue() {
    Share first = taken(30 * MIB);
    Share stopped = new Share();
    assertThat(budget.take(stopped, 10 * MIB)).isFalse();
    budget.release(stopped);
    assertThat(budget.waiting()).isZero();
    budget.release(first);
    assertThat(budget.used()).isZero();
  }

  /** One body of a random history: it grows in steps and is then given back. */
  private static final class Body {
    private final Share share = new Share();
    private final long end;
    private long length;

    Body(long start, long end) {
      this.length = start;
      this.end = end;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatever_bodies_come_all_are_read_and_one_at_most_goes_beyond_the_budget(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Body> underWay = new ArrayList<>();
    int coming = 2_000;
    while (coming > 0 || !underWay.isEmpty()) {
      if (coming > 0 && (underWay.isEmpty() || random.nextInt(3) == 0)) {
        coming--;
        long end = 1L << random.nextInt(10, 26);
        underWay.add(new Body(random.nextBoolean() ? end : Math.min(end, 32 << 10), end));
      }
      List<Body> free =
          underWay.stream().filter(body -> budget.take(body.share, body.length)).toList();
      assertThat(free.isEmpty() && !underWay.isEmpty()).as("all wait for each other").isFalse();
      if (!free.isEmpty()) {
        Body next = free.get(random.nextInt(free.size()));
        if (next.length < next.end) {
          next.length = Math.min(2 * next.length, next.end);
          boolean _ = budget.take(next.share, next.length);
        } else {
          budget.release(next.share);
          underWay.remove(next);
        }
      }
      assertThat(budget.used()).isLessThanOrEqualTo(HEAP + (32L << 20) * ByteBudget.COST);
    }
    assertThat(budget.used()).isZero();
  }

  private Share taken(long length) {
    Share share = new Share();
    assertThat(budget.take(share, length)).isTrue();
    return share;
  }
}
