package dev.comity.app;

/**
 * Whether somebody watches, and how wide their window was at the start. The launcher knows: Java
 * itself only tells whether input and output both are a terminal.
 */
final class Terminal {
  private Terminal() {}

  /** How many characters fit into a line; 0 where there is no terminal. */
  static int columns() {
    return Math.max(0, Integer.getInteger("comity.terminal", 0));
  }
}
