package dev.comity.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.NullMarked;

/** A web server for any number of hosts that remembers when each of them was asked. */
@NullMarked
final class PaceServer implements AutoCloseable {
  /** Never accepts a connection. */
  static final String DEAD = "dead.example";

  /** Sends a byte a second. */
  static final String SLOW = "slow.example";

  private final ServerSocket listening;
  private final ServerSocket dead;
  private final List<Socket> stuffing = new ArrayList<>();
  private final Map<String, List<Long>> starts = new ConcurrentHashMap<>();

  private PaceServer(ServerSocket listening, ServerSocket dead) {
    this.listening = listening;
    this.dead = dead;
  }

  static PaceServer open() throws IOException {
    PaceServer server = new PaceServer(new ServerSocket(0, 5_000), new ServerSocket(0, 1));
    // Where the queue of those who want in is full, nobody hears anything.
    for (int i = 0; i < 4; i++) {
      Socket socket = new Socket();
      server.stuffing.add(socket);
      try {
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.deadPort()), 200);
      } catch (IOException _) {
        break;
      }
    }
    Thread.ofPlatform().daemon().start(server::accept);
    return server;
  }

  int port() {
    return listening.getLocalPort();
  }

  int deadPort() {
    return dead.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      socket.setTcpNoDelay(true);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        long at = System.nanoTime();
        String path = line.substring(4, line.indexOf(" HTTP"));
        String host = "";
        for (String header = in.readLine(); header != null && !header.isEmpty(); ) {
          if (header.startsWith("Host: ")) {
            host = header.substring("Host: ".length()).replaceFirst(":\\d+$", "");
          }
          header = in.readLine();
        }
        List<Long> log = starts.computeIfAbsent(host, _ -> new ArrayList<>());
        synchronized (log) {
          log.add(at);
        }
        answer(socket.getOutputStream(), host, path);
      }
    } catch (IOException | InterruptedException _) {
      // The crawler has left.
    }
  }

  private static void answer(OutputStream out, String host, String path)
      throws IOException, InterruptedException {
    byte[] body = page(host, path).getBytes(StandardCharsets.UTF_8);
    String status = path.equals("/robots.txt") ? "404 Not Found" : "200 OK";
    String head =
        "HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
            .formatted(status, body.length);
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    if (!host.equals(SLOW) || path.equals("/robots.txt")) {
      out.write(body);
      return;
    }
    for (byte one : body) {
      out.write(one);
      out.flush();
      Thread.sleep(1000);
    }
  }

  private static String page(String host, String path) {
    int number = path.startsWith("/page/") ? Integer.parseInt(path.substring(6)) : 0;
    StringBuilder page = new StringBuilder("<title>" + host + " " + number + "</title>");
    for (int next = 1; next <= 5; next++) {
      page.append("<a href=/page/").append(5 * number + next).append(">more</a>");
    }
    return page.toString();
  }

  /** What the hosts' own logs say of the gaps between two requests. */
  void report(Duration delay) {
    List<Double> gaps = new ArrayList<>();
    long requests = 0;
    for (Map.Entry<String, List<Long>> host : starts.entrySet()) {
      if (host.getKey().equals(SLOW)) {
        continue;
      }
      long[] at = host.getValue().stream().mapToLong(Long::longValue).sorted().toArray();
      requests += at.length;
      for (int i = 1; i < at.length; i++) {
        gaps.add((at[i] - at[i - 1]) / 1e9);
      }
    }
    double[] sorted = gaps.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      System.out.println("no two requests to one host");
      return;
    }
    double wanted = delay.toNanos() / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%,d hosts, %,d requests; gaps min %.4f, median %.4f, p99 %.4f, longest %.4f s;"
            + " %d under 99.5 %% of the delay%n",
        starts.size(),
        requests,
        sorted[0],
        sorted[sorted.length / 2],
        sorted[(int) (sorted.length * 0.99)],
        sorted[sorted.length - 1],
        Arrays.stream(sorted).filter(gap -> gap < 0.995 * wanted).count());
  }

  @Override
  public void close() throws IOException {
    listening.close();
    dead.close();
    for (Socket socket : stuffing) {
      socket.close();
    }
  }
}
