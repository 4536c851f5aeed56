package dev.comity.core.trap;

/** Different numbers, unboxed: the words of every page go through one. */
final class LongSet {
  private static final int LEAST = 16;

  /** A power of two places, at most half of them taken; 0 is free, and the number 0 is apart. */
  private long[] places;

  private boolean hasZero;
  private int taken;
  private long sum;

  LongSet() {
    this(LEAST);
  }

  /**
   * @param room places to begin with, a power of two
   */
  LongSet(int room) {
    places = new long[room];
  }

  void add(long number) {
    if (number == 0) {
      hasZero = true;
      return;
    }
    int place = place(number);
    if (places[place] == 0) {
      places[place] = number;
      sum += number;
      taken++;
      if (taken * 2 > places.length) {
        grow();
      }
    }
  }

  /** Where it is, or would be. */
  private int place(long number) {
    int mask = places.length - 1;
    int place = (int) number & mask;
    while (places[place] != 0 && places[place] != number) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private void grow() {
    long[] old = places;
    places = new long[old.length * 2];
    for (long number : old) {
      if (number != 0) {
        places[place(number)] = number;
      }
    }
  }

  int size() {
    return taken + (hasZero ? 1 : 0);
  }

  /** All of them added up, which knows no order. */
  long sum() {
    return sum;
  }

  /** All of them, in no order. */
  long[] toArray() {
    long[] all = new long[size()];
    int at = 0;
    for (long number : places) {
      if (number != 0) {
        all[at++] = number;
      }
    }
    return all;
  }
}
