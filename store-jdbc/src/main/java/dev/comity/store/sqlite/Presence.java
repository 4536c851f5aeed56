package dev.comity.store.sqlite;

import dev.comity.store.DataDirectory;
import dev.comity.store.FileIdentity;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.GroupWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks at every commit that the data directory still exists. A process can write to files that
 * were removed; such writes would be lost when it ends.
 */
final class Presence implements GroupWriter.Follower {
  private final Path directory;
  private final List<FileIdentity> files;

  Presence(DataDirectory directory) {
    this.directory = directory.path();
    files = directory.files();
  }

  @Override
  public void beforeCommit() {
    if (files.stream().anyMatch(FileIdentity::isGone)) {
      throw new StoreUnusable(
          "the data directory %s is gone: it was removed, moved or replaced under the crawl"
              .formatted(directory));
    }
  }
}
