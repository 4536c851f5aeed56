package dev.comity.app.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Two sites of 300 pages on loopback, over http and https, that the start cache is trained on. */
public final class TrainingSites {
  /** Enough for the JVM to see which methods matter; it takes a second or two. */
  private static final int PAGES = 300;

  private static final int LINKS = 10;

  private TrainingSites() {}

  /**
   * Opens the sites on free ports, until the process ends; answers where a crawl of each starts.
   *
   * @param keys a key store for https with the password {@code comity}; without one there is none
   */
  public static List<String> open(Optional<Path> keys)
      throws IOException, GeneralSecurityException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<String> seeds = new ArrayList<>();
    seeds.add("http://127.0.0.1:" + begin(HttpServer.create(anyPort, 0)) + "/");
    if (keys.isPresent() && Files.isRegularFile(keys.get())) {
      HttpsServer secure = HttpsServer.create(anyPort, 0);
      secure.setHttpsConfigurator(new HttpsConfigurator(tls(keys.get())));
      seeds.add("https://127.0.0.1:" + begin(secure) + "/");
    }
    return seeds;
  }

  private static int begin(HttpServer server) {
    server.createContext("/", TrainingSites::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server.getAddress().getPort();
  }

  private static SSLContext tls(Path keys) throws IOException, GeneralSecurityException {
    char[] password = "comity".toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, password);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      int page = path.matches("/\\d{1,4}") ? Integer.parseInt(path.substring(1)) : 0;
      boolean isPage = path.equals("/") || (page > 0 && page < PAGES);
      byte[] body = isPage ? page(page) : new byte[0];
      exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
      exchange.getResponseHeaders().set("Content-Encoding", "gzip");
      exchange.sendResponseHeaders(isPage ? 200 : 404, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static byte[] page(int number) {
    StringBuilder html = new StringBuilder("<!doctype html><html><head><title>Page ");
    html.append(number).append("</title></head><body><h1>Page ").append(number).append("</h1>");
    for (int link = 1; link <= LINKS; link++) {
      int to = (number * LINKS + link) % PAGES;
      html.append("<p>Some words about <a href=\"/").append(to).append("\">page ").append(to);
      html.append("</a> &amp; more &mdash; <img src=\"/i").append(to).append(".png\"></p>\n");
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(html.append("</body></html>").toString().getBytes(StandardCharsets.UTF_8));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return packed.toByteArray();
  }
}
