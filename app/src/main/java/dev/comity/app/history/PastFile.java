package dev.comity.app.history;

import dev.comity.store.backfill.PastRows;
import java.io.IOException;
import java.nio.file.Path;

/** Reads the state that another crawler left. */
@FunctionalInterface
interface PastFile {
  /** Hands every URL on. What cannot be read is named by its line and left out. */
  void read(Path file, PastRows rows) throws IOException;
}
