package dev.comity.app;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a crawl leaves behind, in files and on the screen. */
final class OutputOptions {
  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write every page as a line of JSON to this file; - for standard output. A new run"
              + " replaces the file, a continued one goes on with it.")
  @Nullable String out;

  @Option(names = "--text", description = "Put the text of each page into its line, too.")
  boolean text;

  @Option(names = "--ephemeral", description = "Keep nothing, and go by nothing that was kept.")
  boolean ephemeral;
}
