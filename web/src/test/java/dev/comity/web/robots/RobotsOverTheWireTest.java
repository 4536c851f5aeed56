package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.testkit.wire.HostileRobots;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.HttpFetcher;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Certificates;
import dev.comity.web.net.Egress;
import dev.comity.web.net.HostHeaders;
import dev.comity.web.net.Resolver;
import dev.comity.web.support.Line;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as servers send them, from the socket to the rule. */
@ParameterizedClass
@EnumSource(Line.class)
class RobotsOverTheWireTest {
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Egress OPEN =
      new Egress(Optional.empty(), HostHeaders.NONE, Certificates.UNVERIFIED);

  private final Line line;

  RobotsOverTheWireTest(Line line) {
    this.line = line;
  }

  static Stream<Arguments> readable() {
    return Stream.of(
        Arguments.of("huge", HostileRobots.huge()),
        Arguments.of("endless", HostileRobots.endless()),
        Arguments.of("with a byte order mark", HostileRobots.byteOrderMark()),
        Arguments.of("UTF-16, large end first", HostileRobots.utf16(StandardCharsets.UTF_16BE)),
        Arguments.of("UTF-16, small end first", HostileRobots.utf16(StandardCharsets.UTF_16LE)),
        Arguments.of("with carriage returns", HostileRobots.carriageReturns()),
        Arguments.of("with zero bytes", HostileRobots.zeroBytes()),
        Arguments.of("a gzip bomb", HostileRobots.gzipBomb()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readable")
  void the_first_500_KiB_of_whatever_comes_are_read_for_their_rules(String name, Script script)
      throws Exception {
    try (ScriptedServer server = line.playing(script)) {
      assertThat(fetched(server)).isInstanceOf(Success.class);
      Success file = (Success) fetched(server);
      assertThat(file.body().length()).isLessThanOrEqualTo(500 * 1024);
      RobotsRules rules = new RobotsTxt("Comity").read(file.body());
      assertThat(rules.allows(server.url("/private/x"))).isFalse();
      assertThat(rules.allows(server.url("/open"))).isTrue();
    }
  }

  @Test
  void a_page_in_the_place_of_the_file_forbids_nothing() throws Exception {
    try (ScriptedServer server = line.playing(HostileRobots.html())) {
      Success file = (Success) fetched(server);
      assertThat(new RobotsTxt("Comity").read(file.body()).allows(server.url("/private"))).isTrue();
    }
  }

  @Test
  void a_file_that_is_cut_off_or_cannot_be_unpacked_is_no_file() throws Exception {
    try (ScriptedServer cut = line.playing(HostileRobots.cutOff());
        ScriptedServer broken = line.playing(HostileRobots.brokenGzip())) {
      assertThat(fetched(cut)).isInstanceOf(ConnectionFailed.class);
      assertThat(fetched(broken)).isInstanceOf(Undecodable.class);
    }
  }

  private static FetchOutcome fetched(ScriptedServer server) throws InterruptedException {
    AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
    guard.named(server.url("/").authority());
    UserAgent agent = new UserAgent("1.2.3", Optional.empty());
    try (HttpFetcher fetcher =
        new HttpFetcher(FetchSettings.DEFAULT, agent, guard, OPEN, InstantSource.system())) {
      return fetcher.fetch(server.url("/robots.txt"), Want.ROBOTS, WAIT, () -> true).outcome();
    }
  }
}
