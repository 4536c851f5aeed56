package dev.comity.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Setup;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics are read while a crawl runs, and compared with what its site saw. */
class MetricsTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> get(int port, String path) {
    return ask(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build());
  }

  private HttpResponse<String> ask(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** The lines that are no comments, by name and labels. */
  private static Map<String, Double> parsed(String text) {
    return text.lines()
        .filter(line -> !line.startsWith("#"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Said quiet(Site site, String... flags) {
    String[] all = {site.url("/"), "--delay", "0", "--quiet"};
    return Commands.crawl(Stream.concat(Stream.of(all), Stream.of(flags)).toArray(String[]::new));
  }

  @Test
  void told_to_be_quiet_a_crawl_says_where_they_are_only_if_nobody_could_know() throws IOException {
    try (Site site = Site.open().page("/", "Home")) {
      Said known = quiet(site, "--metrics", String.valueOf(freePort()));
      assertThat(known.out().lines()).singleElement().asString().startsWith("done: 1 page ");
      assertThat(known.err()).isEmpty();
      Said any = quiet(site, "--metrics", "0");
      assertThat(any.out().lines()).singleElement().asString().startsWith("done: 1 page ");
      assertThat(any.err()).matches("Metrics are at http://127\\.0\\.0\\.1:[0-9]+/metrics\\.\\R");
      Said logged = quiet(site, "--metrics", "0", "--log-format", "json");
      assertThat(logged.out()).isEmpty();
      assertThat(logged.err()).contains("\"message\":\"Metrics are at http://127.0.0.1:");
    }
  }

  @Test
  void what_is_scraped_during_a_crawl_is_what_the_site_has_seen() throws IOException {
    int port = freePort();
    Map<String, Double> seen = new ConcurrentHashMap<>();
    AtomicInteger refusals = new AtomicInteger();
    try (Site site = Site.open()) {
      site.page("/", "Home", "/gone", "/shy", "/last")
          .play(
              "/shy",
              wire ->
                  wire.send(
                      refusals.getAndIncrement() == 0
                          ? Replies.status("429 Too Many Requests", "Retry-After: 0")
                          : Replies.html("<title>Shy</title>")))
          .reply("/gone", Replies.status("404 Not Found"))
          .play(
              "/last",
              wire -> {
                seen.putAll(parsed(get(port, "/metrics").body()));
                wire.send(Replies.html("<title>Last</title>"));
              });
      Said said =
          Commands.crawl(site.url("/"), "--delay", "100ms", "--metrics", Integer.toString(port));
      assertThat(said.code()).isZero();
      assertThat(said.out()).contains("Metrics are at http://127.0.0.1:" + port + "/metrics.");
      // Before "/last": robots.txt (404), "/", "/gone", "/shy" (429); perhaps "/shy" again.
      double before = site.asked().indexOf("/last");
      assertThat(
              seen.entrySet().stream()
                  .filter(one -> one.getKey().startsWith("comity_requests_total{"))
                  .mapToDouble(Map.Entry::getValue)
                  .sum())
          .isEqualTo(before);
      assertThat(seen)
          .containsEntry("comity_requests_total{outcome=\"client_error\"}", 2.0)
          .containsEntry("comity_requests_total{outcome=\"rate_limited\"}", 1.0)
          .containsEntry("comity_rate_limited_total", 1.0)
          .containsEntry("comity_spacing_violations_total", 0.0)
          .containsEntry("comity_spacing_error_seconds_count", before)
          .containsEntry("comity_latency_seconds_count", before)
          .containsEntry("comity_requests_in_flight", 1.0)
          .containsEntry("comity_limiter_entries", 1.0)
          .containsEntry("comity_domains_claimed", 1.0)
          .containsEntry("comity_claims_total{result=\"won\"}", 1.0)
          .containsEntry("comity_claims_total{result=\"expired\"}", 0.0)
          .containsEntry("comity_claims_total{result=\"lost\"}", 0.0)
          .containsEntry("comity_cancellations_total", 0.0)
          .containsEntry("comity_retries_total", 0.0)
          .containsKeys(
              "comity_concurrency_overrides_total{direction=\"down\"}",
              "comity_urls_queued",
              "comity_domains{status=\"active\"}",
              "comity_spacing_error_seconds_bucket{le=\"0.01\"}",
              "comity_received_bytes_total");
      assertThat(seen.keySet()).noneMatch(name -> name.contains("127.0.0.1"));
      Set<String> names =
          seen.keySet().stream()
              .map(name -> name.replaceFirst("\\{.*", ""))
              .collect(Collectors.toSet());
      assertThat(names).containsAll(shown());
    }
  }

  /** The metrics that the dashboard of deploy asks for. */
  private static Set<String> shown() throws IOException {
    String dashboard =
        Files.readString(Path.of("..", "deploy", "grafana", "dashboards", "fleet.json"));
    Set<String> shown =
        Pattern.compile("\\bcomity_[a-z_]+")
            .matcher(dashboard)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());
    assertThat(shown).hasSizeGreaterThan(6);
    return shown;
  }

  @Test
  void the_server_answers_for_metrics_and_health_only_and_only_while_the_crawl_runs()
      throws IOException {
    int port = freePort();
    Map<String, Integer> statuses = new ConcurrentHashMap<>();
    try (Site site = Site.open()) {
      site.play(
          "/",
          wire -> {
            for (String path :
                new String[] {"/health", "/metrics", "/", "/metrics/x", "/metricsx"}) {
              statuses.put(path, get(port, path).statusCode());
            }
            HttpRequest post =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();
            statuses.put("POST", ask(post).statusCode());
            wire.send(Replies.html("<title>Home</title>"));
          });
      Said said = Commands.crawl(site.url("/"), "--delay", "0", "--metrics", "localhost:" + port);
      assertThat(said.code()).isZero();
    }
    assertThat(statuses)
        .isEqualTo(
            Map.of(
                "/health",
                200,
                "/metrics",
                200,
                "/",
                404,
                "/metrics/x",
                404,
                "/metricsx",
                404,
                "POST",
                405));
    try (ServerSocket again = new ServerSocket(port)) {
      assertThat(again.isBound()).isTrue();
    }
  }

  @Test
  void a_port_that_is_taken_is_named_and_nothing_is_begun() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
        Site site = Site.open().page("/", "Home")) {
      Said said = Commands.crawl(site.url("/"), "--metrics", "" + taken.getLocalPort());
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err())
          .startsWith(
              "comity: metrics is %d, but nothing can be served there: "
                  .formatted(taken.getLocalPort()));
      assertThat(site.asked()).isEmpty();
    }
  }

  @Test
  void a_port_that_is_taken_is_named_with_the_place_that_sets_it(@TempDir Path home)
      throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
        Site site = Site.open().page("/", "Home")) {
      Said said =
          new Setup(home)
              .variable("COMITY_METRICS", "" + taken.getLocalPort())
              .run("crawl", site.url("/"), "--ephemeral");
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err().lines().findFirst().orElseThrow())
          .endsWith(" (environment COMITY_METRICS)");
    }
  }
}
