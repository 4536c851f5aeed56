package dev.comity.core.port.image;

import java.util.Locale;

/** Whether a crawl collects images, and what it keeps of them. */
public enum ImageMode {
  /** They are counted, and not fetched. */
  OFF,
  /** They are fetched; type, size, hash and sightings are kept. */
  METADATA,
  /** The files are kept as well. */
  FILES;

  /** Its name in settings and among the terms of a run. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
