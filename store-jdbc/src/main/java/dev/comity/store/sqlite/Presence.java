package dev.comity.store.sqlite;

import dev.comity.store.DataDirectory;
import dev.comity.store.FileIdentity;
import dev.comity.store.StoreUnusable;
import dev.comity.store.sql.GroupWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * Looks with every commit whether the directory is still there. A system lets a process write to
 * files that were removed, and all of it would be lost with the process.
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
