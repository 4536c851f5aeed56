package dev.comity.store.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Passes bytes between a driver and a server, and cuts the connection at a commit when told to. */
public final class LossyProxy implements AutoCloseable {
  private enum Cut {
    NONE,
    /** The server never hears the commit. */
    BEFORE,
    /** The server hears it; its answer is lost. */
    AFTER
  }

  private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket listening;
  private final int port;
  private final String url;
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NONE);
  private final AtomicInteger cuts = new AtomicInteger();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

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

  /** The next commit is cut, before or after the server hears it. */
  public void cutAtCommit(boolean before) {
    next.set(before ? Cut.BEFORE : Cut.AFTER);
  }

  public int cuts() {
    return cuts.get();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(client);
        sockets.add(server);
        Thread.ofPlatform().daemon().start(() -> pass(client, server, true));
        Thread.ofPlatform().daemon().start(() -> pass(server, client, false));
      } catch (IOException _) {
        // It is closed.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean fromClient) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[65_536];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        Cut cut = fromClient && has(buffer, read) ? next.getAndSet(Cut.NONE) : Cut.NONE;
        if (cut == Cut.BEFORE) {
          cuts.incrementAndGet();
          return;
        }
        if (cut == Cut.AFTER) {
          // The answer never reaches the driver: its way is closed first.
          from.shutdownOutput();
          out.write(buffer, 0, read);
          out.flush();
          cuts.incrementAndGet();
          in.read(buffer);
          return;
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException _) {
      // Both ends are closed.
    }
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
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
