package dev.comity.testkit.gen;

/** Makes values out of arbitrary choices. */
@FunctionalInterface
public interface Generator<T> {
  T draw(Draw draw);
}
