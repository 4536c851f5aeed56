package dev.comity.app.export;

import java.util.Locale;

/** How rows are written. */
public enum ExportFormat {
  JSONL,
  CSV,
  TSV,
  PARQUET;

  /** The format that a file's ending names, without that of its packing; else JSON Lines. */
  public static ExportFormat of(String file) {
    String name = file.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst)$", "");
    if (name.endsWith(".csv")) {
      return CSV;
    }
    if (name.endsWith(".tsv")) {
      return TSV;
    }
    return name.endsWith(".parquet") ? PARQUET : JSONL;
  }
}
