package dev.comity.core.trap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KinTest {
  @ParameterizedTest
  @CsvSource({
    "/list/#, /list/7, true",
    "/list/#, /list//7, true",
    "/list/#, /list/7/, false",
    "/list/#, /list/seven, false",
    "/list/#?page, /list/7, true",
    "/*.html, /about.html, true",
    "/*.html, /about.htm, false",
    "/shop/**, /shop/shirts/9, true",
    "/shop/**, /shop, false",
    "/**, /anything/at/all, true",
    "/**;sid, /list/7, false",
    "/, /, true",
    "/, //, true",
  })
  void a_url_is_its_templates_own_or_is_not(String template, String target, boolean own) {
    CrawlUrl url = CrawlUrl.of("https://example.com:8443" + target);
    Kin kin = new Kin(template);
    assertThat(kin.hasPlain(url)).isEqualTo(own);
    assertThat(kin.has(UrlTemplate.of(url))).isEqualTo(own);
  }

  @ParameterizedTest
  @CsvSource({
    "/list/#, /list/7?page=2, true",
    "/list/#, /list/7?sid=0123456789abcdef, false",
    "/**;sid, /list/7?sid=0123456789abcdef, true",
    "/**;sid, /list/7?phpsessid=1, false",
  })
  void its_parameters_do_not_matter_unless_they_are_a_session(
      String template, String target, boolean own) {
    CrawlUrl url = CrawlUrl.of("https://example.com" + target);
    assertThat(UrlParts.hasNone(url)).isFalse();
    assertThat(new Kin(template).has(UrlTemplate.of(url))).isEqualTo(own);
  }
}
