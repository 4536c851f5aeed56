package dev.comity.app.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many hosts in one server: every loopback address is one. Each has the same pages, which link to
 * their children on the same host and across to other hosts.
 */
public final class ManyHosts implements AutoCloseable {
  private static final int CHILDREN = 10;

  private final int hosts;
  private final int pages;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /** A request as the server saw it come in. */
  record Visit(String host, String url, long nanos, boolean page) {}

  public ManyHosts(int hosts, int pages) throws IOException {
    this.hosts = hosts;
    this.pages = pages;
    server = HttpServer.create(new InetSocketAddress(0), 1000);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Whether this system has more than one loopback address. */
  public boolean isPossible() {
    try (Socket _ = new Socket(InetAddress.getByName(address(2)), port())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private int port() {
    return server.getAddress().getPort();
  }

  private static String address(int host) {
    return "127.0.0." + (host + 2);
  }

  private String url(int host, int page) {
    return "http://" + address(host) + ":" + port() + (page == 0 ? "/" : "/" + page);
  }

  public List<String> seeds() {
    List<String> seeds = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      seeds.add(url(host, 0));
    }
    return seeds;
  }

  /** Every page there is. */
  List<String> everything() {
    List<String> all = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      for (int page = 0; page < pages; page++) {
        all.add(url(host, page));
      }
    }
    return all;
  }

  /** How many requests there were so far. */
  int count() {
    return count.get();
  }

  /** Every request so far, in order of arrival. */
  List<Visit> visits() {
    return List.copyOf(visits);
  }

  private void answer(HttpExchange exchange) throws IOException {
    long now = System.nanoTime();
    try (exchange) {
      String host = exchange.getLocalAddress().getAddress().getHostAddress();
      String path = exchange.getRequestURI().getPath();
      boolean page = !path.equals("/robots.txt");
      count.incrementAndGet();
      visits.add(new Visit(host, "http://" + host + ":" + port() + path, now, page));
      if (!page) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      int number = path.equals("/") ? 0 : Integer.parseInt(path.substring(1));
      int own = Integer.parseInt(host.substring(host.lastIndexOf('.') + 1)) - 2;
      byte[] html = html(own, number).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
      exchange.sendResponseHeaders(200, html.length);
      exchange.getResponseBody().write(html);
    }
  }

  private String html(int host, int page) {
    StringBuilder html = new StringBuilder("<!doctype html><title>Page " + page + "</title>");
    for (int child = 0; child < CHILDREN; child++) {
      int number = page * CHILDREN + child + 1;
      if (number < pages) {
        link(html, host, number);
      }
      link(html, (host + 1 + child * 3) % hosts, (page * 7 + child * 13) % pages);
    }
    return html.toString();
  }

  private void link(StringBuilder html, int host, int page) {
    html.append("<a href=\"").append(url(host, page)).append("\">on</a>\n");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
