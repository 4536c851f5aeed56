package dev.comity.app.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether output goes to a terminal, and how large its window is. The launcher tells whether there
 * is a terminal and how wide it was at the start: Java only knows whether input and output both are
 * one. An ioctl tells the present size, where the system has it.
 */
public final class Terminal {
  private static final int USUAL_ROWS = 24;
  private static final int STANDARD_ERROR = 2;

  /** The number of the system's request for the size of a window, TIOCGWINSZ. */
  private static final long ASK_SIZE = isLinux() ? 0x5413L : 0x40087468L;

  /** The number of the signal that stops a process and cannot be ignored, SIGSTOP. */
  private static final int STOP = isLinux() ? 19 : 17;

  /** Found when it is first needed: finding it takes longer than most commands do. */
  private static final class Control {
    static final Optional<MethodHandle> FOUND = control();
  }

  private Terminal() {}

  /** How much fits into a window. */
  public record Window(int columns, int rows) {}

  /** How many characters fit into a line; 0 where there is no terminal. */
  public static int columns() {
    return Math.max(0, Integer.getInteger("comity.terminal", 0));
  }

  /** Whether it may be told to write in bold; see no-color.org. */
  static boolean mayEmphasize() {
    String forbidden = System.getenv("NO_COLOR");
    return forbidden == null || forbidden.isEmpty();
  }

  /** The window as it is now. */
  static Window window() {
    return Control.FOUND
        .flatMap(Terminal::ask)
        .orElseGet(() -> new Window(Math.max(1, columns()), USUAL_ROWS));
  }

  /** What stops this process until the shell lets it go on, where that can be done. */
  @SuppressWarnings("restricted")
  static Optional<Runnable> stopping() {
    try {
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find("raise")
          .map(
              function ->
                  linker.downcallHandle(
                      function, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)))
          .map(raise -> () -> stop(raise));
    } catch (UnsupportedOperationException | IllegalCallerException _) {
      return Optional.empty();
    }
  }

  private static void stop(MethodHandle raise) {
    try {
      int _ = (int) raise.invokeExact(STOP);
    } catch (Throwable _) {
      // Then it goes on.
    }
  }

  private static boolean isLinux() {
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
  }

  /** Calling the system by hand is allowed to us: the jar's manifest says so. */
  @SuppressWarnings("restricted")
  private static Optional<MethodHandle> control() {
    try {
      Linker linker = Linker.nativeLinker();
      return linker
          .defaultLookup()
          .find("ioctl")
          .map(
              function ->
                  linker.downcallHandle(
                      function,
                      FunctionDescriptor.of(
                          ValueLayout.JAVA_INT,
                          ValueLayout.JAVA_INT,
                          ValueLayout.JAVA_LONG,
                          ValueLayout.ADDRESS),
                      Linker.Option.firstVariadicArg(2)));
    } catch (UnsupportedOperationException | IllegalCallerException _) {
      return Optional.empty();
    }
  }

  /** Four numbers of 16 bits: rows, columns, and two that stay 0. */
  private static Optional<Window> ask(MethodHandle control) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(8, 2);
      int failed = (int) control.invokeExact(STANDARD_ERROR, ASK_SIZE, size);
      int rows = Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 0));
      int columns = Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 2));
      return failed == 0 && rows > 0 && columns > 0
          ? Optional.of(new Window(columns, rows))
          : Optional.empty();
    } catch (Throwable _) {
      // As large as it was at the start, then.
      return Optional.empty();
    }
  }
}
