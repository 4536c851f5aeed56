package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.PortDenied;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Resolver;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Line.class)
class FetchPortsTest {
  private final Line line;

  FetchPortsTest(Line line) {
    this.line = line;
  }

  @ParameterizedTest
  @ValueSource(ints = {21, 22, 25, 53, 110, 143, 445, 587, 993, 1433, 1521, 2375, 2379, 3306, 5432})
  void ports_that_are_not_for_the_web_are_refused_and_not_even_looked_up(int port)
      throws Exception {
    AtomicInteger lookups = new AtomicInteger();
    AddressGuard guard =
        new AddressGuard(
            _ -> {
              lookups.incrementAndGet();
              return List.of(InetAddress.ofLiteral("127.0.0.1"));
            },
            true);
    FetchOutcome outcome = fetch(guard, line.scheme() + "://site.example:" + port + "/");
    assertThat(outcome).isEqualTo(new PortDenied(port));
    assertThat(outcome.category().code()).isEqualTo("port_denied");
    assertThat(lookups).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {80, 81, 443, 591, 3000, 5000, 8000, 8008, 8080, 8443, 8888, 9000, 9443})
  void ports_on_which_web_sites_are_found_are_open(int port) throws Exception {
    AddressGuard guard = new AddressGuard(_ -> List.of(InetAddress.ofLiteral("127.0.0.1")), true);
    assertThat(fetch(guard, line.scheme() + "://site.example:" + port + "/").category())
        .isEqualTo(Category.ADDRESS_DENIED);
  }

  @Test
  void a_closed_port_is_open_to_the_seed_that_names_it_and_to_no_other_host() throws Exception {
    try (ScriptedServer server = onClosedPort()) {
      CrawlUrl seed = server.url("/");
      AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
      guard.named(new Authority("http", "127.0.0.1", 80));
      guard.named(new Authority("http", "localhost", 80));
      assertThat(fetch(guard, seed.toString())).isEqualTo(new PortDenied(server.port()));
      guard.named(seed.authority());
      assertThat(fetch(guard, seed.toString())).isInstanceOf(Success.class);
      assertThat(fetch(guard, line.scheme() + "://localhost:" + server.port() + "/"))
          .isEqualTo(new PortDenied(server.port()));
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  /** On the first of some closed ports that nobody uses here. */
  private ScriptedServer onClosedPort() {
    UncheckedIOException taken = null;
    for (int port : new int[] {6379, 11211, 27017, 9200, 6665, 6668, 10080, 28015}) {
      try {
        return line.at(port, Script.alwaysReplying(Replies.html("named")));
      } catch (UncheckedIOException inUse) {
        taken = inUse;
      }
    }
    throw new AssertionError("every one of these ports is in use", taken);
  }

  private static FetchOutcome fetch(AddressGuard guard, String url) throws InterruptedException {
    UserAgent agent = new UserAgent("1.2.3", Optional.empty());
    try (HttpFetcher fetcher =
        new HttpFetcher(
            FetchSettings.DEFAULT, agent, guard, InstantSource.fixed(Loopback.NOW), Line.trust())) {
      return fetcher.fetch(CrawlUrl.of(url), Want.PAGE, Loopback.PATIENT, () -> true).outcome();
    }
  }
}
