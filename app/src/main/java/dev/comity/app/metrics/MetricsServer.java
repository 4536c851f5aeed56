package dev.comity.app.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the meters at {@code /metrics}, and at {@code /health} that the process is there. It only
 * listens, answers nothing else and is told nothing.
 */
public final class MetricsServer implements AutoCloseable {
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String PLAIN = "text/plain; charset=utf-8";

  /**
   * Limits of the JDK's server, read once when it is loaded. Without them it waits for ever for
   * requests and slow readers, on any number of connections, and takes the crawl's descriptors.
   */
  private static final Map<String, String> LIMITS =
      Map.of(
          "jdk.httpserver.maxConnections", "100",
          "sun.net.httpserver.maxReqTime", "10",
          "sun.net.httpserver.maxRspTime", "10");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Meters meters = new Meters(registry);

  private MetricsServer(HttpServer server) {
    this.server = server;
  }

  /** Bounds what strangers may take of this process. To be called before any server is opened. */
  public static void bound() {
    LIMITS.forEach(System.getProperties()::putIfAbsent);
  }

  /** Opens it at this address; at port 0 at one that is free. */
  public static MetricsServer open(InetSocketAddress address) throws IOException {
    MetricsServer metrics = new MetricsServer(HttpServer.create(address, 0));
    metrics.server.createContext("/", metrics::answer);
    metrics.server.setExecutor(metrics.threads);
    metrics.server.start();
    return metrics;
  }

  /** The listener that counts. */
  public Meters meters() {
    return meters;
  }

  /** Where it is. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean known = path.equals("/metrics") || path.equals("/health");
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET");
        send(exchange, 405, PLAIN, "only GET\n");
      } else if (!known) {
        send(exchange, 404, PLAIN, "only /metrics and /health\n");
      } else if (path.equals("/health")) {
        send(exchange, 200, PLAIN, "ok\n");
      } else {
        meters.look();
        send(exchange, 200, METRICS, registry.scrape());
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    // To HEAD the JDK's server sends no body, and complains on standard error if it has a length.
    boolean headersOnly = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, headersOnly ? -1 : bytes.length);
    if (!headersOnly) {
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
    registry.close();
  }
}
