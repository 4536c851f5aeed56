package dev.comity.store.doctor;

import dev.comity.store.DataDirectory;
import dev.comity.store.SqlDialect;
import dev.comity.store.image.ImageDirectory;
import dev.comity.store.postgres.connect.WorkerRows;
import dev.comity.store.sql.Statements;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/** Files of images and their rows belong together. One folder is compared at a time. */
record ImagesCheck(DataDirectory directory) {
  private static final String CRAWL_AGAIN = "crawl its page again with --images";

  Check check() {
    return new Check(
        "images",
        0,
        "every image that is kept has its file, and every file its image",
        "delete the file: a crawl that was killed left it",
        this::examine);
  }

  private void examine(Statements sql, Examination.Findings findings) {
    ImageDirectory files = new ImageDirectory(directory);
    boolean server = sql.dialect() == SqlDialect.POSTGRES;
    if (server && !sql.exists("SELECT 1 FROM images WHERE kept = 1 LIMIT 1")) {
      // The directory is that of other crawls.
      return;
    }
    boolean crawled = server ? sql.number(WorkerRows.AT_WORK) > 0 : directory.isCrawled();
    for (int prefix = 0; prefix < 256; prefix++) {
      byte[] last = new byte[33];
      Arrays.fill(last, (byte) 0xff);
      last[0] = (byte) prefix;
      Set<String> kept = new HashSet<>();
      sql.each(
          "SELECT sha256, ending FROM images WHERE kept = 1 AND sha256 BETWEEN ? AND ?",
          row -> kept.add(name(row.optionalBytes(1).orElseThrow(), row.getString(2))),
          new byte[] {(byte) prefix},
          last);
      Set<String> there = files.names(HexFormat.of().toHexDigits((byte) prefix));
      kept.stream()
          .filter(name -> !there.contains(name))
          .sorted()
          .forEach(name -> findings.add("", "the image file " + name + " is missing", CRAWL_AGAIN));
      // A crawl writes a file a moment before its row.
      there.stream()
          .filter(name -> !crawled && !kept.contains(name))
          .sorted()
          .forEach(name -> findings.add("", "the file " + name + " belongs to no image"));
    }
  }

  private static String name(byte[] hash, String ending) {
    return ImageDirectory.place(HexFormat.of().formatHex(hash), ending);
  }
}
