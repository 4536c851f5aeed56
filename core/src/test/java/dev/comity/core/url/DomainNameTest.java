package dev.comity.core.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.url.UrlRefusal.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DomainNameTest {

  @ParameterizedTest
  @CsvSource({
    "example.com, example.com",
    "WWW.Example.COM., example.com",
    "http://user@www.example.com/a?b#c, example.com",
    "www.www.example.com, www.example.com",
    "shop.example.com, shop.example.com",
    "wwww.example.com, wwww.example.com",
    "www2.example.com, www2.example.com",
    "example.com:80, example.com",
    "example.com:443, example.com",
    "http://example.com:443/, example.com",
    "https://example.com:80/, example.com",
    "example.com:8080/a, example.com:8080",
    "www.example.com:8080, example.com:8080",
    "//example.com/a, example.com",
    "münchen.de, xn--mnchen-3ya.de",
    "localhost, localhost",
    "localhost:8080, localhost:8080",
    "www.localhost, localhost",
    "www, www",
    "0x7f.1, 127.0.0.1",
    "[0::1], [::1]",
    "[::1]:8080, [::1]:8080",
    "[::ffff:1.2.3.4]:8080, 1.2.3.4:8080",
  })
  void a_domain_has_one_name(String text, String name) {
    assertThat(domain(text)).hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"www.com", "www.co.uk", "www.gov.uk", "www.ck", "www.er", "www.kawasaki.jp"})
  void www_stays_where_it_is_what_was_registered(String name) {
    assertThat(domain(name)).hasToString(name);
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, example.com",
    "a.b.example.com, example.com",
    "shop.example.co.uk, example.co.uk",
    "co.uk, co.uk",
    "com, com",
    "a.city.kawasaki.jp, city.kawasaki.jp",
    "a.b.c.kawasaki.jp, b.c.kawasaki.jp",
    "kawasaki.jp, kawasaki.jp",
    "a.www.ck, www.ck",
    "someone.github.io, github.io",
    "a.b.unlisted, b.unlisted",
    "b.unlisted, b.unlisted",
    "localhost, localhost",
    "localhost:8080, localhost:8080",
    "a.example.com:8080, example.com:8080",
    "1.2.3.4, 1.2.3.4",
    "1.2.3.4:8080, 1.2.3.4:8080",
    "[::1]:8080, [::1]:8080",
    "a.пример.рф, xn--e1afmkfd.xn--p1ai",
  })
  void the_registrable_domain_is_what_stands_before_a_suffix_of_icann(String text, String name) {
    assertThat(domain(text).registrable()).hasToString(name);
  }

  @ParameterizedTest
  @CsvSource({
    "com, true",
    "co.uk, true",
    "x.ck, true",
    "рф, true",
    "com:8080, true",
    "www.ck, false",
    "example.com, false",
    "github.io, false",
    "localhost, false",
    "unlisted, false",
    "1.2.3.4, false",
    "[::1], false",
  })
  void only_what_icann_lists_is_a_public_suffix(String text, boolean suffix) {
    assertThat(domain(text).isPublicSuffix()).isEqualTo(suffix);
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4, true",
    "1.2.3.4:8080, true",
    "[::1], true",
    "[::1]:8080, true",
    "example.com, false",
    "example.com:8080, false",
    "1.example, false",
    "localhost, false",
  })
  void an_address_is_told_from_a_name(String text, boolean address) {
    assertThat(domain(text).isAddress()).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource({
    "'', EMPTY",
    "/etc/passwd, NO_HOST",
    "?q, NO_HOST",
    "\\share, NO_HOST",
    "::1, NO_HOST",
    "mailto:a@b, NOT_WEB",
    "ftp://example.com/, NOT_WEB",
    "example.com:port, NOT_WEB",
    "example.com:0, PORT",
    "a b, HOST_CHARACTER",
    "1.2.3.4.5, NOT_IPV4",
    "https//example.com, NO_SCHEME",
    "1http://example.com, NO_SCHEME",
    "\uFEFFhttps://example.com, NO_SCHEME",
  })
  void what_cannot_be_a_domain_is_refused(String text, Reason reason) {
    assertThat(DomainName.parse(text)).isEqualTo(new UrlRefusal(reason, text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Example.com", "a b", "http://a/"})
  void only_a_canonical_name_is_taken_back(String text) {
    assertThatThrownBy(() -> new DomainName(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not the canonical name of a domain");
  }

  @ParameterizedTest
  @CsvSource({
    "http://www.a.example.com/, BY_HOST, a.example.com",
    "http://www.a.example.com/, BY_REGISTRABLE_DOMAIN, example.com",
    "http://a.example.com:81/, BY_REGISTRABLE_DOMAIN, example.com:81",
    "http://www.com/, BY_REGISTRABLE_DOMAIN, www.com",
  })
  void a_grouping_names_the_domain_of_a_url(String url, Grouping grouping, String name) {
    assertThat(grouping.domainOf(CrawlUrl.of(url))).hasToString(name);
  }

  private static DomainName domain(String text) {
    return (DomainName) DomainName.parse(text);
  }
}
