package dev.comity.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoorsTest {

  private static Doors after(String... redirects) {
    Doors doors = Doors.UNKNOWN;
    for (String redirect : redirects) {
      String[] ends = redirect.split(" ", 2);
      doors = doors.redirected(CrawlUrl.of(ends[0]), CrawlUrl.of(ends[1]));
    }
    return doors;
  }

  private static String now(Doors doors, String url) {
    return doors.now(CrawlUrl.of(url)).toString();
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
    Doors doors = after(from + " " + to);
    assertThat(now(doors, old + "/other?q=1")).isEqualTo(current + "/other?q=1");
    assertThat(now(doors, current + "/other")).isEqualTo(current + "/other");
    assertThat(now(doors, "http://b.example/")).isEqualTo("http://b.example/");
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
    assertThat(after(from + " " + to)).isEqualTo(Doors.UNKNOWN);
  }

  @Test
  void a_url_that_would_become_too_long_stays_where_it_is() {
    Doors doors = after("http://a.example/ https://www.a.example/");
    String start = "http://a.example/";
    String longest = start + "x".repeat(32_768 - start.length());
    assertThat(now(doors, longest)).isEqualTo(longest);
    assertThat(now(doors, longest.substring(0, 30_000))).startsWith("https://www.a.example/x");
  }

  @Test
  void who_moves_twice_is_asked_at_the_last_place() {
    Doors doors =
        after(
            "http://www.a.example/ https://www.a.example/",
            "https://www.a.example/ https://a.example/",
            "http://a.example/ http://www.a.example/");
    assertThat(now(doors, "http://www.a.example/x")).isEqualTo("https://a.example/x");
    assertThat(now(doors, "https://www.a.example/x")).isEqualTo("https://a.example/x");
    assertThat(now(doors, "http://a.example/x")).isEqualTo("https://a.example/x");
  }

  @Test
  void a_site_that_contradicts_itself_has_not_moved_and_is_not_believed_again() {
    Doors doors =
        after(
            "https://a.example/ https://www.a.example/",
            "https://www.a.example/x https://a.example/x",
            "https://a.example/ https://www.a.example/");
    assertThat(now(doors, "https://a.example/")).isEqualTo("https://a.example/");
    assertThat(now(doors, "https://www.a.example/")).isEqualTo("https://www.a.example/");
  }

  @Test
  void moves_are_bounded_whatever_a_site_says() {
    Doors doors = Doors.UNKNOWN;
    for (int i = 0; i < 1000; i++) {
      String host = "h" + i + ".example/";
      doors = doors.redirected(CrawlUrl.of("http://" + host), CrawlUrl.of("https://" + host));
    }
    assertThat(doors.moves()).hasSizeLessThan(20);
  }

  @Test
  void only_https_is_remembered_as_safe_and_host_by_host() {
    Doors doors = Doors.UNKNOWN.opened(CrawlUrl.of("http://a.example/"));
    assertThat(doors.letInOverHttps("a.example")).isFalse();
    doors = doors.opened(CrawlUrl.of("https://a.example/"));
    assertThat(doors.letInOverHttps("a.example")).isTrue();
    assertThat(doors.letInOverHttps("b.a.example")).isFalse();
    assertThat(doors.opened(CrawlUrl.of("https://a.example/2"))).isSameAs(doors);
  }

  @Test
  void with_more_hosts_than_are_kept_nobody_is_led_from_https_to_http() {
    Doors doors = Doors.UNKNOWN;
    for (int i = 0; i < 1000; i++) {
      doors = doors.opened(CrawlUrl.of("https://h" + i + ".a.example/"));
    }
    assertThat(doors.secure()).hasSizeLessThan(20);
    assertThat(doors.letInOverHttps("h999.a.example")).isTrue();
  }
}
