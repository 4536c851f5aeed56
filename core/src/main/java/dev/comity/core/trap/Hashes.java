package dev.comity.core.trap;

import java.util.HashSet;
import java.util.Set;

/** Hashes of short texts whose every bit is worth the same. They are kept, so they never change. */
final class Hashes {
  private static final long FNV = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Hashes() {}

  static long of(CharSequence text, int from, int to) {
    long hash = FNV;
    for (int i = from; i < to; i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    return mixed(hash);
  }

  static long of(CharSequence text) {
    return of(text, 0, text.length());
  }

  /** Four hashes of one, for sets in which a mistake costs more. */
  static Set<Long> four(long hash) {
    Set<Long> four = new HashSet<>();
    for (long factor = 1; factor <= 4; factor++) {
      four.add(mixed(hash + factor * PRIME));
    }
    return four;
  }

  /** Spreads what differs in one bit over all of them. */
  private static long mixed(long hash) {
    long once = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    long twice = (once ^ (once >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return twice ^ (twice >>> 33);
  }
}
