package dev.comity.app.support;

import dev.comity.app.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs commands inside the test's own process, with writers in place of the terminal. */
public final class Commands {
  private Commands() {}

  public static Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Said(code, out.toString(), err.toString());
  }

  /** Crawls with a memory of its own, which is gone afterwards. */
  public static Said crawl(String... arguments) {
    try {
      Path data = Files.createTempDirectory("comity-data");
      try {
        List<String> all = new ArrayList<>(List.of("crawl", "--data", data.toString()));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
      } finally {
        remove(data);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public static void remove(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
