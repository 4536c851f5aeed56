package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
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
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Line.class)
class FetchGuardTest {
  private final Line line;
  private final ScriptedServer server;
  private final AtomicInteger started = new AtomicInteger();

  FetchGuardTest(Line line) {
    this.line = line;
    server = line.playing(Script.alwaysReplying(Replies.html("inside")));
  }

  @AfterEach
  void nothing_was_asked_in_vain() {
    assertThat(server.requests()).hasSize(started.get());
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "2130706433",
        "127.1",
        "0177.0.0.1",
        "0x7f.1",
        "１２７.0.0.1",
        "0x7f000001",
        "017700000001",
        "127.0.1",
        "１２７。１",
        "%31%32%37.1",
        "[::1]",
        "[0:0:0::0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b:1::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:1::80ff:fffe]",
        "[::]",
        "0.0.0.0",
        "0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "100.64.0.1",
        "169.254.0.1",
        "169.254.169.254",
        "0xa9fea9fe",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "224.0.0.1",
        "[ff02::1]",
        "255.255.255.255",
        "192.0.2.1",
        "[2001:db8::1]"
      })
  void an_address_written_into_a_url_is_refused_at_the_door(String host) throws Exception {
    AddressGuard guard = new AddressGuard(Resolver.SYSTEM, true);
    assertThat(fetch(guard, host)).isInstanceOf(AddressDenied.class);
    assertThat(server.connections()).isZero();
  }

  @Test
  void a_name_that_leads_inside_is_refused_at_the_door() throws Exception {
    AddressGuard guard = new AddressGuard(_ -> addresses("127.0.0.1"), true);
    assertThat(fetch(guard, "inward.example")).isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(server.connections()).isZero();
  }

  @Test
  void a_name_that_turns_inward_between_two_lookups_is_refused() throws Exception {
    Deque<String> answers = new ArrayDeque<>(List.of("8.8.8.8", "127.0.0.1"));
    AddressGuard guard = new AddressGuard(_ -> addresses(answers.removeFirst()), true);
    guard.named(at("rebinding.example"));
    assertThat(fetch(guard, "rebinding.example")).isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(server.connections()).isZero();
  }

  @Test
  void a_seed_that_was_inside_from_the_start_is_asked() throws Exception {
    AddressGuard guard = new AddressGuard(_ -> addresses("127.0.0.1"), false);
    guard.named(at("mine.example"));
    assertThat(fetch(guard, "mine.example")).isInstanceOf(Success.class);
    assertThat(started).hasValue(1);
  }

  @Test
  void a_connection_kept_for_a_seed_serves_no_other_host() throws Exception {
    AddressGuard guard = new AddressGuard(_ -> addresses("127.0.0.1"), false);
    guard.named(at("mine.example"));
    try (HttpFetcher fetcher = fetcher(guard)) {
      assertThat(fetch(fetcher, "mine.example")).isInstanceOf(Success.class);
      assertThat(fetch(fetcher, "yours.example")).isEqualTo(new AddressDenied("127.0.0.1"));
    }
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void without_a_contact_nobody_outside_this_machine_is_asked() throws Exception {
    AddressGuard guard = new AddressGuard(_ -> addresses("203.0.113.9", "8.8.8.8"), false);
    assertThat(fetch(guard, "site.example")).isEqualTo(new ContactMissing("8.8.8.8"));
  }

  @Test
  void a_name_without_an_address_is_a_matter_of_dns() throws Exception {
    Resolver none =
        host -> {
          throw new UnknownHostException(host);
        };
    assertThat(fetch(new AddressGuard(none, true), "gone.example"))
        .isEqualTo(new DnsFailed("the name has no address"));
  }

  private Authority at(String host) {
    return new Authority(line.scheme(), host, server.port());
  }

  private FetchOutcome fetch(AddressGuard guard, String host) throws InterruptedException {
    try (HttpFetcher fetcher = fetcher(guard)) {
      return fetch(fetcher, host);
    }
  }

  private FetchOutcome fetch(HttpFetcher fetcher, String host) throws InterruptedException {
    CrawlUrl url = CrawlUrl.of(line.scheme() + "://" + host + ":" + server.port() + "/");
    return fetcher
        .fetch(url, Want.PAGE, Loopback.PATIENT, () -> started.incrementAndGet() > 0)
        .outcome();
  }

  private static HttpFetcher fetcher(AddressGuard guard) {
    return new HttpFetcher(
        FetchSettings.DEFAULT,
        new UserAgent("1.2.3", Optional.empty()),
        guard,
        InstantSource.fixed(Loopback.NOW),
        Line.trust());
  }

  private static List<InetAddress> addresses(String... literals) {
    return List.of(literals).stream().map(InetAddress::ofLiteral).toList();
  }
}
