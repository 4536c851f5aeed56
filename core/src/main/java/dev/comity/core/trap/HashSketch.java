package dev.comity.core.trap;

import java.util.Arrays;

/**
 * A set that never forgets and never grows: each hash is one bit of a fixed number. What it says is
 * new surely is; what it says is known may be new after all, the likelier the fuller it is.
 */
public final class HashSketch {
  private final long[] bits;

  /** How many bits are set. */
  private final int ones;

  private HashSketch(long[] bits) {
    this.bits = bits;
    ones = ones(bits);
  }

  /** An empty one; the number of bits is a power of two from 64 on. */
  static HashSketch of(int size) {
    return new HashSketch(new long[size / Long.SIZE]);
  }

  /** Whether none of these hashes is surely new. */
  boolean knows(long... hashes) {
    for (long hash : hashes) {
      int bit = bit(hash);
      if ((bits[bit / Long.SIZE] & 1L << bit) == 0) {
        return false;
      }
    }
    return true;
  }

  private int bit(long hash) {
    return (int) (hash >>> 32) & (bits.length * Long.SIZE - 1);
  }

  /** How many of these hashes are surely new. */
  int unknown(long... hashes) {
    return with(hashes).ones - ones;
  }

  /** This set with these hashes; the one it was made from stays as it is. */
  HashSketch with(long... hashes) {
    if (knows(hashes)) {
      return this;
    }
    long[] more = bits.clone();
    for (long hash : hashes) {
      int bit = bit(hash);
      more[bit / Long.SIZE] |= 1L << bit;
    }
    return new HashSketch(more);
  }

  /** So full that it would call much known that is new. */
  boolean isFull() {
    return ones >= bits.length * Long.SIZE * 3 / 4;
  }

  /** About how many different hashes are in it. */
  double count() {
    double size = bits.length * (double) Long.SIZE;
    return size * Math.log(size / Math.max(1, size - ones));
  }

  private static int ones(long[] bits) {
    int ones = 0;
    for (long word : bits) {
      ones += Long.bitCount(word);
    }
    return ones;
  }

  int words() {
    return bits.length;
  }

  void writeTo(long[] target, int at) {
    System.arraycopy(bits, 0, target, at, bits.length);
  }

  static HashSketch from(long[] source, int at, int size) {
    return new HashSketch(Arrays.copyOfRange(source, at, at + size / Long.SIZE));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashSketch that && Arrays.equals(bits, that.bits);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bits);
  }
}
