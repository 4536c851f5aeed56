package dev.comity.app;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hears that the process is to end. The first time it ends in order: the JVM runs its shutdown
 * hooks, and one of them stops the crawl. Whoever says it again does not want to wait for that, and
 * the JVM by itself would not listen any more.
 *
 * <p>The class that hears signals is no part of the Java platform proper. Where it is missing, or
 * may not be used, only the first time counts.
 */
final class EndSignals {
  private static final Map<String, Integer> SIGNALS = Map.of("INT", 2, "TERM", 15);

  /** What the process says when it ends by the signal that came first; 0 while none has. */
  private static final AtomicInteger HEARD = new AtomicInteger();

  private EndSignals() {}

  static void listen() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      for (var entry : SIGNALS.entrySet()) {
        int code = 128 + entry.getValue();
        Object hearing =
            Proxy.newProxyInstance(
                EndSignals.class.getClassLoader(),
                new Class<?>[] {handler},
                (_, method, arguments) -> {
                  if (!method.getName().equals("handle")) {
                    return method.invoke(HEARD, arguments);
                  }
                  heard(code);
                  return null;
                });
        Object named = signal.getConstructor(String.class).newInstance(entry.getKey());
        signal.getMethod("handle", signal, handler).invoke(null, named, hearing);
      }
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | IllegalAccessException
        | InstantiationException
        | InvocationTargetException _) {
      // The JVM's own way stays: it runs the hooks.
    }
  }

  /** Every signal is heard in a thread of its own, so one that waits keeps no other from coming. */
  private static void heard(int code) {
    if (HEARD.compareAndSet(0, code)) {
      System.exit(code);
    } else {
      Runtime.getRuntime().halt(HEARD.get());
    }
  }

  /** How a process ends that was told to and did not manage to in time. */
  static int code() {
    int heard = HEARD.get();
    return heard == 0 ? Exit.FAILED : heard;
  }
}
