package dev.comity.testkit.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A private Redis server for tests: a free port of the loopback address and a temporary directory.
 * It runs the machine's binary, or the one that Maven brings. A shell watches over it: when this
 * process ends, however it ends, the pipe to the shell closes, and the shell kills the server.
 */
public final class RedisServer implements AutoCloseable {
  /** Wins over the machine's binary: {@code maven} for the one that Maven brings, or a file. */
  private static final String CHOICE = "comity.redis";

  private static final List<String> BUNDLED =
      List.of("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64");

  private static final String WATCH =
      """
      trap "" HUP INT TERM
      "$@" >>log 2>&1 &
      server=$!
      echo started
      read -r signal || signal=KILL
      kill -s "$signal" $server
      wait $server
      """;

  private final Path home;
  private final int port;
  private final List<String> options;
  private Process watch;

  private RedisServer(Path home, int port, List<String> options) {
    this.home = home;
    this.port = port;
    this.options = options;
    watch = launch();
  }

  /** Starts one that keeps all it is told, with these options beside, as on a command line. */
  public static RedisServer start(String... options) {
    List<String> all =
        new ArrayList<>(List.of("--appendonly", "yes", "--maxmemory-policy", "noeviction"));
    all.addAll(List.of(options));
    try {
      return new RedisServer(Files.createTempDirectory("comity-redis"), freePort(), all);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Process launch() {
    List<String> command = new ArrayList<>(List.of("sh", "-c", WATCH, "sh", binary().toString()));
    command.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--dir", home.toString()));
    command.addAll(List.of("--save", "", "--protected-mode", "no", "--daemonize", "no"));
    command.addAll(options);
    try {
      Process started =
          new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
      String first = started.inputReader().readLine();
      if (!"started".equals(first)) {
        throw new IllegalStateException("Redis does not start: " + first);
      }
      awaitAnswer(started);
      return started;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void awaitAnswer(Process started) {
    long end = System.nanoTime() + 30_000_000_000L;
    while (true) {
      try {
        if (tell("PING").startsWith("+")) {
          return;
        }
      } catch (UncheckedIOException failed) {
        if (System.nanoTime() > end || !started.isAlive()) {
          throw new IllegalStateException("Redis does not answer", failed);
        }
      }
      Thread.onSpinWait();
    }
  }

  public int port() {
    return port;
  }

  /** Its directory: the file of its commands lies there. */
  public Path home() {
    return home;
  }

  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /** Sends one command; returns the first line of the answer, or of a bulk answer its text. */
  public String tell(String... words) {
    StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      int length = word.getBytes(StandardCharsets.UTF_8).length;
      command.append('$').append(length).append("\r\n").append(word).append("\r\n");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.UTF_8));
      String first = in.readLine();
      if (first == null) {
        throw new UncheckedIOException(new IOException("the connection is closed"));
      }
      if (first.startsWith("$") && !first.equals("$-1")) {
        char[] text = new char[Integer.parseInt(first.substring(1))];
        int read = 0;
        while (read < text.length) {
          read += in.read(text, read, text.length - read);
        }
        return new String(text);
      }
      return first;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Ends it at once, as a crash does. */
  public void kill() {
    end("KILL");
  }

  /** Ends it in order. */
  public void stop() {
    end("TERM");
  }

  private void end(String signal) {
    try {
      watch.outputWriter().write(signal + "\n");
      watch.outputWriter().close();
      watch.waitFor();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** While it is stopped: of its file of commands, so much is left. */
  public void cutCommands(double part) throws IOException {
    try (var files = Files.walk(home)) {
      Path longest =
          files
              .filter(Files::isRegularFile)
              .filter(file -> file.getFileName().toString().contains(".aof"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
      try (RandomAccessFile file = new RandomAccessFile(longest.toFile(), "rw")) {
        file.setLength((long) (file.length() * part));
      }
    }
  }

  /** Starts it again, with what its directory has. */
  public void startAgain() {
    watch = launch();
  }

  @Override
  public void close() {
    if (watch.isAlive()) {
      kill();
    }
    try (var files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A port whose neighbour 10,000 above is free, too: a server of a cluster takes both. */
  static int freePort() throws IOException {
    while (true) {
      // Both below the ports that outgoing connections get: one of those took it in between.
      int port = ThreadLocalRandom.current().nextInt(10_000, 22_000);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
          ServerSocket _ = new ServerSocket(port + 10_000, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (java.net.BindException _) {
        // Another one.
      }
    }
  }

  private static final class Binary {
    static final Path FILE = find();

    private static Path find() {
      String choice = System.getProperty(CHOICE, "");
      if (!choice.isEmpty() && !choice.equals("maven")) {
        return Path.of(choice);
      }
      if (choice.isEmpty()) {
        for (String place : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
          Path file = Path.of(place.isEmpty() ? "." : place, "redis-server");
          if (Files.isExecutable(file)) {
            return file;
          }
        }
      }
      return bundled();
    }

    private static Path bundled() {
      String os = System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux";
      String chip = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
      for (String version : List.of("6.2.6-v5", "6.2.7")) {
        String name = "/redis-server-" + version + "-" + os + "-" + chip;
        try (InputStream in = RedisServer.class.getResourceAsStream(name)) {
          if (in != null && BUNDLED.contains(os + "-" + chip)) {
            Path file = Files.createTempFile("comity-redis-server", "");
            Files.write(file, in.readAllBytes());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            file.toFile().deleteOnExit();
            return file;
          }
        } catch (IOException failed) {
          throw new UncheckedIOException(failed);
        }
      }
      throw new IllegalStateException(
          "this machine has no redis-server, and Maven brings none for it: install redis-server, or"
              + " name its file in -Dcomity.redis");
    }
  }

  private static Path binary() {
    return Binary.FILE;
  }
}
