package dev.comity.testkit.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's binaries: the machine's, else those that Maven brings, a tar archive that is packed
 * with xz in a jar.
 */
final class ServerBinaries {
  private static final int BLOCK = 512;

  /**
   * Wins over the machine's binaries: {@code maven} for those that Maven brings, or a directory.
   */
  private static final String CHOICE = "comity.postgres";

  /** The archives of the platforms that a build may bring. */
  private static final List<String> ARCHIVES =
      List.of(
          "/postgres-linux-x86_64.txz",
          "/postgres-linux-arm_64.txz",
          "/postgres-darwin-x86_64.txz",
          "/postgres-darwin-arm_64.txz");

  private ServerBinaries() {}

  /** The directory of {@code initdb} and {@code postgres}. */
  static Path directory() {
    String choice = System.getProperty(CHOICE, "");
    if (choice.equals("maven")) {
      return unpacked();
    }
    if (!choice.isEmpty()) {
      return Path.of(choice);
    }
    return installed().orElseGet(ServerBinaries::unpacked);
  }

  /** The newest server that the machine has. */
  private static Optional<Path> installed() {
    List<Path> places = new ArrayList<>();
    Path debian = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(debian)) {
      try (var versions = Files.list(debian)) {
        versions
            .sorted(ServerBinaries::newestFirst)
            .map(version -> version.resolve("bin"))
            .forEach(places::add);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
    for (String place : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (!place.isEmpty()) {
        places.add(Path.of(place));
      }
    }
    return places.stream()
        .filter(place -> Files.isExecutable(place.resolve("initdb")))
        .filter(place -> Files.isExecutable(place.resolve("postgres")))
        .findFirst();
  }

  private static int newestFirst(Path one, Path other) {
    return Integer.compare(number(other), number(one));
  }

  private static int number(Path version) {
    String digits = version.getFileName().toString().replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  /** Unpacks them into a directory that any user may read; returns that of the programs. */
  private static Path unpacked() {
    String archive =
        ARCHIVES.stream()
            .filter(name -> ServerBinaries.class.getResource(name) != null)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this machine has no PostgreSQL, and Maven brings none for it: install"
                            + " postgresql, or name the directory of initdb in -Dcomity.postgres"));
    try {
      Path home = Files.createTempDirectory("comity-postgres-binaries");
      Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(home)));
      try (InputStream in =
          new XZInputStream(
              new BufferedInputStream(
                  Objects.requireNonNull(ServerBinaries.class.getResourceAsStream(archive))))) {
        untar(in, home);
      }
      return home.resolve("bin");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void untar(InputStream in, Path home) throws IOException {
    String longName = "";
    while (true) {
      byte[] header = in.readNBytes(BLOCK);
      if (header.length < BLOCK || header[0] == 0) {
        return;
      }
      long size = octal(header, 124, 12);
      String name = longName.isEmpty() ? name(header) : longName;
      longName = "";
      Path place = home.resolve(name).normalize();
      if (!place.startsWith(home)) {
        throw new IOException("an entry outside of the directory: " + name);
      }
      switch (header[156]) {
        case '5' -> Files.createDirectories(place);
        case '2' -> Files.createSymbolicLink(parented(place), Path.of(text(header, 157, 100)));
        case '1' ->
            Files.createLink(parented(place), home.resolve(text(header, 157, 100)).normalize());
        case 'L' -> {
          longName =
              new String(in.readNBytes((int) size), StandardCharsets.UTF_8).replace("\0", "");
          skipPadding(in, size);
        }
        case '0', 0 -> {
          Files.write(parented(place), in.readNBytes((int) size));
          skipPadding(in, size);
          boolean program = (octal(header, 100, 8) & 0111) != 0;
          Files.setPosixFilePermissions(
              place, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
        default -> {
          in.skipNBytes(size);
          skipPadding(in, size);
        }
      }
    }
  }

  private static Path parented(Path place) throws IOException {
    Files.createDirectories(Objects.requireNonNull(place.getParent()));
    return place;
  }

  private static void skipPadding(InputStream in, long size) throws IOException {
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
  }

  private static String name(byte[] header) {
    String prefix = text(header, 345, 155);
    String name = text(header, 0, 100);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static String text(byte[] header, int from, int most) {
    int end = from;
    while (end < from + most && header[end] != 0) {
      end++;
    }
    return new String(header, from, end - from, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] header, int from, int most) {
    String digits = text(header, from, most).strip();
    return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
  }

  private static void delete(Path home) {
    try (var files = Files.walk(home)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) {
      // The temporary directory is the machine's to clean.
    }
  }
}
