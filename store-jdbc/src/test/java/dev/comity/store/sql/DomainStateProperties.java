package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.store.support.Life;
import dev.comity.store.support.Records;
import dev.comity.store.support.States;
import dev.comity.store.support.Variations;
import dev.comity.testkit.gen.Property;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DomainStateProperties {
  private static final int LIVES = 4_000;

  /** What the lives came to, for the tests that look at all of them together. */
  private static List<DomainState> states = List.of();

  @BeforeAll
  static void live() {
    List<DomainState> drawn = new ArrayList<>(LIVES);
    Property.holds(LIVES, Life::drawn, drawn::add);
    states = drawn;
  }

  @Test
  void every_state_a_domain_can_be_driven_to_reads_back_as_it_was() {
    Property.holds(LIVES, Life::drawn, DomainStateProperties::assertReadsBack);
  }

  @Test
  void the_lives_are_wild_enough_to_fill_every_component() {
    Set<Object> missing = new HashSet<>();
    Records.leaves("", States.full(), (path, _) -> missing.add(path));
    missing.addAll(List.of(DomainStatus.values()));
    missing.addAll(List.of(CloseReason.values()));
    Set<Object> said = new HashSet<>();
    Records.leaves("", DomainState.FRESH, (path, value) -> said.add(path + "=" + value));
    for (DomainState state : states) {
      Records.leaves(
          "",
          state,
          (path, value) -> {
            missing.remove(value);
            if (!said.contains(path + "=" + value)) {
              missing.remove(path);
            }
          });
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void most_states_are_short() {
    List<Integer> lengths =
        states.stream().map(state -> DomainStateJson.encode(state).length()).sorted().toList();
    assertThat(lengths).hasSize(LIVES);
    assertThat(lengths.get(LIVES / 2)).isLessThan(450);
    assertThat(lengths.getLast()).isLessThan(4_000);
  }

  @Test
  void a_state_that_differs_anywhere_is_another_text_and_reads_back() {
    for (DomainState state : List.of(DomainState.FRESH, States.full())) {
      List<DomainState> variations = Variations.of(state);
      Set<String> texts = new HashSet<>();
      texts.add(DomainStateJson.encode(state));
      for (DomainState other : variations) {
        texts.add(DomainStateJson.encode(other));
        assertReadsBack(other);
      }
      assertThat(texts).hasSize(1 + new HashSet<>(variations).size());
      assertThat(variations).doesNotContain(state).hasSizeGreaterThan(40);
    }
  }

  private static void assertReadsBack(DomainState state) {
    assertThat(DomainStateJson.decode(DomainStateJson.encode(state))).isEqualTo(state);
  }
}
