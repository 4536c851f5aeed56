package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.url.Authority;
import dev.comity.web.net.SeedVerdict.ContactNeeded;
import dev.comity.web.net.SeedVerdict.Welcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverridesTest {

  @Test
  void a_host_is_where_the_user_says_at_that_port_only() throws Exception {
    AddressGuard guard = guard(true, "site.example:80:127.0.0.1,[::1]");
    assertThat(guard.resolve("site.example", 80))
        .containsExactly(address("127.0.0.1"), address("::1"));
    assertThat(guard.resolve("SITE.example", 80)).hasSize(2);
    assertThatThrownBy(() -> guard.resolve("site.example", 443))
        .isInstanceOf(UnknownHostException.class);
    assertThatThrownBy(() -> guard.resolve("other.example", 80))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void a_star_speaks_for_every_name_that_is_not_spoken_for_but_for_no_address() throws Exception {
    AddressGuard guard = guard(true, "site.example:80:127.0.0.2", "*:80:127.0.0.1");
    assertThat(guard.resolve("any.example", 80)).containsExactly(address("127.0.0.1"));
    assertThat(guard.resolve("site.example", 80)).containsExactly(address("127.0.0.2"));
    assertThatThrownBy(() -> guard.resolve("10.0.0.1", 80))
        .isInstanceOf(UnknownHostException.class);
    assertThatThrownBy(() -> guard.admit("10.0.0.1", address("127.0.0.1"), 80))
        .isInstanceOf(AddressRefusal.class);
  }

  @Test
  void of_two_words_about_one_host_the_later_counts() throws Exception {
    AddressGuard guard = guard(true, "site.example:80:127.0.0.1", "site.example:80:127.0.0.2");
    assertThat(guard.resolve("site.example", 80)).containsExactly(address("127.0.0.2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "169.254.0.1", "169.254.169.254", "[fe80::1]"})
  void an_address_the_user_named_is_open_to_that_host_and_port_and_to_nobody_else(String named) {
    InetAddress address = address(named.replaceAll("[\\[\\]]", ""));
    AddressGuard guard = guard(true, "site.example:80:" + named);
    assertThatCode(() -> guard.admit("site.example", address, 80)).doesNotThrowAnyException();
    assertThatThrownBy(() -> guard.admit("site.example", address, 8080))
        .isInstanceOf(AddressRefusal.class);
    assertThatThrownBy(() -> guard.admit("other.example", address, 80))
        .isInstanceOf(AddressRefusal.class);
    assertThatThrownBy(() -> guard.admit("site.example", address("127.0.0.9"), 80))
        .isInstanceOf(AddressRefusal.class);
  }

  @Test
  void a_seed_on_this_machine_needs_no_contact_and_one_elsewhere_does() {
    AddressGuard guard = guard(false, "here.example:80:127.0.0.1", "there.example:80:10.0.0.1");
    assertThat(guard.seed(new Authority("http", "here.example", 80))).isEqualTo(new Welcome());
    assertThat(guard.seed(new Authority("http", "there.example", 80)))
        .isEqualTo(new ContactNeeded("10.0.0.1"));
  }

  /** The user's word opens the address named, not every address of its kind. */
  @Test
  void a_seed_with_an_override_opens_nothing_by_its_kind() {
    AddressGuard guard = guard(true, "here.example:80:127.0.0.1");
    guard.seed(new Authority("http", "here.example", 80));
    assertThatThrownBy(() -> guard.admit("here.example", address("127.0.0.1"), 8080))
        .isInstanceOf(AddressRefusal.class);
  }

  @Test
  void names_are_read_as_in_a_url() throws Exception {
    AddressGuard guard = guard(true, "Bücher.example:443:192.0.2.1");
    assertThat(guard.resolve("xn--bcher-kva.example", 443)).containsExactly(address("192.0.2.1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "site.example | a host, a port and an address",
        "site.example:80 | a host, a port and an address",
        ":80:127.0.0.1 | a host, a port and an address",
        "site.example:http:127.0.0.1 | the port is a number from 1 to 65535",
        "site.example:0:127.0.0.1 | the port is a number from 1 to 65535",
        "site.example:65536:127.0.0.1 | the port is a number from 1 to 65535",
        "site.example:*:127.0.0.1 | the port is a number from 1 to 65535",
        "site.example:80:elsewhere.example | after the port come addresses",
        "site.example:80:127.0.0.1, | after the port come addresses",
        "site.example:80: | after the port come addresses",
        "127.0.0.1:80:127.0.0.2 | the host is a name or *",
        "site.example/path:80:127.0.0.2 | the host is a name or *",
      })
  void what_cannot_be_read_is_refused_with_the_rule_and_the_fix(String text, String rule) {
    assertThatThrownBy(() -> Overrides.parse(text))
        .hasMessageStartingWith("resolve is \"" + text + "\", but ")
        .hasMessageContaining(rule)
        .hasMessageEndingWith(": write it like example.com:443:192.0.2.1");
  }

  private static AddressGuard guard(boolean contactSet, String... rules) {
    Resolver nobody =
        host -> {
          throw new UnknownHostException(host);
        };
    List<Overrides.HostAddresses> all = Stream.of(rules).map(Overrides::parse).toList();
    return new AddressGuard(nobody, contactSet, new Overrides(all));
  }

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }
}
