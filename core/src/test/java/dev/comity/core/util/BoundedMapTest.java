package dev.comity.core.util;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedMapTest {
  @Test
  void one_entry_more_removes_the_entry_used_longest_ago() {
    BoundedMap<String, Integer> map = BoundedMap.byUse(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.put("c", 3);
    assertThat(map.keySet()).containsExactly("a", "c");
  }

  @Test
  void by_put_a_read_changes_nothing_and_a_new_put_does() {
    BoundedMap<String, Integer> map = BoundedMap.byPut(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);
    map.putLast("a", 3);
    map.putLast("c", 4);
    assertThat(map.keySet()).containsExactly("a", "c");
    map.putFirst("d", 5);
    assertThat(map.keySet()).as("a full map keeps no entry put first").containsExactly("a", "c");
  }
}
