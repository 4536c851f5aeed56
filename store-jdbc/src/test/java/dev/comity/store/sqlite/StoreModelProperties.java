package dev.comity.store.sqlite;

import dev.comity.store.support.SideBySide;
import dev.comity.store.support.StoreHistory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is done to the store on disk, it answers as the one in memory does. The histories are
 * the same in every run; {@code -Dcomity.histories=N} tries more, and {@code -Dcomity.seed=N} only
 * the one a failure named.
 */
class StoreModelProperties {
  private static final int HISTORIES = Integer.getInteger("comity.histories", 60);
  private static final int CALLS = 200;
  private static final long SEED = 20_261_116;

  /** Histories tried to find a shorter one that fails as well. */
  private static final int CUTS = 25;

  private record Failure(List<Integer> steps, List<String> lines, Throwable why) {}

  private record Failing(long seed, Failure whole) {}

  @TempDir private Path home;
  private final AtomicInteger tried = new AtomicInteger();

  @Test
  void the_store_on_disk_answers_as_the_one_in_memory() {
    Optional<Long> one = Optional.ofNullable(Long.getLong("comity.seed"));
    long first = one.orElse(SEED);
    int histories = one.isPresent() ? 1 : HISTORIES;
    // Beside each other: a store mostly waits for the disk. The first in order is reported.
    LongStream.range(first, first + histories)
        .parallel()
        .mapToObj(this::failing)
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(failing -> report(failing.seed(), shortened(failing.seed(), failing.whole())));
  }

  private Optional<Failing> failing(long seed) {
    return attempt(seed, IntStream.range(0, CALLS).boxed().toList())
        .map(failure -> new Failing(seed, failure));
  }

  private Optional<Failure> attempt(long seed, List<Integer> steps) {
    try (SideBySide stores =
        new SideBySide(home.resolve("history" + tried.getAndIncrement()), StoreHistory.DOORS)) {
      try {
        StoreHistory history = new StoreHistory(stores);
        steps.forEach(step -> history.step(seed, step));
        history.end();
        return Optional.empty();
      } catch (RuntimeException | AssertionError why) {
        return Optional.of(new Failure(steps, stores.lines(), why));
      }
    }
  }

  /** Leaves out what it fails without, in ever smaller pieces. */
  private Failure shortened(long seed, Failure whole) {
    Failure shortest = whole;
    int cuts = 0;
    for (int piece = CALLS / 2; piece > 0 && cuts < CUTS; piece /= 2) {
      for (int from = 0; from < shortest.steps().size() && cuts < CUTS; cuts++) {
        List<Integer> rest = new ArrayList<>(shortest.steps());
        rest.subList(from, Math.min(rest.size(), from + piece)).clear();
        Optional<Failure> shorter = attempt(seed, rest);
        shortest = shorter.orElse(shortest);
        from += shorter.isPresent() ? 0 : piece;
      }
    }
    return shortest;
  }

  private static void report(long seed, Failure failure) {
    throw new AssertionError(
        "the stores part, again with -Dcomity.seed=%d, after:%n%s"
            .formatted(seed, String.join(System.lineSeparator(), failure.lines())),
        failure.why());
  }
}
