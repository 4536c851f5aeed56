package dev.comity.core.engine.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.engine.shared.RequestSlots.Pass;
import dev.comity.core.port.Signal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestSlotsTest {
  private static final String A = "192.0.2.1";
  private static final String B = "192.0.2.2";

  @Test
  void a_full_address_stands_aside_for_another() {
    RequestSlots slots = new RequestSlots(3, 1);
    assertThat(slots.take(pass(), A)).isTrue();
    Pass second = pass();
    assertThat(slots.take(second, A)).isFalse();
    assertThat(slots.take(pass(), B)).isTrue();
    slots.release(A);
    assertThat(slots.take(second, A)).isTrue();
  }

  @Test
  void a_place_that_comes_free_goes_past_those_whose_address_is_full() {
    RequestSlots slots = new RequestSlots(2, 1);
    slots.take(pass(), A);
    slots.take(pass(), B);
    Signal blocked = new Signal();
    Signal served = new Signal();
    slots.take(new Pass(blocked), A);
    Pass waiting = new Pass(served);
    slots.take(waiting, B);
    slots.release(B);
    assertThat(blocked.isRaised()).isFalse();
    assertThat(served.isRaised()).isTrue();
    assertThat(slots.free()).isZero();
    assertThat(slots.take(waiting, B)).isTrue();
  }

  @Test
  void places_go_to_those_who_asked_first() {
    RequestSlots slots = new RequestSlots(1, 1);
    slots.take(pass(), A);
    Pass first = pass();
    Pass second = pass();
    assertThat(slots.take(first, B)).isFalse();
    assertThat(slots.take(second, A)).isFalse();
    slots.release(A);
    assertThat(slots.take(second, A)).isFalse();
    assertThat(slots.take(first, B)).isTrue();
  }

  @Test
  void who_was_granted_a_place_and_wants_another_hands_it_on() {
    RequestSlots slots = new RequestSlots(1, 1);
    slots.take(pass(), A);
    Pass undecided = pass();
    Pass next = pass();
    slots.take(undecided, A);
    slots.take(next, A);
    slots.release(A);
    assertThat(slots.take(undecided, B)).isFalse();
    assertThat(slots.take(next, A)).isTrue();
    slots.withdraw(undecided);
    slots.release(A);
    assertThat(slots.free()).isEqualTo(1);
  }

  /** Whatever order things come in: neither limit is passed, no place is lost, nobody is stuck. */
  @Test
  void both_limits_hold_and_no_place_is_lost() {
    SplittableRandom random = new SplittableRandom(7);
    for (int history = 0; history < 300; history++) {
      int all = 1 + random.nextInt(6);
      int each = 1 + random.nextInt(3);
      RequestSlots slots = new RequestSlots(all, each);
      List<String> addresses = Stream.of("a", "b", "c").toList();
      Map<Pass, String> waiting = new LinkedHashMap<>();
      List<String> held = new ArrayList<>();
      for (int step = 0; step < 60; step++) {
        switch (random.nextInt(4)) {
          case 0 -> ask(slots, pass(), addresses.get(random.nextInt(3)), waiting, held);
          case 1 -> {
            if (!held.isEmpty()) {
              slots.release(held.remove(random.nextInt(held.size())));
            }
          }
          case 2 -> any(waiting, random).ifPresent(pass -> leave(slots, pass, waiting));
          default ->
              any(waiting, random)
                  .ifPresent(
                      pass -> ask(slots, pass, addresses.get(random.nextInt(3)), waiting, held));
        }
        assertThat(held).hasSizeLessThanOrEqualTo(all);
        for (String address : addresses) {
          assertThat(held.stream().filter(address::equals).count()).isLessThanOrEqualTo(each);
        }
      }
      // Everyone who waits is served once the others have left, in whatever order they look.
      while (!waiting.isEmpty()) {
        int before = waiting.size();
        Map.copyOf(waiting).forEach((pass, address) -> ask(slots, pass, address, waiting, held));
        boolean moved = waiting.size() < before || !held.isEmpty();
        held.forEach(slots::release);
        held.clear();
        assertThat(moved).isTrue();
      }
      held.forEach(slots::release);
      assertThat(slots.free()).isEqualTo(all);
      assertThat(slots.addresses()).isZero();
    }
  }

  private static void ask(
      RequestSlots slots, Pass pass, String address, Map<Pass, String> waiting, List<String> held) {
    waiting.remove(pass);
    if (slots.take(pass, address)) {
      held.add(address);
    } else {
      waiting.put(pass, address);
    }
  }

  private static void leave(RequestSlots slots, Pass pass, Map<Pass, String> waiting) {
    waiting.remove(pass);
    slots.withdraw(pass);
  }

  private static Optional<Pass> any(Map<Pass, String> waiting, SplittableRandom random) {
    return waiting.isEmpty()
        ? Optional.empty()
        : Optional.of(List.copyOf(waiting.keySet()).get(random.nextInt(waiting.size())));
  }

  private static Pass pass() {
    return new Pass(new Signal());
  }
}
