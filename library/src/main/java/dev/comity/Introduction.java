package dev.comity;

import dev.comity.core.url.Seed;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.address.SeedVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Makes the seeds known to the guard, and finds out before the first request what would stop it.
 */
public final class Introduction {
  /** How many names are looked up at once: a silent name server holds up none but its own. */
  private static final int AT_ONCE = 64;

  private Introduction() {}

  /** What the guard says to each of the seeds, in their order. */
  public static List<SeedVerdict> verdicts(List<Seed> seeds, AddressGuard guard)
      throws InterruptedException {
    List<Callable<SeedVerdict>> questions = new ArrayList<>();
    seeds.forEach(seed -> questions.add(() -> verdict(seed, guard)));
    try (ExecutorService many =
        Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      return many.invokeAll(questions).stream().map(Future::resultNow).toList();
    }
  }

  /** The port of a bare host may decide where it is, so what is asked instead has its own word. */
  private static SeedVerdict verdict(Seed seed, AddressGuard guard) {
    SeedVerdict first = guard.seed(seed.url().authority());
    Optional<SeedVerdict> second = seed.fallback().map(url -> guard.seed(url.authority()));
    return first instanceof SeedVerdict.Unresolved ? second.orElse(first) : first;
  }
}
