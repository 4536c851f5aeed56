package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.comity.app.support.ManyHosts;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl with little memory or few file descriptors: it takes longer and loses nothing. */
class ScarcityIT {
  private static final int LARGE = 9_900_000;

  @TempDir private Path directory;

  @Test
  void twenty_four_pages_of_9_9_mb_are_crawled_with_a_heap_of_64_mb() throws IOException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
      server.setExecutor(threads);
      server.createContext("/", ScarcityIT::answer);
      server.start();
      try (Program program =
          Program.start(
              directory,
              List.of("-Xmx64m"),
              List.of(),
              "crawl",
              "http://127.0.0.1:" + server.getAddress().getPort() + "/",
              "--delay=0",
              "-opages.jsonl")) {
        Said said = program.ended();
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).contains("done: 24 pages (24 × 200)");
        assertThat(Files.readAllLines(directory.resolve("pages.jsonl"))).hasSize(24);
      } finally {
        server.stop(0);
      }
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().equals("/robots.txt")) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] page = new byte[LARGE];
      Arrays.fill(page, (byte) 'x');
      byte[] links = links().getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(links, 0, page, 0, links.length);
      exchange.getResponseHeaders().add("Content-Type", "text/html");
      exchange.sendResponseHeaders(200, page.length);
      exchange.getResponseBody().write(page);
    }
  }

  private static String links() {
    StringBuilder links = new StringBuilder("<!doctype html><title>large</title>");
    for (int page = 1; page < 24; page++) {
      links.append("<a href=/").append(page).append(">on</a>");
    }
    return links.toString();
  }

  @Test
  void with_few_file_descriptors_every_page_comes_and_the_lack_is_named() throws IOException {
    try (ManyHosts hosts = new ManyHosts(60, 3)) {
      assumeTrue(hosts.isPossible(), "this system has one loopback address only");
      List<String> arguments = new ArrayList<>(List.of("crawl", "--delay=0", "-opages.jsonl"));
      arguments.addAll(hosts.seeds());
      try (Program program =
          Program.withDescriptors(directory, 70, arguments.toArray(String[]::new))) {
        Said said = program.ended();
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out())
            .contains("Too few file descriptors: the limit is 70.", "ulimit -n", "done: 180 pages")
            .doesNotContain("the network here seems to be down");
        assertThat(Files.readAllLines(directory.resolve("pages.jsonl"))).hasSize(180);
      }
    }
  }
}
