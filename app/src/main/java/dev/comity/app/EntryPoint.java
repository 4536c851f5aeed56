package dev.comity.app;

import dev.comity.app.process.Version;

/**
 * Where the process starts. {@code --version} is answered here: to load the commands first would
 * take ten times as long.
 */
public final class EntryPoint {
  private EntryPoint() {}

  public static void main(String[] arguments) {
    if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
      System.out.println(Version.line());
      return;
    }
    Main.main(arguments);
  }
}
