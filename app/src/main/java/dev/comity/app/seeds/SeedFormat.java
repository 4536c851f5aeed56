package dev.comity.app.seeds;

/** What a file of seeds is. */
public enum SeedFormat {
  /** Whatever it looks like. */
  AUTO,
  /** A URL or a host a line. */
  LINES,
  /** A table with a column of URLs or hosts, and perhaps one of ranks. */
  CSV,
  /** An XML sitemap. */
  SITEMAP
}
