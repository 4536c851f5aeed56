package dev.comity.app.support;

import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.SeenRequest;
import dev.comity.testkit.wire.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A small site on loopback, told path by path what to answer. Whatever it was not told of,
 * robots.txt included, is not found.
 */
public final class Site implements AutoCloseable {
  private final Map<String, Script> answers = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> arrivals = new ConcurrentHashMap<>();
  private final ScriptedServer server = ScriptedServer.playing(this::serve);

  public static Site open() {
    return new Site();
  }

  /** A page of that title with links to these places. */
  public Site page(String path, String title, String... links) {
    return reply(path, Replies.html(html(title, links)));
  }

  public Site robots(String... lines) {
    byte[] rules = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return reply("/robots.txt", Replies.ok("text/plain", rules));
  }

  public Site redirect(String path, Object target) {
    return reply(path, Replies.status("302 Found", "Location: " + target));
  }

  public Site reply(String path, String reply) {
    return play(path, wire -> wire.send(reply));
  }

  /** Plays this after a request for that path was read. */
  public Site play(String path, Script script) {
    answers.put(path, script);
    return this;
  }

  public static String html(String title, String... links) {
    StringBuilder html =
        new StringBuilder("<!doctype html><title>" + title + "</title><h1>" + title + "</h1>");
    for (String link : links) {
      html.append("<p><a href=\"").append(link).append("\">on</a>");
    }
    return html.toString();
  }

  public String url(String path) {
    return server.url(path).toString();
  }

  public int port() {
    return server.port();
  }

  public int connections() {
    return server.connections();
  }

  public List<SeenRequest> requests() {
    return server.requests();
  }

  /** The paths that were asked for, in order of arrival. */
  public List<String> asked() {
    return server.requests().stream().map(Site::path).toList();
  }

  /** Waits until somebody asks for that path; the bound only keeps a broken test from hanging. */
  public void awaitRequest(String path) throws InterruptedException {
    if (!arrival(path).await(1, TimeUnit.MINUTES)) {
      throw new AssertionError("nobody asked for " + path + ", only for " + asked());
    }
  }

  private void serve(Wire wire) throws IOException, InterruptedException {
    Optional<SeenRequest> request = wire.request();
    while (request.isPresent()) {
      String path = path(request.get());
      arrival(path).countDown();
      answers.getOrDefault(path, Site::notFound).play(wire);
      request = wire.request();
    }
  }

  private static void notFound(Wire wire) throws IOException {
    wire.send(Replies.status("404 Not Found"));
  }

  private CountDownLatch arrival(String path) {
    return arrivals.computeIfAbsent(path, _ -> new CountDownLatch(1));
  }

  private static String path(SeenRequest request) {
    return request.line().split(" ", -1)[1];
  }

  @Override
  public void close() {
    server.close();
  }
}
