package dev.comity.app.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the sites of the demo on loopback, all at one port, told apart by the name they are asked
 * under. It keeps a log of what was asked, from which each can tell how polite its visitor was.
 */
public final class DemoWeb implements AutoCloseable {
  private final HttpServer server;
  private final int closedPort;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, DemoSite> sites = new LinkedHashMap<>();
  private final List<Logged> log = new ArrayList<>();

  /** A line of the log. */
  public record Logged(String site, String path, int status, Instant at) {}

  private DemoWeb(HttpServer server, int closedPort, Collection<DemoSite> sites) {
    this.server = server;
    this.closedPort = closedPort;
    sites.forEach(site -> this.sites.put(site.name(), site));
  }

  /** Opens these sites on a free port of this machine. */
  public static DemoWeb open(Collection<DemoSite> sites) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
    // No server listens at a port that was just given back.
    int closedPort;
    try (ServerSocket free = new ServerSocket(0, 1, here)) {
      closedPort = free.getLocalPort();
    }
    DemoWeb web = new DemoWeb(server, closedPort, sites);
    server.createContext("/", web::answer);
    server.setExecutor(web.threads);
    server.start();
    return web;
  }

  /** Where a crawl of a site starts. */
  public List<String> entrances(DemoSite site) {
    int port = site.listens() ? server.getAddress().getPort() : closedPort;
    return site.entrances().stream()
        .map(path -> "http://" + site.name() + ":" + port + path)
        .toList();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Instant now = Instant.now();
    String path = exchange.getRequestURI().getPath();
    String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    DemoSite site = sites.get(host.replaceFirst(":\\d+$", ""));
    try (exchange) {
      DemoReply reply =
          site == null
              ? DemoReply.notFound()
              : site.manners().to(new Visit(path, now, server.getAddress().getPort()));
      synchronized (log) {
        log.add(new Logged(site == null ? host : site.name(), path, reply.status(), now));
      }
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException _) {
      // The demo is over.
      Thread.currentThread().interrupt();
    }
  }

  /** What was asked of a site, in order. */
  public List<Logged> log(DemoSite site) {
    synchronized (log) {
      return log.stream().filter(line -> line.site().equals(site.name())).toList();
    }
  }

  /** How many requests came in all. */
  public int requests() {
    synchronized (log) {
      return log.size();
    }
  }

  /** Requests for what robots.txt asks to leave alone. */
  public long trespasses() {
    synchronized (log) {
      return log.stream().filter(line -> line.path().startsWith("/private/")).count();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    threads.close();
  }
}
