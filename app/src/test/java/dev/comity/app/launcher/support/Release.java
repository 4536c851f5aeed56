package dev.comity.app.launcher.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;

/** A directory as a release archive leaves it: the launcher, comity.jar and lib/. */
public record Release(Path directory) {
  /** Where the build under test has put things, seen from the module's directory. */
  public static final Path LAUNCHER = Path.of("..", "comity").toAbsolutePath().normalize();

  public static final Path JAR = Path.of("target", "comity.jar").toAbsolutePath();
  public static final Path LIBRARIES = Path.of("target", "lib").toAbsolutePath();

  /** The JDK that runs the tests, which is one the launcher accepts. */
  public static final Path REAL_JAVA = Path.of(System.getProperty("java.home"));

  /** A whole one. */
  public static Release in(Path directory) {
    Release release = hollow(directory);
    try (Stream<Path> libraries = Files.list(LIBRARIES)) {
      Files.copy(JAR, release.jar(), StandardCopyOption.REPLACE_EXISTING);
      Path lib = Files.createDirectories(release.directory.resolve("lib"));
      for (Path library : libraries.toList()) {
        Files.copy(library, lib.resolve(library.getFileName()));
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return release;
  }

  /** One with nothing in its jar, which is enough where Java is only a stand-in. */
  public static Release hollow(Path directory) {
    try {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("comity.jar"), "hollow");
      Files.copy(LAUNCHER, directory.resolve("comity"));
      return new Release(directory.toRealPath());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public Path launcher() {
    return directory.resolve("comity");
  }

  public Path jar() {
    return directory.resolve("comity.jar");
  }
}
