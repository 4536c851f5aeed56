package dev.comity.core.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.url.UrlRefusal.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrawlUrlTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com/",
        "https://example.com/a/b.html?x=1&y=2",
        "https://example.com:8443/",
        "http://a_b.example.com/~user/;v=1,2/(x)!$&'*+=:@",
        "https://example.com//a///b",
        "https://example.com/%2F%C3%BC?q=%25",
        "https://example.com/?a?b/c",
        "https://example.com/a.b/c..d/e.",
        "http://127.0.0.1:8080/x",
        "http://[2001:db8::1]/",
        "http://xn--mnchen-3ya.de/"
      })
  void a_url_in_normal_form_stays_as_it_is(String text) {
    assertThat(CrawlUrl.of(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "HTTPS://Example.COM/A           | https://example.com/A",
        "http://example.com              | http://example.com/",
        "http://example.com?q            | http://example.com/?q",
        "http://example.com#f            | http://example.com/",
        "http:example.com                | http://example.com/",
        "http:/example.com               | http://example.com/",
        "http:////example.com//a         | http://example.com//a",
        "http:\\\\example.com\\a\\b?c\\d | http://example.com/a/b?c%5Cd",
        "http://example.com\\@evil.com/  | http://example.com/@evil.com/",
        "http://user:pass@example.com/   | http://example.com/",
        "http://a@b@example.com/         | http://example.com/",
        "http://example.com:80/          | http://example.com/",
        "https://example.com:443/        | https://example.com/",
        "https://example.com:80/         | https://example.com:80/",
        "http://example.com:/            | http://example.com/",
        "http://example.com:0008080/     | http://example.com:8080/",
        "http://example.com:65535/       | http://example.com:65535/",
        "HTTP://example.com:65535/       | http://example.com:65535/",
        "http://example.com:1/           | http://example.com:1/",
        "HTTP://example.com:1/           | http://example.com:1/",
        "http://example.com:             | http://example.com/",
        "http://example.com./            | http://example.com/",
        "http://EX%41MPLE.com/           | http://example.com/",
      })
  void the_part_before_the_path_has_one_spelling(String text, String normal) {
    assertThat(CrawlUrl.of(text)).hasToString(normal);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "%7Eu/%41%2d%2E%5f           | ~u/A-._",
        "%2f%c3%bc                   | %2F%C3%BC",
        "%7Eu                        | ~u",
        "%aF                         | %AF",
        "A/%Fa                       | A/%FA",
        "%00%0A%20                   | %00%0A%20",
        "%00%0a%a0                   | %00%0A%A0",
        "ü/€/😀                      | %C3%BC/%E2%82%AC/%F0%9F%98%80",
        "a b                         | a%20b",
        "100%/%zz/%4                 | 100%25/%25zz/%254",
        "%%34%31                     | %2541",
        "a/./b/../c                  | a/c",
        "a/%2e/b/%2E%2e/c            | a/c",
        "../../a                     | a",
        "a/..                        | ``",
        ".                           | ``",
        "..                          | ``",
        "a/b/.                       | a/b/",
        "a//../b                     | a/b",
        ".hidden/...                 | .hidden/...",
        "a?b/../c%2e%2E              | a?b/../c..",
        "?                           | ``",
        "a?#                         | a",
        "a??                         | a??",
        "a?<'>                       | a?%3C'%3E",
      })
  void path_and_query_have_one_spelling(String text, String normal) {
    assertThat(CrawlUrl.of("http://example.com/" + text))
        .hasToString("http://example.com/" + normal);
  }

  @Test
  void what_rfc_3986_does_not_allow_in_a_path_or_query_is_escaped() {
    assertThat(CrawlUrl.of("http://example.com/[]|`^{}\"<>?[]|`^{}\"<>\\"))
        .hasToString(
            "http://example.com/%5B%5D%7C%60%5E%7B%7D%22%3C%3E?%5B%5D%7C%60%5E%7B%7D%22%3C%3E%5C");
  }

  @Test
  void blanks_around_and_line_breaks_inside_are_not_part_of_a_url() {
    assertThat(CrawlUrl.of(" \u0000\thttp://exam\nple.com/a\r\n\tb%4\n1 \u001f"))
        .hasToString("http://example.com/abA");
  }

  @Test
  void every_length_of_utf_8_is_escaped_from_its_first_character_to_its_last() {
    assertThat(CrawlUrl.of("http://example.com/\u007f\u0080\u07ff\u0800\uffff"))
        .hasToString("http://example.com/%7F%C2%80%DF%BF%E0%A0%80%EF%BF%BF");
    assertThat(CrawlUrl.of("http://example.com/\ud800\udc00\udbff\udfff"))
        .hasToString("http://example.com/%F0%90%80%80%F4%8F%BF%BF");
  }

  @Test
  void half_a_surrogate_pair_is_written_as_the_replacement_character() {
    assertThat(CrawlUrl.of("http://example.com/\ud800?\udc00a"))
        .hasToString("http://example.com/%EF%BF%BD?%EF%BF%BDa");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                        | EMPTY",
        "`  `                      | EMPTY",
        "example.com               | NO_SCHEME",
        "/path                     | NO_SCHEME",
        "//example.com/            | NO_SCHEME",
        "ftp://example.com/        | NOT_WEB",
        "javascript:alert(1)       | NOT_WEB",
        "data:,http://example.com/ | NOT_WEB",
        "file:///etc/passwd        | NOT_WEB",
        "FILE://example.com/x      | NOT_WEB",
        "jar:http://example.com/!/ | NOT_WEB",
        "view-source:http://a.com/ | NOT_WEB",
        "blob:http://example.com/1 | NOT_WEB",
        "ws://example.com/         | NOT_WEB",
        "gopher://example.com:70/1 | NOT_WEB",
        "dict://example.com:2628/d | NOT_WEB",
        "ldap://example.com/o      | NOT_WEB",
        "mailto:me@example.com     | NOT_WEB",
        "httpſ://example.com/      | NO_SCHEME",
        "http://                   | NO_HOST",
        "http://@/                 | NO_HOST",
        "http://user@:80/          | NO_HOST",
        "http://?q                 | NO_HOST",
        "http://./                 | NO_HOST",
        "http://example.com:a/     | PORT",
        "http://example.com:0/     | PORT",
        "http://example.com:65536/ | PORT",
        "http://example.com:-1/    | PORT",
        "http://example.com:80:80/ | PORT",
        "http://example.com:99999999999999999999/ | PORT",
      })
  void what_is_no_web_url_is_refused_with_its_reason(String text, Reason reason) {
    assertThat(CrawlUrl.parse(text)).isEqualTo(new UrlRefusal(reason, text));
  }

  @Test
  void a_normal_form_may_have_32768_characters_and_not_one_more() {
    String longest = "http://example.com/" + "a".repeat(32_768 - 19);
    assertThat(CrawlUrl.of(longest).toString()).hasSize(32_768);
    assertThat(CrawlUrl.of(longest + "#and a fragment").toString()).hasSize(32_768);
    assertThat(CrawlUrl.of(longest.replace("http", "HTTP"))).hasToString(longest);
    assertThat(CrawlUrl.of("http://example.com/").resolve("./" + "a".repeat(32_768 - 19)))
        .hasToString(longest);
    assertThat(CrawlUrl.parse(longest + "a")).isEqualTo(new UrlRefusal(Reason.TOO_LONG, longest));
    assertThat(CrawlUrl.of("http://example.com/x/").resolve("a".repeat(32_768 - 21)))
        .isInstanceOf(CrawlUrl.class);
    assertThat(CrawlUrl.of("http://example.com/x/").resolve("a".repeat(32_768 - 20)))
        .isInstanceOf(UrlRefusal.class);
  }

  @Test
  void a_long_spelling_may_have_a_short_normal_form() {
    String spelling = "http://example.com/" + "a/../".repeat(13_000) + "b";
    assertThat(CrawlUrl.of(spelling)).hasToString("http://example.com/b");
    assertThat(CrawlUrl.of("http://example.com/c").resolve("./" + "a/../".repeat(13_000) + "b"))
        .hasToString("http://example.com/b");
  }

  @Test
  void a_text_of_65536_characters_is_read_and_a_longer_one_is_not() {
    String blanks = " ".repeat(65_536 - 12);
    assertThat(CrawlUrl.of("http://a.b/c" + blanks)).hasToString("http://a.b/c");
    assertThat(reason(CrawlUrl.parse("http://a.b/c " + blanks))).isEqualTo(Reason.TOO_LONG);
    CrawlUrl page = CrawlUrl.of("http://example.com/");
    assertThat(page.resolve("//a.b/cdefgh" + blanks)).hasToString("http://a.b/cdefgh");
    assertThat(reason(page.resolve("//a.b/cdefgh " + blanks))).isEqualTo(Reason.TOO_LONG);
    assertThat(DomainName.parse("example.com." + blanks)).hasToString("example.com");
    assertThat(DomainName.parse("example.com. " + blanks))
        .isEqualTo(new UrlRefusal(Reason.TOO_LONG, "example.com. " + blanks));
  }

  @Test
  void a_megabyte_is_refused_for_its_scheme_if_that_is_foreign_and_else_for_its_length() {
    String megabyte = "a".repeat(1 << 20);
    assertThat(reason(CrawlUrl.parse("data:text/html," + megabyte))).isEqualTo(Reason.NOT_WEB);
    assertThat(reason(CrawlUrl.parse("http://example.com/" + megabyte))).isEqualTo(Reason.TOO_LONG);
    assertThat(reason(CrawlUrl.of("http://example.com/").resolve(megabyte)))
        .isEqualTo(Reason.TOO_LONG);
    assertThat(reason(CrawlUrl.of("http://example.com/").resolve("data:" + megabyte)))
        .isEqualTo(Reason.NOT_WEB);
  }

  @Test
  void a_url_knows_its_parts() {
    CrawlUrl url = CrawlUrl.of("https://www.Example.com:8443/a?b#c");
    assertThat(url.scheme()).isEqualTo("https");
    assertThat(url.host()).isEqualTo("www.example.com");
    assertThat(url.port()).isEqualTo(8443);
    assertThat(url.target()).isEqualTo("/a?b");
    assertThat(url.authority()).isEqualTo(new Authority("https", "www.example.com", 8443));
    assertThat(url.authority().robotsTxt()).hasToString("https://www.example.com:8443/robots.txt");
    assertThat(url.domain()).hasToString("example.com:8443");
  }

  @Test
  void the_usual_port_is_known_although_it_is_not_written() {
    assertThat(CrawlUrl.of("http://example.com/").port()).isEqualTo(80);
    assertThat(CrawlUrl.of("https://example.com/").port()).isEqualTo(443);
    assertThat(CrawlUrl.of("http://[::1]/").authority().robotsTxt())
        .hasToString("http://[::1]/robots.txt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com",
        "https://example.com",
        "http://example.com:443",
        "https://example.com:80"
      })
  void an_authority_is_written_without_the_usual_port(String authority) {
    assertThat(CrawlUrl.of(authority + "/a").authority()).hasToString(authority);
  }

  @Test
  void spellings_of_one_url_are_equal() {
    assertThat(CrawlUrl.of("HTTP://EXAMPLE.COM:80/%61#x"))
        .isEqualTo(CrawlUrl.of("http://example.com/a"))
        .hasSameHashCodeAs(CrawlUrl.of("http://example.com/a"))
        .isNotEqualTo(CrawlUrl.of("https://example.com/a"));
  }

  @Test
  void a_constant_that_is_no_url_is_the_callers_mistake() {
    assertThatThrownBy(() -> CrawlUrl.of("nonsense"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a URL starts with http:// or https://");
  }

  private static Reason reason(ParsedUrl parsed) {
    return ((UrlRefusal) parsed).reason();
  }

  @Test
  void a_url_found_on_a_page_belongs_where_it_leads() {
    CrawlUrl page = CrawlUrl.of("https://www.example.com:8443/a");
    CrawlUrl sibling = (CrawlUrl) page.resolve("/b");
    assertThat(sibling.authority()).isEqualTo(new Authority("https", "www.example.com", 8443));
    assertThat(sibling.domain().name()).isEqualTo("example.com:8443");
    CrawlUrl other = (CrawlUrl) page.resolve("//www.example.org/b");
    assertThat(other.authority()).isEqualTo(new Authority("https", "www.example.org", 443));
    assertThat(other.domain().name()).isEqualTo("example.org");
  }

  @Test
  void schemes_have_authorities_of_their_own_at_the_same_port() {
    for (String scheme : new String[] {"http", "https", "http"}) {
      CrawlUrl url = CrawlUrl.of(scheme + "://example.com:8080/");
      assertThat(url.authority()).isEqualTo(new Authority(scheme, "example.com", 8080));
    }
  }
}
