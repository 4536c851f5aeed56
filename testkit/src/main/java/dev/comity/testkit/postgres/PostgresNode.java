package dev.comity.testkit.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A PostgreSQL server that a test stops, crashes and promotes. What it acknowledges survives its
 * own crash. It can be a synchronous standby of another one. A shell carries the commands out: when
 * this process ends, however it ends, the shell stops the server and deletes the directory.
 */
public final class PostgresNode implements AutoCloseable {
  private static final String OPTIONS =
      " -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=64MB"
          + " -c max_wal_size=512MB -c jit=off -c deadlock_timeout=200ms -c wal_level=replica"
          + " -c hot_standby=on -c max_wal_senders=8 -c listen_addresses=127.0.0.1";

  /** As for measurements: what is acknowledged is on the disk, and dead rows are cleaned up. */
  private static final String DURABLE =
      " -c max_connections=200 -c shared_buffers=512MB -c max_wal_size=8GB -c wal_compression=lz4"
          + " -c checkpoint_timeout=15min -c jit=off -c listen_addresses=127.0.0.1";

  /** Less than the disk below has. */
  private static final String LITTLE_LOG = OPTIONS.replace("=512MB", "=64MB");

  /** A disk in memory that this process and its children alone see, and that ends with them. */
  private static final List<String> SMALL_DISK =
      List.of(
          "unshare",
          "--mount",
          "--propagation",
          "private",
          "sh",
          "-c",
          "mount -t tmpfs -o size=600m,mode=777 tmpfs \"$0\" && exec \"$@\"");

  /** Commands come by line, and each is answered with one line. */
  private static final String WATCH =
      """
      trap "" HUP INT TERM
      bin=$1 home=$2 port=$3 options=$4
      said() { if [ "$1" -eq 0 ]; then echo done; else tail -n 20 "$home/log" | tr '\\n' ' '; echo; fi; }
      while read -r command argument; do
        case $command in
          init)
            "$bin/initdb" -D "$home/data" -U comity -A trust -E UTF8 --locale=C --no-sync >"$home/log" 2>&1
            code=$?
            echo "host replication all 127.0.0.1/32 trust" >>"$home/data/pg_hba.conf"
            said $code ;;
          copy)
            "$bin/pg_basebackup" -D "$home/data" -h 127.0.0.1 -p "$argument" -U comity -c fast -R \
              -d "host=127.0.0.1 port=$argument user=comity application_name=standby" >"$home/log" 2>&1
            said $? ;;
          start)
            "$bin/pg_ctl" -D "$home/data" -w -t 60 -l "$home/log" \
              -o "-p $port -k $home $options" start >>"$home/ctl" 2>&1
            said $? ;;
          stop)
            "$bin/pg_ctl" -D "$home/data" -w -m "$argument" stop >>"$home/ctl" 2>&1
            said $? ;;
          promote)
            "$bin/pg_ctl" -D "$home/data" -w promote >>"$home/ctl" 2>&1
            said $? ;;
          fill)
            dd if=/dev/zero of="$home/ballast" bs=64k >/dev/null 2>&1
            said 0 ;;
          free)
            rm -f "$home/ballast"
            tries=300
            until "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" || [ $tries -eq 0 ]; do
              "$bin/pg_ctl" -D "$home/data" status >/dev/null || "$bin/pg_ctl" -D "$home/data" -w -t 60 \
                -l "$home/log" -o "-p $port -k $home $options" start >>"$home/ctl" 2>&1
              tries=$((tries - 1))
              sleep 0.2
            done
            [ $tries -gt 0 ]
            said $? ;;
        esac
      done
      "$bin/pg_ctl" -D "$home/data" -m immediate stop >/dev/null 2>&1
      rm -rf "$home"
      """;

  private final Path home;
  private final int port;
  private final Process watch;

  private PostgresNode(Path home, String options, boolean small) throws IOException {
    this.home = home;
    List<String> command = new ArrayList<>(small ? SMALL_DISK : List.of());
    if (small) {
      command.add(home.toString());
    }
    command.addAll(ServerAccount.prefix(home));
    port = PostgresServer.freePort();
    String binaries = ServerBinaries.directory().toString();
    command.addAll(List.of("sh", "-c", WATCH, "sh", binaries, home.toString(), "" + port, options));
    watch = new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true).start();
  }

  /** Starts an empty server. */
  public static PostgresNode primary() {
    return primary(temporary());
  }

  /** Starts an empty server that keeps its data in this directory. */
  public static PostgresNode primary(Path home) {
    return primary(home, OPTIONS);
  }

  /** Starts an empty server that waits for the disk, for measurements. */
  public static PostgresNode durable() {
    return primary(temporary(), DURABLE);
  }

  private static PostgresNode primary(Path home, String options) {
    PostgresNode node = node(home, options, false);
    node.say("init");
    node.start();
    return node;
  }

  /** Whether servers here can have small disks: only root may mount one. */
  public static boolean canFill() {
    return System.getProperty("user.name").equals("root")
        && Files.isExecutable(Path.of("/usr/bin/unshare"));
  }

  /** Starts an empty server whose disk can be filled, where that is possible. */
  public static PostgresNode fillable() {
    PostgresNode node = node(temporary(), LITTLE_LOG, canFill());
    node.say("init");
    node.start();
    return node;
  }

  /** Starts a standby of another server, which follows it from now on. It can be filled, too. */
  public static PostgresNode standbyOf(PostgresNode primary) {
    PostgresNode node = node(temporary(), LITTLE_LOG, canFill());
    node.say("copy " + primary.port);
    node.start();
    return node;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("comity-postgres-node");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static PostgresNode node(Path home, String options, boolean small) {
    try {
      return new PostgresNode(home, options, small);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public int port() {
    return port;
  }

  /** The directory of its data and of its log. */
  public Path home() {
    return home;
  }

  /** The address of one of its databases. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=comity".formatted(port, database);
  }

  public void start() {
    say("start");
  }

  /** Stops it as a shutdown of the machine does: every connection ends, all is written. */
  public void stop() {
    say("stop fast");
  }

  /** Stops it as a crash does: it recovers when it starts again. */
  public void crash() {
    say("stop immediate");
  }

  /** Makes a standby the primary. */
  public void promote() {
    say("promote");
  }

  /** Takes all room of its disk. */
  public void fill() {
    say("fill");
  }

  /** Gives the room back, and starts the server where it ended for want of it. */
  public void free() {
    say("free");
  }

  private synchronized void say(String command) {
    try {
      watch.outputWriter().write(command + "\n");
      watch.outputWriter().flush();
      String answer = watch.inputReader().readLine();
      if (!"done".equals(answer)) {
        throw new IllegalStateException("PostgreSQL refuses " + command + ": " + answer);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    try {
      watch.outputWriter().close();
      watch.waitFor();
      Files.deleteIfExists(home);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
