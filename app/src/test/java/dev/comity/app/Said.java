package dev.comity.app;

/** How a command ended: its exit code and what it printed. */
record Said(int code, String out, String err) {

  /** The line of standard output with which a crawl ends. */
  String lastLine() {
    return out.lines().reduce("", (_, line) -> line);
  }
}
