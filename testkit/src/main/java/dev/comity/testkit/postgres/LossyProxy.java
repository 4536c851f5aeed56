package dev.comity.testkit.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes bytes between drivers and a server. It cuts a connection at a commit, resets all of them,
 * delays bytes, or swallows them, when told to.
 */
public final class LossyProxy implements AutoCloseable {
  private enum Cut {
    NONE,
    /** The server never hears the commit. */
    BEFORE,
    /** The server has committed; its answer is lost. */
    AFTER
  }

  private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket listening;
  private final String url;
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NONE);
  private final AtomicInteger cuts = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile int port;
  private volatile Duration latency = Duration.ZERO;
  private volatile boolean swallowing;

  private LossyProxy(ServerSocket listening, int port, String url) {
    this.listening = listening;
    this.port = port;
    this.url = url;
    Thread.ofPlatform().daemon().start(this::accept);
  }

  /** A proxy to the server of this address. */
  public static LossyProxy to(String address) throws IOException {
    int port = URI.create(address.substring("jdbc:".length())).getPort();
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    return new LossyProxy(
        socket,
        port,
        // Without prepared statements each commit is sent as text.
        address.replace(":" + port + "/", ":" + socket.getLocalPort() + "/")
            + "&prepareThreshold=0");
  }

  public String url() {
    return url;
  }

  /** The port that drivers connect to. */
  public int port() {
    return listening.getLocalPort();
  }

  /** The next commit is cut, before the server hears it or after it has answered. */
  public void cutAtCommit(boolean before) {
    next.set(before ? Cut.BEFORE : Cut.AFTER);
  }

  /** How many commits were cut. */
  public int cuts() {
    return cuts.get();
  }

  /** From now on connections lead to the server of this port; open ones end. */
  public void lead(int other) {
    port = other;
    reset();
  }

  /** Resets every connection. */
  public void reset() {
    for (Socket socket : sockets) {
      try {
        // Without lingering a close sends a reset.
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException _) {
        // It is closed already.
      }
    }
  }

  /** Every piece of bytes waits for so long before it is passed on. */
  public void delay(Duration time) {
    latency = time;
  }

  /** Whether bytes and new connections are swallowed. Those of that time stay dead after it. */
  public void swallow(boolean all) {
    swallowing = all;
    if (!all) {
      reset();
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        sockets.add(client);
        if (!swallowing) {
          connect(client);
        }
      } catch (IOException _) {
        // It is closed.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
      sockets.add(server);
      Thread.ofPlatform().daemon().start(() -> pass(client, server, true));
      Thread.ofPlatform().daemon().start(() -> pass(server, client, false));
    } catch (IOException _) {
      // The server is away.
      sockets.remove(client);
      client.close();
    }
  }

  private void pass(Socket from, Socket to, boolean fromClient) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[65_536];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (isCut(fromClient, buffer, read)) {
          return;
        }
        if (latency.isPositive()) {
          LockSupport.parkNanos(latency.toNanos());
        }
        if (!swallowing) {
          out.write(buffer, 0, read);
          out.flush();
        }
      }
    } catch (IOException _) {
      // Both ends are closed.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  /** A commit is cut on the way there, or its answer, which names it, on the way back. */
  private boolean isCut(boolean fromClient, byte[] buffer, int read) {
    Cut here = fromClient ? Cut.BEFORE : Cut.AFTER;
    if (next.get() == here && has(buffer, read) && next.compareAndSet(here, Cut.NONE)) {
      cuts.incrementAndGet();
      return true;
    }
    return false;
  }

  private static boolean has(byte[] bytes, int length) {
    for (int start = 0; start + COMMIT.length <= length; start++) {
      int same = 0;
      while (same < COMMIT.length && bytes[start + same] == COMMIT[same]) {
        same++;
      }
      if (same == COMMIT.length) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    try {
      listening.close();
      reset();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
