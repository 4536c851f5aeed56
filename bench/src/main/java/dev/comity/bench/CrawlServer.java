package dev.comity.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
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

  /** How often it looks, so that it knows how late it may be itself. */
  private static final long LOOK_EVERY_MS = 1;

  /**
   * A request as it came in, by this machine's steady clock.
   *
   * @param nanos when it was seen
   * @param since before this it had not come: on a busy machine even a server is late to see things
   */
  record Visit(String host, String path, long nanos, long since) {}

  /** Between two looks. */
  private record Look(long since, long nanos) {}

  private record Caller(Look accepted, ByteBuffer request) {
    /** What had come before the caller was let in was not looked for. */
    long since(Look look) {
      return accepted.nanos() - look.since() < 0 ? look.since() : accepted.since();
    }
  }

  private final ServerSocketChannel listening;
  private final Selector selector;
  private final SecureServer secure;
  private final CrawlWeb web;
  private final Map<String, Map<String, byte[]>> answers = new ConcurrentHashMap<>();
  private final Queue<Visit> visits = new ConcurrentLinkedQueue<>();
  private final long latencyNanos;

  /** Answers that are not due yet, the next one first. */
  private final Queue<Answering> answering = new ArrayDeque<>();

  /** An answer, and when it is due. */
  private record Answering(SocketChannel channel, ByteBuffer answer, long due) {}

  private CrawlServer(
      ServerSocketChannel listening,
      Selector selector,
      SecureServer secure,
      CrawlWeb web,
      Duration latency) {
    this.listening = listening;
    this.selector = selector;
    this.secure = secure;
    this.web = web;
    latencyNanos = latency.toNanos();
  }

  /**
   * Serves a web.
   *
   * @param tls how its hosts prove what they are, for a shape over https
   */
  static CrawlServer open(CrawlShape shape, long seed, SSLContext tls) throws IOException {
    Selector selector = Selector.open();
    ServerSocketChannel listening = ServerSocketChannel.open();
    // At all addresses: those of the hosts are as many as there are hosts.
    listening.bind(new InetSocketAddress(0), 5_000);
    listening.configureBlocking(false);
    listening.register(selector, SelectionKey.OP_ACCEPT);
    SecureServer secure = SecureServer.open(tls);
    int port = shape.https() ? secure.port() : listening.socket().getLocalPort();
    CrawlWeb web = new CrawlWeb(shape.hosts(), shape.pages(), seed, shape.scheme(), port);
    CrawlServer server = new CrawlServer(listening, selector, secure, web, shape.latency());
    IntStream.range(0, shape.hosts())
        .parallel()
        .forEach(host -> server.answers.put(web.authority(host), server.answersOf(host)));
    Thread.ofPlatform().daemon().start(server::serve);
    secure.start(server::answered, shape.latency());
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

  /** One thread for all, which sees what comes without asking another one. */
  private void serve() {
    try {
      long since = System.nanoTime();
      while (true) {
        long called = System.nanoTime();
        selector.select(LOOK_EVERY_MS);
        Look look = new Look(since, System.nanoTime());
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.attachment() instanceof Caller caller) {
            read((SocketChannel) key.channel(), caller, look);
          } else {
            accept(look);
          }
        }
        selector.selectedKeys().clear();
        writeDue(System.nanoTime());
        since = called;
      }
    } catch (ClosedSelectorException _) {
      // All is done.
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void accept(Look look) throws IOException {
    for (SocketChannel channel = listening.accept(); channel != null; ) {
      if (channel.socket().getLocalAddress().isLoopbackAddress()) {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        // Now, not when the look began: only from the next look on it is looked at.
        Look accepted = new Look(look.since(), System.nanoTime());
        Caller caller = new Caller(accepted, ByteBuffer.allocate(LONGEST_REQUEST));
        channel.register(selector, SelectionKey.OP_READ, caller);
      } else {
        channel.close();
      }
      channel = listening.accept();
    }
  }

  /** Nobody here sends the next request before having the answer. */
  private void read(SocketChannel channel, Caller caller, Look look) throws IOException {
    ByteBuffer request = caller.request();
    try {
      if (channel.read(request) <= 0) {
        channel.close();
        return;
      }
      String text = StandardCharsets.ISO_8859_1.decode(request.duplicate().flip()).toString();
      if (text.endsWith("\r\n\r\n")) {
        request.clear();
        ByteBuffer answer = ByteBuffer.wrap(answered(text, look.nanos(), caller.since(look)));
        answering.add(new Answering(channel, answer, look.nanos() + latencyNanos));
      }
    } catch (IOException _) {
      // The crawler has left.
      channel.close();
    }
  }

  private void writeDue(long now) throws IOException {
    while (!answering.isEmpty() && answering.element().due() - now <= 0) {
      Answering next = answering.remove();
      try {
        // It fits into what the system keeps for a connection, so this is one round.
        while (next.answer().hasRemaining()) {
          next.channel().write(next.answer());
        }
      } catch (IOException _) {
        // The crawler has left.
        next.channel().close();
      }
    }
  }

  private byte[] answered(String request, long nanos, long since) {
    String path = request.substring(request.indexOf(' ') + 1, request.indexOf(" HTTP/"));
    int start = request.toLowerCase(Locale.ROOT).indexOf("\r\nhost: ") + "\r\nhost: ".length();
    String host = request.substring(start, request.indexOf("\r\n", start));
    visits.add(new Visit(host, path, nanos, since));
    return answers.getOrDefault(host, Map.of()).getOrDefault(path, NOT_FOUND);
  }

  @Override
  public void close() throws IOException {
    selector.close();
    listening.close();
    secure.close();
  }
}
