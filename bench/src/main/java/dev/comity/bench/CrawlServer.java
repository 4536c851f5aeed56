package dev.comity.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.NullMarked;

/**
 * Serves a {@link CrawlWeb} and writes down who was asked for what, and when. All answers are made
 * before the first request, packed and with their headers: serving one is reading a request and
 * writing some bytes.
 */
@NullMarked
final class CrawlServer implements AutoCloseable {
  private static final int LONGEST_REQUEST = 16_384;
  private static final byte[] NOT_FOUND = answer("404 Not Found", "", new byte[0]);

  /** A request as it came in, by this machine's steady clock. */
  record Visit(String host, String path, long nanos) {}

  private final ServerSocket listening;
  private final CrawlWeb web;
  private final Map<String, Map<String, byte[]>> answers = new ConcurrentHashMap<>();
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();

  private CrawlServer(ServerSocket listening, CrawlWeb web) {
    this.listening = listening;
    this.web = web;
  }

  static CrawlServer open(int hosts, int pages, long seed) throws IOException {
    // At all addresses: those of the hosts are as many as there are hosts.
    ServerSocket listening = new ServerSocket(0, 5_000);
    CrawlServer server =
        new CrawlServer(listening, new CrawlWeb(hosts, pages, seed, listening.getLocalPort()));
    IntStream.range(0, hosts)
        .parallel()
        .forEach(host -> server.answers.put(server.web.authority(host), server.answersOf(host)));
    Thread.ofPlatform().daemon().start(server::accept);
    return server;
  }

  CrawlWeb web() {
    return web;
  }

  Collection<Visit> visits() {
    return visits;
  }

  private Map<String, byte[]> answersOf(int host) {
    Map<String, byte[]> all = new HashMap<>();
    all.put(
        CrawlWeb.ROBOTS,
        answer("200 OK", "Content-Type: text/plain\r\n", bytes(CrawlWeb.ROBOTS_RULES)));
    for (int page = 0; page < web.pages(); page++) {
      all.put(
          CrawlWeb.path(page),
          answer(
              "200 OK",
              "Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n",
              packed(web.html(host, page))));
      if (CrawlWeb.namesOld(page)) {
        all.put(
            CrawlWeb.oldPath(page),
            answer(
                "301 Moved Permanently", "Location: " + web.movedTo(page) + "\r\n", new byte[0]));
      }
    }
    return all;
  }

  private static byte[] answer(String status, String headers, byte[] body) {
    byte[] head =
        bytes(
            "HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n".formatted(status, headers, body.length));
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  private static byte[] packed(String text) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes(text));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        if (socket.getLocalAddress().isLoopbackAddress()) {
          Thread.ofVirtual().start(() -> serve(socket));
        } else {
          socket.close();
        }
      } catch (IOException _) {
        return;
      }
    }
  }

  /** One request after the other: nobody here sends the next one before having the answer. */
  private void serve(Socket socket) {
    byte[] request = new byte[LONGEST_REQUEST];
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = socket.getInputStream();
      int length = 0;
      for (int more = in.read(request); more > 0; ) {
        long at = System.nanoTime();
        length += more;
        String text = new String(request, 0, length, StandardCharsets.ISO_8859_1);
        if (text.endsWith("\r\n\r\n")) {
          socket.getOutputStream().write(answered(text, at));
          length = 0;
        }
        more = in.read(request, length, LONGEST_REQUEST - length);
      }
    } catch (IOException _) {
      // The crawler has left.
    }
  }

  private byte[] answered(String request, long at) {
    String path = request.substring(request.indexOf(' ') + 1, request.indexOf(" HTTP/"));
    int start = request.toLowerCase(Locale.ROOT).indexOf("\r\nhost: ") + "\r\nhost: ".length();
    String host = request.substring(start, request.indexOf("\r\n", start));
    visits.add(new Visit(host, path, at));
    return answers.getOrDefault(host, Map.of()).getOrDefault(path, NOT_FOUND);
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
