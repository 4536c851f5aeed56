package dev.comity.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class MetricsServerTest {
  /** Held: the JDK forgets loggers nobody holds, and with them who listens. */
  private final Logger jdk = Logger.getLogger("com.sun.net.httpserver");

  private final List<String> said = Collections.synchronizedList(new ArrayList<>());

  private final Handler hearing =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
            said.add(record.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @Test
  void who_asks_for_headers_alone_makes_nothing_appear_on_standard_error() throws Exception {
    jdk.addHandler(hearing);
    try (MetricsServer server =
            MetricsServer.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = HttpClient.newHttpClient()) {
      URI metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(server.address().getPort()));
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(metrics).HEAD().build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(405);
      assertThat(answer.headers().firstValue("Allow")).contains("GET");
      assertThat(said).isEmpty();
    } finally {
      jdk.removeHandler(hearing);
    }
  }
}
