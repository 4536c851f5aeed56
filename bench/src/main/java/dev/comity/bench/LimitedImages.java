package dev.comity.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.imageio.ImageIO;
import org.jspecify.annotations.NullMarked;

/**
 * Hosts with images, each a loopback address of one server. The first of them refuse what comes
 * sooner than half a second after the last answer, and say 429 without a word on how long to wait.
 * Every hundredth image is missing.
 */
@NullMarked
final class LimitedImages implements AutoCloseable {
  private static final long LIMIT_NANOS = 500_000_000;
  private static final int MISSING_EVERY = 100;
  private static final int SIDE = 64;

  /** A request as its host saw it: when, for which image, and how it was answered. */
  record Request(long nanos, int image, int status) {}

  private final int limited;
  private final int imagesPerHost;
  private final List<List<Request>> requests = new ArrayList<>();
  private final long[] served;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  LimitedImages(int hosts, int limited, int imagesPerHost) throws IOException {
    this.limited = limited;
    this.imagesPerHost = imagesPerHost;
    served = new long[hosts];
    for (int host = 0; host < hosts; host++) {
      requests.add(new ArrayList<>());
      served[host] = System.nanoTime() - LIMIT_NANOS;
    }
    // Answers of two writes wait for an acknowledgement otherwise.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(0), 1000);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  String url(int host, int image) {
    return "http://127.0.%d.%d:%d/%d.png"
        .formatted(1 + host / 200, 1 + host % 200, server.getAddress().getPort(), image);
  }

  boolean exists(int host, int image) {
    return (host * imagesPerHost + image) % MISSING_EVERY != MISSING_EVERY - 1;
  }

  boolean isLimited(int host) {
    return host < limited;
  }

  /** The requests for images that a host had so far, in order. */
  List<Request> requests(int host) {
    synchronized (requests.get(host)) {
      return List.copyOf(requests.get(host));
    }
  }

  /** How many images have their answer, refusals left out. */
  int answered() {
    int answered = 0;
    for (int host = 0; host < served.length; host++) {
      answered += (int) requests(host).stream().filter(one -> one.status() != 429).count();
    }
    return answered;
  }

  private void answer(HttpExchange exchange) throws IOException {
    long now = System.nanoTime();
    try (exchange) {
      byte[] address = exchange.getLocalAddress().getAddress().getAddress();
      int host = (address[2] - 1) * 200 + (address[3] & 0xff) - 1;
      String path = exchange.getRequestURI().getPath();
      if (!path.endsWith(".png")) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      int image = Integer.parseInt(path.substring(1, path.length() - ".png".length()));
      int status = status(host, image, now);
      if (status != 200) {
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      byte[] file = picture(host * imagesPerHost + image);
      exchange.getResponseHeaders().add("Content-Type", "image/png");
      exchange.sendResponseHeaders(200, file.length);
      exchange.getResponseBody().write(file);
    }
  }

  private int status(int host, int image, long now) {
    List<Request> log = requests.get(host);
    synchronized (log) {
      boolean refused = isLimited(host) && now - served[host] < LIMIT_NANOS;
      if (!refused) {
        served[host] = now;
      }
      int status = refused ? 429 : exists(host, image) ? 200 : 404;
      log.add(new Request(now, image, status));
      return status;
    }
  }

  /** No two are the same, so each has a file of its own. */
  private static byte[] picture(int number) throws IOException {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, number + 1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
