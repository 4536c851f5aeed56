package dev.comity.core.url;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.UrlRefusal.Reason;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedTest {

  @ParameterizedTest
  @CsvSource({
    "example.com, https://example.com/, http://example.com/",
    "' Example.com/a?b ', https://example.com/a?b, http://example.com/a?b",
    "localhost:8080, https://localhost:8080/, http://localhost:8080/",
    "localhost:8080?a, https://localhost:8080/?a, http://localhost:8080/?a",
    "localhost:8080#a, https://localhost:8080/, http://localhost:8080/",
    "[::1], https://[::1]/, http://[::1]/",
    "//example.com, https://example.com/, http://example.com/",
    "www.example.com, https://www.example.com/, http://www.example.com/",
  })
  void a_bare_host_is_asked_by_https_and_then_by_http(String line, String url, String fallback) {
    assertThat(Seed.parse(line))
        .isEqualTo(new Seed(CrawlUrl.of(url), Optional.of(CrawlUrl.of(fallback))));
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com, http://example.com/",
    "HTTPS://example.com/a, https://example.com/a",
    "https://example.com:80/, https://example.com:80/",
    "http:example.com, http://example.com/",
    "example.com:80, http://example.com/",
    "example.com:443/a, https://example.com/a",
    "http://www.com/, http://www.com/",
  })
  void who_names_the_scheme_or_its_port_gets_that(String line, String url) {
    assertThat(Seed.parse(line)).isEqualTo(new Seed(CrawlUrl.of(url), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "com, PUBLIC_SUFFIX",
    "https://co.uk/, PUBLIC_SUFFIX",
    "x.ck, PUBLIC_SUFFIX",
    "'', EMPTY",
    "mailto:a@b, NOT_WEB",
    "file:///etc/hosts, NOT_WEB",
    "localhost:8080a, NOT_WEB",
    "/etc/hosts, NO_HOST",
    "https//example.com, NO_SCHEME",
    "hello world, HOST_CHARACTER",
  })
  void what_is_no_place_to_start_is_refused(String line, Reason reason) {
    assertThat(Seed.parse(line)).isEqualTo(new UrlRefusal(reason, line));
  }

  @Test
  void a_megabyte_of_data_is_refused_for_what_it_is() {
    String line = "data:" + "a".repeat(1 << 20);
    assertThat(Seed.parse(line)).isEqualTo(new UrlRefusal(Reason.NOT_WEB, line));
  }

  @Test
  void a_seed_opens_the_domain_of_its_url() {
    assertThat(((Seed) Seed.parse("www.example.com:8080/a")).domain())
        .isEqualTo(new DomainName("example.com:8080"));
  }
}
