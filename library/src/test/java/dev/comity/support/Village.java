package dev.comity.support;

import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.SeenRequest;
import dev.comity.testkit.wire.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A site on loopback of three pages, one of which its robots.txt keeps to itself. */
public final class Village implements AutoCloseable {
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final ScriptedServer server = ScriptedServer.playing(this::serve);

  public Village() {
    answers.put(
        "/robots.txt",
        Replies.ok(
            "text/plain", "User-agent: *\nDisallow: /private\n".getBytes(StandardCharsets.UTF_8)));
    answers.put(
        "/",
        Replies.html(
            "<title>Home</title><p>Welcome <a href=/inn>inn</a> <a href=/private>private</a>"));
    answers.put("/inn", Replies.html("<title>Inn</title><p>Full <a href=/>home</a>"));
  }

  /** Answers otherwise, or at one more place. */
  public Village with(String path, String reply) {
    answers.put(path, reply);
    return this;
  }

  private void serve(Wire wire) throws IOException {
    Optional<SeenRequest> request = wire.request();
    while (request.isPresent()) {
      wire.send(answers.getOrDefault(path(request.get()), Replies.status("404 Not Found")));
      request = wire.request();
    }
  }

  public String url(String path) {
    return server.url(path).toString();
  }

  /** The paths that were asked for, in order of arrival. */
  public List<String> asked() {
    return server.requests().stream().map(Village::path).toList();
  }

  /** When pages were asked for; robots.txt is none. */
  public List<Instant> starts() {
    return server.requests().stream()
        .filter(request -> !path(request).equals("/robots.txt"))
        .map(SeenRequest::at)
        .toList();
  }

  private static String path(SeenRequest request) {
    return request.line().split(" ", -1)[1];
  }

  @Override
  public void close() {
    server.close();
  }
}
