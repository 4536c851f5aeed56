package dev.comity.core.util;

import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A map of at most so many entries: one entry more removes the eldest. The eldest is the entry used
 * longest ago, or the entry put longest ago. Not thread-safe.
 */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  @Serial private static final long serialVersionUID = 1;

  private final int most;

  private BoundedMap(int most, boolean byUse) {
    super(16, 0.75f, byUse);
    this.most = most;
  }

  /** A map that removes the entry read or put longest ago. */
  public static <K, V> BoundedMap<K, V> byUse(int most) {
    return new BoundedMap<>(most, true);
  }

  /** A map that removes its first entry: {@link #putLast} makes an entry the newest. */
  public static <K, V> BoundedMap<K, V> byPut(int most) {
    return new BoundedMap<>(most, false);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
