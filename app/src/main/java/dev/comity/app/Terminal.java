package dev.comity.app;

/**
 * Whether somebody watches. The launcher knows: Java itself only tells whether input and output
 * both are a terminal.
 */
final class Terminal {
  private Terminal() {}

  static boolean isPresent() {
    return Boolean.getBoolean("comity.terminal");
  }
}
