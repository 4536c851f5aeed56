package dev.comity.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownAuthoritiesTest {

  private static KnownAuthorities after(String... redirects) {
    KnownAuthorities authorities = KnownAuthorities.UNKNOWN;
    for (String redirect : redirects) {
      String[] ends = redirect.split(" ", 2);
      authorities = authorities.redirected(CrawlUrl.of(ends[0]), CrawlUrl.of(ends[1]));
    }
    return authorities;
  }

  private static String now(KnownAuthorities authorities, String url) {
    return authorities.now(CrawlUrl.of(url)).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example/, https://a.example/",
    "http://www.a.example/x?y, http://a.example/x?y",
    "https://a.example/, https://www.a.example/",
    "http://a.example/x, https://www.a.example/x"
  })
  void a_site_that_redirects_to_the_same_path_of_itself_has_moved(String from, String to) {
    String old = CrawlUrl.of(from).authority().toString();
    String current = CrawlUrl.of(to).authority().toString();
    KnownAuthorities authorities = after(from + " " + to);
    assertThat(now(authorities, old + "/other?q=1")).isEqualTo(current + "/other?q=1");
    assertThat(now(authorities, current + "/other")).isEqualTo(current + "/other");
    assertThat(now(authorities, "http://b.example/")).isEqualTo("http://b.example/");
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example/, https://a.example/home",
    "http://a.example/x?y=1, https://a.example/x",
    "http://a.example/, https://b.example/",
    "http://shop.a.example/, http://a.example/",
    "http://a.example/, http://a.example:8080/",
    "https://a.example/, http://a.example/",
    "https://a.example/, http://www.a.example/"
  })
  void any_other_redirect_speaks_for_one_url_only(String from, String to) {
    assertThat(after(from + " " + to)).isEqualTo(KnownAuthorities.UNKNOWN);
  }

  @Test
  void a_url_that_would_become_too_long_stays_where_it_is() {
    KnownAuthorities authorities = after("http://a.example/ https://www.a.example/");
    String start = "http://a.example/";
    String longest = start + "x".repeat(32_768 - start.length());
    assertThat(now(authorities, longest)).isEqualTo(longest);
    assertThat(now(authorities, longest.substring(0, 30_000)))
        .startsWith("https://www.a.example/x");
  }

  @Test
  void who_moves_twice_is_asked_at_the_last_place() {
    KnownAuthorities authorities =
        after(
            "http://www.a.example/ https://www.a.example/",
            "https://www.a.example/ https://a.example/",
            "http://a.example/ http://www.a.example/");
    assertThat(now(authorities, "http://www.a.example/x")).isEqualTo("https://a.example/x");
    assertThat(now(authorities, "https://www.a.example/x")).isEqualTo("https://a.example/x");
    assertThat(now(authorities, "http://a.example/x")).isEqualTo("https://a.example/x");
  }

  @Test
  void a_site_that_contradicts_itself_has_not_moved_and_is_not_believed_again() {
    KnownAuthorities authorities =
        after(
            "https://a.example/ https://www.a.example/",
            "https://www.a.example/x https://a.example/x",
            "https://a.example/ https://www.a.example/");
    assertThat(now(authorities, "https://a.example/")).isEqualTo("https://a.example/");
    assertThat(now(authorities, "https://www.a.example/")).isEqualTo("https://www.a.example/");
  }

  @Test
  void moves_are_bounded_whatever_a_site_says() {
    KnownAuthorities authorities = KnownAuthorities.UNKNOWN;
    for (int i = 0; i < 1000; i++) {
      String host = "h" + i + ".example/";
      authorities =
          authorities.redirected(CrawlUrl.of("http://" + host), CrawlUrl.of("https://" + host));
    }
    assertThat(authorities.moves()).hasSizeLessThan(20);
  }

  @Test
  void only_https_is_remembered_as_safe_and_host_by_host() {
    KnownAuthorities authorities =
        KnownAuthorities.UNKNOWN.opened(CrawlUrl.of("http://a.example/"));
    assertThat(authorities.letInOverHttps("a.example")).isFalse();
    authorities = authorities.opened(CrawlUrl.of("https://a.example/"));
    assertThat(authorities.letInOverHttps("a.example")).isTrue();
    assertThat(authorities.letInOverHttps("b.a.example")).isFalse();
    assertThat(authorities.opened(CrawlUrl.of("https://a.example/2"))).isSameAs(authorities);
  }

  @Test
  void with_more_hosts_than_are_kept_nobody_is_led_from_https_to_http() {
    KnownAuthorities authorities = KnownAuthorities.UNKNOWN;
    for (int i = 0; i < 1000; i++) {
      authorities = authorities.opened(CrawlUrl.of("https://h" + i + ".a.example/"));
    }
    assertThat(authorities.secure()).hasSizeLessThan(20);
    assertThat(authorities.letInOverHttps("h999.a.example")).isTrue();
  }
}
