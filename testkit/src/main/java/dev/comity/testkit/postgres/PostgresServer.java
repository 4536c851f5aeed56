package dev.comity.testkit.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A private PostgreSQL server for the tests of this process: a free port of the loopback address, a
 * temporary directory, an unprivileged user, no fsync. It runs the machine's binaries, or those
 * that Maven brings. A shell watches over it: when this process ends, however it ends, the pipe to
 * the shell closes, and the shell stops the server and deletes the directory.
 */
public final class PostgresServer {
  /**
   * What the shell does: make, start, wait for the end of the pipe, stop, clean up. Signals to a
   * whole group of processes do not end it before that.
   */
  private static final String WATCH =
      """
      trap "" HUP INT TERM
      "$1/initdb" -D "$2/data" -U comity -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 \
        || { cat "$2/log"; exit 1; }
      "$1/postgres" -D "$2/data" -h 127.0.0.1 -p "$3" -k "$2" \
        -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=300 \
        -c shared_buffers=64MB -c max_wal_size=1GB -c autovacuum=off -c deadlock_timeout=200ms \
        -c jit=off -c max_locks_per_transaction=256 >>"$2/log" 2>&1 &
      server=$!
      echo started
      read -r _
      kill -QUIT $server
      wait $server
      rm -rf "$2"
      """;

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final int port;
  private final Process watch;

  private PostgresServer(int port, Process watch) {
    this.port = port;
    this.watch = watch;
  }

  private static final class Shared {
    static final PostgresServer SERVER = start();
  }

  /** The server of this process, started by the first call. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /** Starts another server; it ends with this process, or when it is stopped. */
  public static PostgresServer start() {
    try {
      Path home = Files.createTempDirectory("comity-postgres");
      List<String> command = new ArrayList<>(ServerAccount.prefix(home));
      int port = freePort();
      command.addAll(
          List.of(
              "sh",
              "-c",
              WATCH,
              "sh",
              ServerBinaries.directory().toString(),
              home.toString(),
              "" + port));
      Process watch =
          new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
      PostgresServer server = new PostgresServer(port, watch);
      String first = watch.inputReader().readLine();
      if (!"started".equals(first)) {
        throw new IllegalStateException(
            "PostgreSQL does not start: " + first + " " + watch.inputReader().lines().toList());
      }
      server.awaitAnswer();
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Ends the server and waits for it. */
  public void stop() {
    try {
      watch.outputWriter().close();
      watch.waitFor();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process that watches over the server. */
  public Process watch() {
    return watch;
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The address of one of its databases. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=comity".formatted(port, database);
  }

  /** Makes an empty database and returns its address. */
  public String newDatabase() {
    return newDatabase("template1");
  }

  /** Makes a database that begins as a copy of this one, and returns its address. */
  public String newDatabase(String template) {
    String name = "test" + DATABASES.incrementAndGet();
    run("CREATE DATABASE " + name + " TEMPLATE " + template);
    return url(name);
  }

  /** Makes a database to copy from. */
  public void newTemplate(String name, Consumer<String> fill) {
    run("CREATE DATABASE " + name);
    fill.accept(url(name));
  }

  private void run(String sql) {
    try (Connection connection = DriverManager.getConnection(url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  private void awaitAnswer() {
    long end = System.nanoTime() + 60_000_000_000L;
    while (true) {
      try (Connection _ = DriverManager.getConnection(url("postgres"))) {
        return;
      } catch (SQLException failed) {
        if (System.nanoTime() > end || !watch.isAlive()) {
          throw new IllegalStateException("PostgreSQL does not answer", failed);
        }
        Thread.onSpinWait();
      }
    }
  }
}
