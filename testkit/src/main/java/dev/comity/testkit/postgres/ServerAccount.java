package dev.comity.testkit.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;

/** The user that owns the processes of a server: PostgreSQL refuses to run as root. */
final class ServerAccount {
  private ServerAccount() {}

  /** What runs a command as another user, who owns this directory from now on. */
  static List<String> prefix(Path home) throws IOException {
    if (!System.getProperty("user.name").equals("root")) {
      return List.of();
    }
    for (String name : List.of("postgres", "nobody")) {
      try {
        Files.setOwner(
            home, home.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
        return Files.isExecutable(Path.of("/usr/bin/setpriv"))
            ? List.of("setpriv", "--reuid=" + name, "--clear-groups", "--reset-env")
            : List.of("su", "-s", "/bin/sh", name, "-c", "exec \"$0\" \"$@\"");
      } catch (UserPrincipalNotFoundException _) {
        // The next one.
      }
    }
    throw new IllegalStateException("root needs a user postgres or nobody to run PostgreSQL as");
  }
}
