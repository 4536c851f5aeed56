package dev.comity.app;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs commands inside the test's own process, with writers in place of the terminal. */
final class Commands {
  private Commands() {}

  static Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Said(code, out.toString(), err.toString());
  }
}
