package dev.comity.core.url;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.UrlRefusal.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResolveTest {
  private static final CrawlUrl PAGE = CrawlUrl.of("http://a/b/c/d;p?q");

  /** The examples of RFC 3986 §5.4, with fragments dropped and an odd one read as browsers do. */
  @ParameterizedTest
  @CsvSource({
    "g, http://a/b/c/g",
    "./g, http://a/b/c/g",
    "g/, http://a/b/c/g/",
    "/g, http://a/g",
    "//g, http://g/",
    "?y, http://a/b/c/d;p?y",
    "g?y, http://a/b/c/g?y",
    "#s, http://a/b/c/d;p?q",
    "g#s, http://a/b/c/g",
    "g?y#s, http://a/b/c/g?y",
    ";x, http://a/b/c/;x",
    "g;x, http://a/b/c/g;x",
    "g;x?y#s, http://a/b/c/g;x?y",
    "'', http://a/b/c/d;p?q",
    "., http://a/b/c/",
    "./, http://a/b/c/",
    ".., http://a/b/",
    "../, http://a/b/",
    "../g, http://a/b/g",
    "../.., http://a/",
    "../../, http://a/",
    "../../g, http://a/g",
    "../../../g, http://a/g",
    "../../../../g, http://a/g",
    "/./g, http://a/g",
    "/../g, http://a/g",
    "g., http://a/b/c/g.",
    ".g, http://a/b/c/.g",
    "g.., http://a/b/c/g..",
    "..g, http://a/b/c/..g",
    "./../g, http://a/b/g",
    "./g/., http://a/b/c/g/",
    "g/./h, http://a/b/c/g/h",
    "g/../h, http://a/b/c/h",
    "g;x=1/./y, http://a/b/c/g;x=1/y",
    "g;x=1/../y, http://a/b/c/y",
    "g?y/./x, http://a/b/c/g?y/./x",
    "g?y/../x, http://a/b/c/g?y/../x",
    "g#s/./x, http://a/b/c/g",
    "g#s/../x, http://a/b/c/g",
    "http:g, http://a/b/c/g",
  })
  void the_examples_of_the_standard_hold(String reference, String target) {
    assertThat(PAGE.resolve(reference)).hasToString(target);
  }

  @ParameterizedTest
  @CsvSource({
    "\\g, http://a/g",
    "\\\\g\\h, http://g/h",
    "/\\g, http://g/",
    "///g, http://g/",
    "http:, http://a/b/c/d;p?q",
    "http:/g, http://a/g",
    "http://g, http://g/",
    "http:\\\\g, http://g/",
    "HTTP:?y, http://a/b/c/d;p?y",
    "https:g, https://g/",
    "https:/g, https://g/",
    "' g ', http://a/b/c/g",
    "'g h', http://a/b/c/g%20h",
    "%2e%2E/g, http://a/b/g",
    "g:, ",
    "1:2, http://a/b/c/1:2",
    "./g:h, http://a/b/c/g:h",
    "?, http://a/b/c/d;p",
    "//g:8080/x, http://g:8080/x",
    "//user@g/x, http://g/x",
    "g?, http://a/b/c/g",
    "?x?y/../z, http://a/b/c/d;p?x?y/../z",
    "ü, http://a/b/c/%C3%BC",
  })
  void references_are_read_as_browsers_read_them(String reference, String target) {
    if (target == null) {
      assertThat(PAGE.resolve(reference)).isEqualTo(new UrlRefusal(Reason.NOT_WEB, reference));
    } else {
      assertThat(PAGE.resolve(reference)).hasToString(target);
    }
  }

  @Test
  void tabs_and_line_breaks_hide_neither_slashes_nor_schemes() {
    assertThat(PAGE.resolve("/\t/g")).hasToString("http://g/");
    assertThat(PAGE.resolve("java\nscript:alert(1)"))
        .isEqualTo(new UrlRefusal(Reason.NOT_WEB, "java\nscript:alert(1)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mailto:a@b", "javascript:", "tel:1", "data:,x", "about:blank", "x-y+z.1:"})
  void other_schemes_are_refused(String reference) {
    assertThat(PAGE.resolve(reference)).isEqualTo(new UrlRefusal(Reason.NOT_WEB, reference));
  }

  @Test
  void the_parts_of_a_resolved_url_are_those_of_its_text() {
    CrawlUrl page = CrawlUrl.of("https://example.com:8443/a/b?c/d");
    for (String reference : new String[] {"e", "/e", "../e", "?e", "//f/e"}) {
      CrawlUrl resolved = (CrawlUrl) page.resolve(reference);
      CrawlUrl reread = CrawlUrl.of(resolved.toString());
      assertThat(resolved.authority()).isEqualTo(reread.authority());
      assertThat(resolved.target()).isEqualTo(reread.target());
    }
    assertThat(page.resolve("e")).hasToString("https://example.com:8443/a/e");
  }

  @Test
  void the_shortest_page_resolves_the_shortest_references() {
    CrawlUrl page = CrawlUrl.of("http://a/");
    assertThat(page.resolve(".")).isEqualTo(page);
    assertThat(page.resolve(";")).hasToString("http://a/;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"e", "./e"})
  void a_slash_in_the_query_of_a_page_is_no_folder(String reference) {
    assertThat(CrawlUrl.of("http://a/b/c?/d").resolve(reference)).hasToString("http://a/b/e");
  }
}
