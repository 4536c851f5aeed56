package dev.comity.app.export;

import dev.comity.app.output.PageOutput;
import dev.comity.app.settings.WrongSetting;
import dev.comity.archive.ArchiveIndex;
import dev.comity.archive.Wacz;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Instant;

/** Writes what can be made of WARC files alone. Loaded only for that. */
public final class ArchiveExport {
  private ArchiveExport() {}

  /** Writes the index of an archive. */
  public static void index(Path archive, String out) throws IOException {
    try (Writer lines = PageOutput.packed(out)) {
      ArchiveIndex.write(archive, lines);
    }
  }

  /** Packs an archive into one file. */
  public static void pack(Path archive, String out, String software) throws IOException {
    if (out.equals(PageOutput.STANDARD_OUTPUT)) {
      throw new WrongSetting("a WACZ file needs a name: say it with --out site.wacz");
    }
    try (OutputStream bytes = PageOutput.bytes(out)) {
      Wacz.write(archive, bytes, software, Instant.now());
    }
  }
}
