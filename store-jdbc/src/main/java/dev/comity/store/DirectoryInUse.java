package dev.comity.store;

import java.nio.file.Path;

/** Another crawl has the data directory. */
public final class DirectoryInUse extends RuntimeException {
  DirectoryInUse(Path directory, String holder) {
    super(
        "another crawl%s uses %s: wait for it, stop it, or name another directory with --data"
            .formatted(holder.isEmpty() ? "" : " (process " + holder + ")", directory));
  }
}
