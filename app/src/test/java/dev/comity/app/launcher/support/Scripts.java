package dev.comity.app.launcher.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Stand-ins for Java and Maven that tell how they were called. */
public final class Scripts {
  /** Starts no JVM: answers with its own home and the arguments, one per line. */
  private static final String JAVA =
      """
      #!/bin/sh
      echo "java of ${0%/bin/java}"
      for argument; do echo "<$argument>"; done
      """;

  private Scripts() {}

  /** A Java home that says of itself which version it is, without a compiler. */
  public static Path runtime(Path home, String version) {
    executable(home.resolve("bin/java"), JAVA);
    write(
        home.resolve("release"),
        "IMPLEMENTOR=\"Nobody\"\nJAVA_RUNTIME_VERSION=\"%1$s+1\"\nJAVA_VERSION=\"%1$s\"\n"
            .formatted(version));
    return home;
  }

  /** The same with a compiler. */
  public static Path jdk(Path home, String version) {
    executable(home.resolve("bin/javac"), "#!/bin/sh\nexit 1\n");
    return runtime(home, version);
  }

  public static Path executable(Path file, String text) {
    write(file, text);
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return file;
  }

  public static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
