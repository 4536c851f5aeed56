package dev.comity.app.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A site about a lighthouse, served on loopback, with a robots.txt, a moved page, a missing one and
 * a corner it wants left alone. It keeps a log of what was asked, from which it can tell how polite
 * its visitor was.
 */
public final class DemoSite implements AutoCloseable {
  private static final Map<String, String> PAGES =
      Map.of(
          "/", page("The lighthouse", "/history", "/keepers", "/visit", "/private/diary"),
          "/history", page("Two hundred years", "/history/storm", "/old-map", "/"),
          "/history/storm", page("The great storm", "/keepers", "/history"),
          "/keepers",
              page(
                  "The keepers",
                  "/keepers/anna",
                  "/keepers/anna#letters",
                  "/keepers/../keepers/anna"),
          "/keepers/anna", page("Anna, the last keeper", "/keepers", "/boathouse"),
          "/visit", page("Visit us", "/", "/visit?", "/map"),
          "/map", page("Map of the island", "/"),
          "/private/diary", page("The diary nobody may read", "/"));

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> visits = new ArrayList<>();

  private DemoSite(HttpServer server) {
    this.server = server;
  }

  /** Opens the site on a free port of this machine. */
  public static DemoSite open() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    DemoSite site = new DemoSite(server);
    server.createContext("/", site::answer);
    server.setExecutor(site.threads);
    server.start();
    return site;
  }

  /** Where it is. */
  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    synchronized (visits) {
      visits.add(path);
    }
    try (exchange) {
      switch (path) {
        case "/robots.txt" ->
            send(exchange, 200, "text/plain", "User-agent: *\nDisallow: /private/\n");
        case "/old-map" -> {
          exchange.getResponseHeaders().set("Location", "/map");
          send(exchange, 301, "text/plain", "");
        }
        case String known when PAGES.containsKey(known) ->
            send(exchange, 200, "text/html; charset=utf-8", PAGES.get(known));
        default -> send(exchange, 404, "text/html; charset=utf-8", page("Nothing here"));
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private static String page(String title, String... links) {
    StringBuilder html =
        new StringBuilder(
            "<!doctype html><html lang=en><title>" + title + "</title><h1>" + title + "</h1>");
    for (String link : links) {
      html.append("<p><a href=\"").append(link).append("\">").append(link).append("</a>");
    }
    return html.append("</html>").toString();
  }

  /** How many requests came. */
  public int requests() {
    synchronized (visits) {
      return visits.size();
    }
  }

  /** Requests for what robots.txt asks to leave alone. */
  public long trespasses() {
    synchronized (visits) {
      return visits.stream().filter(path -> path.startsWith("/private/")).count();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
