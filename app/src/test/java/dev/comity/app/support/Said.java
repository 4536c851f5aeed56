package dev.comity.app.support;

/** How a command ended: its exit code and what it printed. */
public record Said(int code, String out, String err) {

  /** The line of standard output with which a crawl ends. */
  public String lastLine() {
    return out.lines().reduce("", (_, line) -> line);
  }
}
