package dev.comity.app.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Serves the sites of the demo on loopback, all at one port, told apart by the name they are asked
 * under. It keeps a log of what was asked, from which each can tell how polite its visitor was.
 */
public final class DemoWeb implements AutoCloseable {
  private static final int BACKLOG = 100;

  private final ServerSocket listening;
  private final int closedPort;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, DemoSite> sites = new LinkedHashMap<>();
  private final List<Logged> log = new ArrayList<>();

  /**
   * A line of the log.
   *
   * @param sent bytes of the body that were sent
   */
  public record Logged(String site, String path, int status, Instant at, int sent) {}

  private DemoWeb(ServerSocket listening, int closedPort, Collection<DemoSite> sites) {
    this.listening = listening;
    this.closedPort = closedPort;
    sites.forEach(site -> this.sites.put(site.name(), site));
  }

  /** Opens these sites on a free port of this machine. */
  public static DemoWeb open(Collection<DemoSite> sites) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    ServerSocket listening = new ServerSocket(0, BACKLOG, here);
    // No server listens at a port that was just given back.
    int closedPort;
    try (ServerSocket free = new ServerSocket(0, 1, here)) {
      closedPort = free.getLocalPort();
    }
    DemoWeb web = new DemoWeb(listening, closedPort, sites);
    web.threads.execute(web::accept);
    return web;
  }

  /** Where a crawl of a site starts. */
  public List<String> entrances(DemoSite site) {
    return site.entrances().stream().map(path -> url(site, path)).toList();
  }

  /** The URL of a path of a site. */
  public String url(DemoSite site, String path) {
    int port = site.listens() ? port() : closedPort;
    return "http://" + site.name() + ":" + port + path;
  }

  /** The port that all sites share. */
  public int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket visitor = listening.accept();
        threads.execute(() -> serve(visitor));
      }
    } catch (IOException _) {
      // The demo is over.
    }
  }

  private void serve(Socket visitor) {
    try (visitor) {
      DemoConnection connection = new DemoConnection(visitor);
      for (var request = connection.request();
          request.isPresent();
          request = connection.request()) {
        answer(connection, request.get());
      }
    } catch (IOException _) {
      // The visitor has left.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(DemoConnection connection, DemoConnection.DemoRequest request)
      throws IOException, InterruptedException {
    Instant now = Instant.now();
    @Nullable DemoSite site = sites.get(request.host());
    DemoReply reply =
        site == null
            ? DemoReply.notFound()
            : site.manners().to(new Visit(request.path(), now, port()));
    int line = add(new Logged(request.host(), request.path(), reply.status(), now, 0));
    int sent = connection.reply(reply);
    synchronized (log) {
      log.set(line, new Logged(request.host(), request.path(), reply.status(), now, sent));
    }
  }

  private int add(Logged line) {
    synchronized (log) {
      log.add(line);
      return log.size() - 1;
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

  /** Bytes of bodies that were sent of these paths of a site. */
  public long sent(DemoSite site, Collection<String> paths) {
    return log(site).stream()
        .filter(line -> paths.contains(line.path()))
        .mapToLong(Logged::sent)
        .sum();
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    threads.shutdownNow();
    threads.close();
  }
}
