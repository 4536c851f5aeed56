package dev.comity.core.util;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A memory with an end: what was not used for longest is forgotten when there is too much. */
public final class Recent<K, V> {
  private final Map<K, V> entries;

  public Recent(int most) {
    entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  public synchronized Optional<V> find(K key) {
    return Optional.ofNullable(entries.get(key));
  }

  public synchronized void keep(K key, V value) {
    entries.put(key, value);
  }
}
