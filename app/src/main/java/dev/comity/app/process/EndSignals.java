package dev.comity.app.process;

import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Handles SIGINT and SIGTERM. The first signal ends the process in order: the JVM runs its shutdown
 * hooks, and one of them stops the crawl. A second signal ends it at once; the JVM by itself would
 * ignore that one.
 */
public final class EndSignals {
  private static final Map<String, Integer> SIGNALS = Map.of("INT", 2, "TERM", 15);

  /** What the process says when it ends by the signal that came first; 0 while none has. */
  private static final AtomicInteger HEARD = new AtomicInteger();

  private EndSignals() {}

  public static void listen() {
    SIGNALS.forEach((name, number) -> Signals.on(name, () -> heard(128 + number)));
  }

  private static void heard(int code) {
    if (HEARD.compareAndSet(0, code)) {
      System.exit(code);
    } else {
      Runtime.getRuntime().halt(HEARD.get());
    }
  }

  /** The exit code of a process that was told to end by a signal. */
  public static OptionalInt heard() {
    int code = HEARD.get();
    return code == 0 ? OptionalInt.empty() : OptionalInt.of(code);
  }

  /** How a process ends that was told to and did not manage to in time. */
  public static int code() {
    return heard().orElse(Exit.FAILED);
  }
}
