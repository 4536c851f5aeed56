package dev.comity.app.process;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Hears what the system tells the process. The class that does is no part of the Java platform
 * proper: where it is missing or may not be used, what the JVM does by itself stays.
 */
final class Signals {
  private Signals() {}

  /**
   * Does this instead of what is usual. Every signal is heard in a thread of its own, so one that
   * waits keeps no other from coming.
   *
   * @param name without SIG
   */
  static void on(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object hearing =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (_, method, arguments) -> {
                if (!method.getName().equals("handle")) {
                  return method.invoke(action, arguments);
                }
                action.run();
                return null;
              });
      Object named = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, named, hearing);
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | IllegalAccessException
        | InstantiationException
        | InvocationTargetException _) {
      // The JVM's own way stays.
    }
  }
}
