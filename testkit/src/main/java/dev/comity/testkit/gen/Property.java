package dev.comity.testkit.gen;

import java.util.function.Consumer;

/**
 * Something that holds for every value a generator can draw. The values are the same in every run,
 * so that a build fails for a change of the code and for nothing else; {@code -Dcomity.seed=N}
 * draws others, and starts with the very value a failure named.
 */
public final class Property {
  private static final long SEED = Long.getLong("comity.seed", 20_261_115);

  private Property() {}

  /** Checks so many values. */
  public static <T> void holds(int values, Generator<T> generator, Consumer<? super T> check) {
    for (int value = 0; value < values; value++) {
      // Seeds in a row are fine: the generator behind a Draw mixes them well.
      check(SEED + value, generator, check);
    }
  }

  private static <T> void check(long seed, Generator<T> generator, Consumer<? super T> check) {
    T value = generator.draw(Draw.of(seed));
    try {
      check.accept(value);
    } catch (Exception | Error broken) {
      throw new AssertionError(
          "does not hold for " + shown(value) + ", drawn again by -Dcomity.seed=" + seed, broken);
    }
  }

  private static String shown(Object value) {
    StringBuilder shown = new StringBuilder("\"");
    value
        .toString()
        .chars()
        .limit(500)
        .forEach(
            character -> {
              if (character >= ' ' && character < 0x7f && character != '"' && character != '\\') {
                shown.append((char) character);
              } else {
                shown.append("\\u%04x".formatted(character));
              }
            });
    return shown.append('"').toString();
  }
}
