package dev.comity.app.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.comity.app.chaos.ChaosHistory.Visit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Many hosts in one server: every loopback address is one. Pages link to their children, to pages
 * of other hosts, to one that robots.txt denies and to a host that is out of scope. Every tenth
 * host refuses one request for a while. Its log is what the fleet is judged by.
 */
final class ChaosOrigin implements AutoCloseable {
  private static final int CHILDREN = 5;
  private static final int HOSTS_PER_NET = 250;
  private static final int REFUSES_EVERY = 10;
  private static final int REFUSED_PAGE = 2;
  private static final int SLOW_EVERY = 7;
  private static final Duration SLOW = Duration.ofMillis(150);
  private static final String ROBOTS = "User-agent: *\nDisallow: /private/\n";

  private final int hosts;
  private final int pages;
  private final Duration retryAfter;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();
  private final Semaphore asked = new Semaphore(0);
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  private record Answer(int status, String type, String body, Optional<Duration> retryAfter) {}

  /**
   * Opens it.
   *
   * @param retryAfter how long hosts that refuse a request ask to wait; zero: none refuses
   */
  ChaosOrigin(int hosts, int pages, Duration retryAfter) throws IOException {
    this.hosts = hosts;
    this.pages = pages;
    this.retryAfter = retryAfter;
    // Read once, when the class of the server is loaded: one connection for each host stays open.
    System.setProperty("sun.net.httpserver.maxIdleConnections", "20000");
    server = HttpServer.create(new InetSocketAddress(0), 2000);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private String authority(int host) {
    return "127.0.%d.%d:%d"
        .formatted(host / HOSTS_PER_NET, host % HOSTS_PER_NET + 2, server.getAddress().getPort());
  }

  private String url(int host, int page) {
    return "http://" + authority(host) + (page == 0 ? "/" : "/" + page);
  }

  List<String> seeds() {
    return IntStream.range(0, hosts).mapToObj(host -> url(host, 0)).toList();
  }

  /** Every page that is to be had. */
  Set<String> everything() {
    Set<String> all = new HashSet<>();
    for (int host = 0; host < hosts; host++) {
      for (int page = 0; page < pages; page++) {
        all.add(url(host, page));
      }
    }
    return all;
  }

  /** Every URL that may be asked. */
  Set<String> allowed() {
    Set<String> all = everything();
    for (int host = 0; host < hosts; host++) {
      all.add("http://" + authority(host) + "/robots.txt");
    }
    return all;
  }

  /** Every request so far. */
  List<Visit> visits() {
    return List.copyOf(visits);
  }

  /** How many requests were answered so far. */
  int count() {
    return visits.size();
  }

  /** Waits for the next request, but for no longer than this. */
  void awaitRequest(Duration most) throws InterruptedException {
    asked.drainPermits();
    asked.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Instant at = Instant.now();
    try (exchange) {
      String host = exchange.getLocalAddress().getAddress().getHostAddress();
      String path = exchange.getRequestURI().getPath();
      String authority = host + ":" + server.getAddress().getPort();
      Answer answer = answered(host, path);
      // Before the answer is sent: a worker never knows of an answer that the log has not.
      visits.add(
          new Visit(
              authority,
              "http://" + authority + path,
              at,
              Instant.now(),
              answer.status(),
              answer.retryAfter()));
      asked.release();
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", answer.type());
      answer
          .retryAfter()
          .ifPresent(
              time -> exchange.getResponseHeaders().add("Retry-After", "" + time.toSeconds()));
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private Answer answered(String host, String path) {
    if (path.equals("/robots.txt")) {
      return new Answer(200, "text/plain", ROBOTS, Optional.empty());
    }
    String[] parts = host.split("\\.", -1);
    int own = Integer.parseInt(parts[2]) * HOSTS_PER_NET + Integer.parseInt(parts[3]) - 2;
    if (!path.matches("/\\d{0,9}") || own >= hosts) {
      return new Answer(404, "text/plain", "none", Optional.empty());
    }
    int page = path.equals("/") ? 0 : Integer.parseInt(path.substring(1));
    boolean refuses = retryAfter.isPositive() && own % REFUSES_EVERY == 0 && page == REFUSED_PAGE;
    if (refuses && refused.add(host)) {
      return new Answer(429, "text/plain", "later", Optional.of(retryAfter));
    }
    if ((own + page) % SLOW_EVERY == 0) {
      LockSupport.parkNanos(SLOW.toNanos());
    }
    return new Answer(200, "text/html; charset=utf-8", html(own, page), Optional.empty());
  }

  private String html(int host, int page) {
    StringBuilder html = new StringBuilder("<!doctype html><title>Page " + page + "</title>");
    for (int child = 0; child < CHILDREN; child++) {
      int number = page * CHILDREN + child + 1;
      if (number < pages) {
        link(html, url(host, number));
      }
      link(html, url((host + 1 + child * 3) % hosts, (page * 7 + child * 13) % pages));
    }
    link(html, "/private/" + page);
    link(html, "http://127.9.9.9:" + server.getAddress().getPort() + "/");
    return html.toString();
  }

  private static void link(StringBuilder html, String url) {
    html.append("<a href=\"").append(url).append("\">on</a>\n");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
