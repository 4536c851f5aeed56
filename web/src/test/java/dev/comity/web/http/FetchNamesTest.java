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
import dev.comity.testkit.wire.NameServer;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.DnsCache;
import dev.comity.web.net.Resolver;
import dev.comity.web.support.AskingNameServer;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Name servers that lie, change their mind or say nothing, each question really asked. */
@ParameterizedClass
@EnumSource(Line.class)
class FetchNamesTest {
  private final Line line;
  private final ScriptedServer server;
  private final NameServer names = NameServer.open();
  private final Resolver resolver = new AskingNameServer(names);

  FetchNamesTest(Line line) {
    this.line = line;
    server = line.playing(Script.alwaysReplying(Replies.html("inside")));
  }

  @AfterEach
  void close() {
    names.close();
    server.close();
  }

  @Test
  void a_private_answer_is_refused_alone_and_left_out_among_public_ones() throws Exception {
    names.answering("inward.example", "127.0.0.1").answering("mixed.example", "127.0.0.1 8.8.8.8");
    // Without a contact the public address is where it ends: nothing leaves this machine.
    AddressGuard guard = new AddressGuard(resolver, false);
    assertThat(fetch(guard, "inward.example")).isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(fetch(guard, "mixed.example")).isEqualTo(new ContactMissing("8.8.8.8"));
    assertThat(server.connections()).isZero();
  }

  @Test
  void a_seed_that_was_public_when_it_was_given_is_refused_when_it_has_turned_inward()
      throws Exception {
    names.answering("rebinding.example", "8.8.8.8", "127.0.0.1");
    AddressGuard guard = new AddressGuard(resolver, true);
    guard.named(at("rebinding.example"));
    assertThat(fetch(guard, "rebinding.example")).isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(names.questions()).hasSize(2);
    assertThat(server.connections()).isZero();
  }

  @Test
  void one_fetch_asks_once_so_what_is_checked_is_what_is_connected_to() throws Exception {
    names.answering("mine.example", "127.0.0.1", "127.0.0.1", "8.8.8.8");
    AddressGuard guard = new AddressGuard(resolver, false);
    guard.named(at("mine.example"));
    assertThat(fetch(guard, "mine.example")).isInstanceOf(Success.class);
    assertThat(names.questions()).hasSize(2);
    assertThat(fetch(guard, "mine.example")).isEqualTo(new ContactMissing("8.8.8.8"));
  }

  @Test
  void what_was_found_is_good_for_a_while_for_checking_and_connecting_alike() throws Exception {
    names.answering("rebinding.example", "8.8.8.8", "127.0.0.1");
    AddressGuard guard = new AddressGuard(cache(Duration.ofSeconds(30)), false);
    guard.named(at("rebinding.example"));
    assertThat(fetch(guard, "rebinding.example")).isEqualTo(new ContactMissing("8.8.8.8"));
    assertThat(names.questions()).hasSize(1);
  }

  @Test
  void a_name_that_does_not_exist_is_a_matter_of_dns() throws Exception {
    AddressGuard guard = new AddressGuard(cache(Duration.ofSeconds(30)), true);
    assertThat(fetch(guard, "gone.example")).isEqualTo(new DnsFailed("the name has no address"));
    assertThat(fetch(guard, "gone.example")).isEqualTo(new DnsFailed("the name has no address"));
    assertThat(names.questions()).hasSize(1);
  }

  @Test
  void a_name_server_that_says_nothing_holds_no_fetch_beyond_its_time() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Resolver silent =
        host -> {
          try {
            never.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
          return List.of(InetAddress.ofLiteral("127.0.0.1"));
        };
    DnsCache cache = new DnsCache(silent, Duration.ofMillis(200), InstantSource.system());
    try {
      assertThat(fetch(new AddressGuard(cache, true), "silent.example"))
          .isEqualTo(new DnsFailed("no name server answered within 0.2 s"));
    } finally {
      never.countDown();
    }
  }

  private DnsCache cache(Duration patience) {
    return new DnsCache(resolver, patience, InstantSource.fixed(Loopback.NOW));
  }

  private Authority at(String host) {
    return new Authority(line.scheme(), host, server.port());
  }

  private FetchOutcome fetch(AddressGuard guard, String host) throws InterruptedException {
    UserAgent agent = new UserAgent("1.2.3", Optional.empty());
    try (HttpFetcher fetcher =
        new HttpFetcher(
            FetchSettings.DEFAULT, agent, guard, InstantSource.fixed(Loopback.NOW), Line.trust())) {
      CrawlUrl url = CrawlUrl.of(line.scheme() + "://" + host + ":" + server.port() + "/");
      return fetcher.fetch(url, Want.PAGE, Loopback.PATIENT, () -> true).outcome();
    }
  }
}
