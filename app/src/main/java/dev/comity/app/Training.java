package dev.comity.app;

import dev.comity.app.demo.TrainingSites;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;

/**
 * What the JVM is shown once, so that it starts faster ever after: crawls into a data directory,
 * over http and https, and the commands that read it. The launcher runs it and keeps the cache that
 * the JVM makes of it.
 *
 * <p>Arguments: an empty directory, and a key store for https with the password {@code comity} if
 * there is one.
 */
public final class Training {
  private Training() {}

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Path directory = Path.of(arguments[0]);
    Optional<Path> keys =
        arguments.length > 1 ? Optional.of(Path.of(arguments[1])) : Optional.empty();
    String data = directory.resolve("data").toString();
    String out = directory.resolve("pages.jsonl").toString();
    for (String seed : TrainingSites.open(keys)) {
      // The second one opens what the first has left.
      run("crawl", seed, "--data", data, "--out", out, "--delay", "0", "--insecure");
      run("crawl", seed, "--data", data, "--out", out, "--delay", "0", "--insecure");
    }
    run("domains", "--data", data);
    run("why", "127.0.0.1", "--data", data);
    System.exit(0);
  }

  private static void run(String... command) {
    Main.commandLineFor(command).execute(command);
  }
}
