package dev.comity.core.url;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.UrlRefusal.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0X7F.1",
        "127.1",
        "127.0.1",
        "0177.0.0.01",
        "127.0.0.1.",
        "１２７．０．０．１",
        "127。0。0。1",
        "%31%32%37.0.0.1",
        "①②⑦.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::FFFF:7f00:1]",
        "[0:0:0:0:0:ffff:127.0.0.1]"
      })
  void an_ipv4_address_has_one_spelling(String spelling) {
    assertThat(host(spelling)).isEqualTo("127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.0.0.0",
    "4294967295, 255.255.255.255",
    "0x, 0.0.0.0",
    "1.0x, 1.0.0.0",
    "255.16777215, 255.255.255.255"
  })
  void short_forms_fill_the_bytes_that_are_left(String spelling, String address) {
    assertThat(host(spelling)).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "256.0.0.1",
        "1.2.3.4.5",
        "4294967296",
        "1.16777216",
        "09",
        "a.1",
        "1..2",
        "x.0x1",
        "0x7g.1",
        "99999999999999999999",
        "1.2.3.256"
      })
  void a_host_that_ends_in_a_number_is_an_address_or_nothing(String spelling) {
    assertThat(refusal(spelling)).isEqualTo(Reason.NOT_IPV4);
  }

  @ParameterizedTest
  @CsvSource({
    "1.example, 1.example",
    "example.1a, example.1a",
    "1.0xg, 1.0xg",
    "a_b.Example, a_b.example",
    "-a-.b-, -a-.b-",
    "r3---sn.example, r3---sn.example",
    "exam%70le.com, example.com",
  })
  void names_are_only_lower_cased(String spelling, String name) {
    assertThat(host(spelling)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "[::], [::]",
    "[::1], [::1]",
    "[0:0:0:0:0:0:0:1], [::1]",
    "[2001:DB8::0:1], [2001:db8::1]",
    "[2001:db8:0:0:1:0:0:1], [2001:db8::1:0:0:1]",
    "[1:0:0:2:0:0:0:3], [1:0:0:2::3]",
    "[1:2:3:4:5:6:7::], [1:2:3:4:5:6:7:0]",
    "[0001:2:3:4:5:6:7:8], [1:2:3:4:5:6:7:8]",
    "[64:ff9b::1.2.3.4], [64:ff9b::102:304]",
    "[::1.2.3.4], [::102:304]",
    "[1:2:3:4:5:6:1.2.3.4], [1:2:3:4:5:6:102:304]",
    "[1::], [1::]",
    "[::1.2.3.255], [::102:3ff]",
    "[2001:db8::ffff:102:304], [2001:db8::ffff:102:304]",
  })
  void an_ipv6_address_is_written_as_rfc_5952_has_it(String spelling, String address) {
    assertThat(host(spelling)).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "[]",
        "[:]",
        "[:::]",
        "[1]",
        "[1:2:3:4:5:6:7]",
        "[1:2:3:4:5:6:7:8:9]",
        "[1::2::3]",
        "[::1::2]",
        "[12345::]",
        "[::g]",
        "[1:]",
        "[::1",
        "[::1]x",
        "[::1.2.3]",
        "[::1.2.3.256]",
        "[::01.2.3.4]",
        "[1:2:3:4:5:6:7:1.2.3.4]",
        "[::1.2.3.4:5]",
        "[:1:2:3:4:5:6:7:8]",
        "[1:2:3:4:5:6:7:8::]",
        "[::1.2.3.4.]",
        "[1:2:3:4::5:6:7:8]"
      })
  void what_is_no_ipv6_address_is_refused(String spelling) {
    assertThat(refusal(spelling)).isEqualTo(Reason.NOT_IPV6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[fe80::1%eth0]", "[fe80::1%25eth0]"})
  void an_address_with_a_zone_is_refused(String spelling) {
    assertThat(refusal(spelling)).isEqualTo(Reason.ZONE);
  }

  @ParameterizedTest
  @CsvSource({
    "münchen.de, xn--mnchen-3ya.de",
    "MÜNCHEN.de, xn--mnchen-3ya.de",
    "m%C3%BCnchen.de, xn--mnchen-3ya.de",
    "www.xn--mnchen-3ya.de, www.xn--mnchen-3ya.de",
    "mu\u0308nchen.de, xn--mnchen-3ya.de",
    "XN--MNCHEN-3YA.DE, xn--mnchen-3ya.de",
    "faß.de, xn--fa-hia.de",
    "☃.net, xn--n3h.net",
    "例え。テスト, xn--r8jz45g.xn--zckzah",
    "ex\u00adample.com, example.com",
    "ü_b.com, xn--_b-wka.com",
    "-ü-.com, xn-----xka.com",
  })
  void names_beyond_ascii_become_what_dns_knows(String spelling, String name) {
    assertThat(host(spelling)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "xn--a.de, FALSE_PUNYCODE",
    "xn--a, FALSE_PUNYCODE",
    "www.xn--a.de, FALSE_PUNYCODE",
    "xn--.de, FALSE_PUNYCODE",
    "xn--abc-.de, FALSE_PUNYCODE",
    "xn--0.pt, FALSE_PUNYCODE",
    "xn--münchen.de, FALSE_PUNYCODE",
    "a\u202eb.com, NAME_CHARACTER",
    "a\u0080b.com, NAME_CHARACTER",
    "%C3.com, NAME_CHARACTER",
    "\u0301a.com, LEADING_MARK",
    "1א.com, MIXED_DIRECTIONS",
    "a\u200cb.com, JOINER",
    "xn--1ug.com, JOINER",
    "a\u3002\u3002b, EMPTY_LABEL",
    "\u00ad.com, EMPTY_LABEL",
    "ü a.com, HOST_CHARACTER",
    "a／b.com, HOST_CHARACTER",
    "％41.com, HOST_CHARACTER",
  })
  void names_that_lie_or_break_the_rules_of_their_script_are_refused(String name, Reason reason) {
    assertThat(refusal(name)).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "a%00b",
        "a%2fb",
        "a%",
        "a%4",
        "a%2525",
        "a<b",
        "a]",
        "a[b",
        "a,b",
        "*.a",
        "%5B::1%5D"
      })
  void characters_that_no_host_has_are_refused(String spelling) {
    assertThat(refusal(spelling)).isEqualTo(Reason.HOST_CHARACTER);
  }

  @Test
  void half_a_surrogate_pair_is_no_part_of_a_name() {
    assertThat(refusal("a\ud800.com")).isEqualTo(Reason.NAME_CHARACTER);
    // IDNA drops the character in the middle.
    assertThat(refusal("a\udabe\uffa0\udd01.com")).isEqualTo(Reason.NAME_CHARACTER);
    assertThat(refusal("a\ud83d\u00ad\ude00.com")).isEqualTo(Reason.NAME_CHARACTER);
  }

  @Test
  void labels_and_names_have_the_lengths_of_dns() {
    String label = "a".repeat(63);
    String longest = label + "." + label + "." + label + "." + "a".repeat(61);
    assertThat(host(longest)).hasSize(253);
    assertThat(host(longest + ".")).hasSize(253);
    assertThat(host("ü" + longest.substring(8))).hasSize(253);
    assertThat(refusal(longest + "a")).isEqualTo(Reason.HOST_TOO_LONG);
    assertThat(refusal(label + "a")).isEqualTo(Reason.LABEL_TOO_LONG);
    assertThat(refusal(label + "a.com")).isEqualTo(Reason.LABEL_TOO_LONG);
    assertThat(refusal("A" + label + ".com")).isEqualTo(Reason.LABEL_TOO_LONG);
    assertThat(refusal("ü" + label + ".com")).isEqualTo(Reason.LABEL_TOO_LONG);
    assertThat(refusal("ü".repeat(1013))).isEqualTo(Reason.HOST_TOO_LONG);
    assertThat(refusal("%41".repeat(1013))).isEqualTo(Reason.HOST_TOO_LONG);
    assertThat(refusal("a..b")).isEqualTo(Reason.EMPTY_LABEL);
    assertThat(refusal(".a")).isEqualTo(Reason.EMPTY_LABEL);
    assertThat(refusal("a..")).isEqualTo(Reason.EMPTY_LABEL);
  }

  @Test
  void a_spelling_may_be_four_times_as_long_as_a_name_and_every_character_escaped() {
    String vanishing = "\u00ad";
    assertThat(host(vanishing.repeat(1012 - 11) + "example.com")).isEqualTo("example.com");
    assertThat(refusal(vanishing.repeat(1013 - 11) + "example.com"))
        .isEqualTo(Reason.HOST_TOO_LONG);
    assertThat(host("%C2%AD".repeat(504) + "www.example.")).isEqualTo("www.example");
    assertThat(refusal("%C2%AD".repeat(504) + "www2.example.")).isEqualTo(Reason.HOST_TOO_LONG);
  }

  private static String host(String spelling) {
    return CrawlUrl.of("http://" + spelling + "/").host();
  }

  private static Reason refusal(String spelling) {
    return ((UrlRefusal) CrawlUrl.parse("http://" + spelling + "/")).reason();
  }
}
