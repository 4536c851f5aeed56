package dev.comity.app.output;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a crawl leaves behind, in files and on the screen. */
public final class OutputOptions {
  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      description =
          "Write every page as a line of JSON to this file; - for standard output. A new run"
              + " replaces the file, a continued one goes on with it.")
  @Nullable
  public String out;

  @Option(names = "--text", description = "Keep the text of each page, as --keep text does.")
  public boolean text;

  @Option(names = "--ephemeral", description = "Keep nothing on disk, and use nothing kept before.")
  public boolean ephemeral;
}
