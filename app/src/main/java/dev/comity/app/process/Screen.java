package dev.comity.app.process;

import dev.comity.app.process.Terminal.Window;
import dev.comity.app.text.Cells;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a person watches: lines that stay, and on a terminal a few below them that are painted over.
 * Nothing passes here but our own words and URLs in normal form, which are printable ASCII.
 *
 * <p>While something is painted, lines wait for the next time it is: many pages a second would
 * otherwise be as many paintings.
 */
public final class Screen {
  /** More lines between two paintings are not readable, and dropped. */
  private static final int MOST_NOTES = 200;

  private static final String BOLD = "\u001b[1m";
  private static final String PLAIN = "\u001b[m";

  private final PrintWriter lines;
  private final PrintWriter status;
  private final @Nullable Supplier<Window> window;
  private final boolean bold;
  private final UnaryOperator<String> shape;
  private final List<String> pending = new ArrayList<>();
  private List<String> painted = List.of();
  private boolean painting;
  private int notes;

  private Screen(
      PrintWriter lines,
      PrintWriter status,
      @Nullable Supplier<Window> window,
      boolean bold,
      UnaryOperator<String> shape) {
    this.lines = lines;
    this.status = status;
    this.window = window;
    this.bold = bold;
    this.shape = shape;
  }

  /** One that has lines and nothing else. */
  public static Screen of(PrintWriter lines) {
    return shaped(lines, UnaryOperator.identity());
  }

  /** One that gives every line another shape. */
  public static Screen shaped(PrintWriter lines, UnaryOperator<String> shape) {
    return new Screen(lines, lines, null, false, shape);
  }

  /**
   * One that is painted on.
   *
   * @param lines where lines that stay go
   * @param status where the terminal is
   * @param bold whether the first line painted stands out
   */
  public static Screen live(
      PrintWriter lines, PrintWriter status, Supplier<Window> window, boolean bold) {
    return new Screen(lines, status, window, bold, UnaryOperator.identity());
  }

  /** As this process has one: painted on if there is a terminal. */
  public static Screen here(PrintWriter lines, PrintWriter status) {
    if (Terminal.columns() == 0) {
      return of(lines);
    }
    Screen screen = live(lines, status, Terminal::window, Terminal.mayEmphasize());
    // Ctrl-Z gives the terminal to the shell, which writes where the cursor is.
    Terminal.stopping().ifPresent(stopping -> Signals.on("TSTP", () -> screen.givenAway(stopping)));
    return screen;
  }

  public boolean isLive() {
    return window != null;
  }

  /** Whether its lines go there. */
  public boolean writesTo(PrintWriter writer) {
    return lines.equals(writer);
  }

  /** A line that stays. */
  public synchronized void line(String text) {
    asItIs(shape.apply(text));
  }

  /** A line that is in its shape already. */
  public synchronized void asItIs(String text) {
    if (painting) {
      pending.add(text);
    } else {
      lines.println(text);
      lines.flush();
    }
  }

  /** A line that stays, unless more come at once than anybody could read. */
  public synchronized void note(String text) {
    if (!painting || ++notes <= MOST_NOTES) {
      line(text);
    }
  }

  /**
   * Paints over what was painted last; every line is cut at the width, so that none wraps, and the
   * cursor comes to rest below: what the terminal itself writes there, ^C say, must not wrap
   * either.
   */
  public synchronized void paint(Function<Window, List<String>> picture) {
    if (window == null) {
      return;
    }
    Window now = window.get();
    painting = true;
    StringBuilder out = new StringBuilder(erasing(now));
    if (!pending.isEmpty()) {
      // Two streams may end on one terminal: what was painted must be gone before lines come.
      say(out);
      flushPending();
    }
    List<String> fresh =
        picture.apply(now).stream()
            .limit(now.rows() - 1)
            .map(line -> Cells.cut(line, now.columns() - 1))
            .toList();
    for (int number = 0; number < fresh.size(); number++) {
      out.append(emphasized(fresh.get(number), number)).append('\n');
    }
    painted = fresh;
    say(out);
  }

  private String emphasized(String line, int number) {
    return bold && number == 0 ? BOLD + line + PLAIN : line;
  }

  /** Leaves the terminal to another writer, then paints on from its cursor. */
  synchronized void givenAway(Runnable meanwhile) {
    if (window != null && painting) {
      say(new StringBuilder(erasing(window.get())));
      painted = List.of();
    }
    meanwhile.run();
  }

  /** Nothing is painted any more, and lines no longer wait. */
  public synchronized void clear() {
    if (window != null && painting) {
      say(new StringBuilder(erasing(window.get())));
      painted = List.of();
      flushPending();
      painting = false;
    }
  }

  private void flushPending() {
    pending.forEach(lines::println);
    if (notes > MOST_NOTES) {
      lines.println("... and " + (notes - MOST_NOTES) + " more");
    }
    lines.flush();
    pending.clear();
    notes = 0;
  }

  /** From below what was painted back to its beginning, in a window that may be narrower. */
  private String erasing(Window now) {
    int up = 0;
    for (String line : painted) {
      up += Math.max(1, Math.ceilDiv(Cells.width(line), now.columns()));
    }
    return "\r" + (up > 0 ? "\u001b[" + up + "A" : "") + "\u001b[J";
  }

  private void say(StringBuilder out) {
    status.print(out);
    status.flush();
    out.setLength(0);
  }
}
