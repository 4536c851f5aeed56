package dev.comity.app.output;

import dev.comity.app.settings.WrongSetting;
import dev.comity.archive.WarcArchive;
import dev.comity.core.port.fetch.ExchangeArchive;
import dev.comity.core.port.fetch.ExchangeArchive.ArchiveFailed;
import dev.comity.core.usage.Purpose;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command that asks sites keeps every exchange. Without it the archive is not loaded. */
public final class ArchiveOption {
  @Option(
      names = "--warc",
      paramLabel = "DIR",
      description =
          "Keep every request and answer as it was on the wire, in WARC files of this directory. A"
              + " later crawl adds to it.")
  private @Nullable Path directory;

  /** An archive that is open, or none. */
  public interface OpenArchive extends AutoCloseable {
    /** Keeps the exchanges; empty where none is kept. */
    Optional<ExchangeArchive> archive();

    /** Files of a crashed process that were repaired. */
    default int repaired() {
      return 0;
    }

    @Override
    default void close() {}
  }

  /**
   * Opens it.
   *
   * @param agent what every request says of the crawler
   * @param purposes where a site refuses one of these, no body is kept
   * @throws WrongSetting if the directory cannot be written to
   */
  public OpenArchive open(String agent, Set<Purpose> purposes, InstantSource clock) {
    return directory == null ? Optional::empty : opened(directory, agent, purposes, clock);
  }

  private static OpenArchive opened(
      Path directory, String agent, Set<Purpose> purposes, InstantSource clock) {
    try {
      WarcArchive archive =
          WarcArchive.open(
              directory,
              Map.of(
                  "software",
                  agent.split(" ", 2)[0],
                  "http-header-user-agent",
                  agent,
                  "robots",
                  "obey"),
              purposes,
              clock);
      return new OpenArchive() {
        @Override
        public Optional<ExchangeArchive> archive() {
          return Optional.of(archive);
        }

        @Override
        public int repaired() {
          return archive.repaired();
        }

        @Override
        public void close() {
          archive.close();
        }
      };
    } catch (ArchiveFailed failed) {
      throw new WrongSetting(String.valueOf(failed.getMessage()));
    }
  }
}
