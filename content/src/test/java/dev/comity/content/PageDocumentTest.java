package dev.comity.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageSignal;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wishes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageDocumentTest {
  private static final CrawlUrl URL = CrawlUrl.of("https://site.example/dir/page");

  @Test
  void text_has_its_paragraphs() {
    String html =
        """
        <html lang=en-GB><title>no</title><meta name=description content=" In  short ">
        <nav>Menu</nav><h1>Head</h1><p>One   <b>para</b>graph,<br>two lines.</p><ul><li>a<li>b</ul>
        <table><tr><td>x<td>y</table><pre>  code
          more</pre><script>no</script><p>&nbsp;</p>End
        """;
    PageDocument page = PageDocument.parse(URL, html);
    assertThat(page.text())
        .isEqualTo(
            "Menu\n\nHead\n\nOne paragraph,\ntwo lines.\n\na\nb\n\nx y\n\n  code\n  more\n\nEnd");
    assertThat(page.language()).contains("en-GB");
    assertThat(page.description()).contains("In short");
    assertThat(PageDocument.parse(URL, "").text()).isEmpty();
    assertThat(PageDocument.parse(URL, "<html lang='\"x'>").language()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "h1 | Head",
        ".price | 1 € ; 2 €",
        "a@href | https://site.example/dir/x",
        "a@data-id | 7",
        "[data-id='7'] | link",
        "img@src | https://site.example/i.png",
        ".none | ''",
      })
  void fields_are_selected_by_css(String selector, String expected) {
    String html =
        "<h1> Head </h1><p class=price>1 €<p class=price>2\n€<a href=x data-id=7>link</a><a>no</a>"
            + "<img src=/i.png>";
    List<String> found =
        PageDocument.parse(URL, html.replace("2\n€<a", "2\n€</p><a"))
            .select(FieldSelector.of(selector));
    assertThat(String.join(" ; ", found)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "@href", "a[", "a >> b", ":nope(", "a:has("})
  void a_selector_that_is_none_is_refused(String selector) {
    assertThatThrownBy(() -> FieldSelector.of(selector))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("selector");
  }

  @Test
  void front_matter_is_yaml_whatever_the_page_says() {
    FrontMatter matter =
        new FrontMatter(
            URL,
            Optional.of("A \"title\"\n---\\ \u2028\ud800 \ud83d\ude00"),
            Instant.parse("2026-11-16T12:00:00Z"),
            Optional.of("en"),
            Optional.empty(),
            Wishes.of(List.of(new Wish(UsageSignal.NO_AI, Wish.FoundIn.META, "robots: noai"))),
            "00ff");
    assertThat(matter)
        .hasToString(
            """
            ---
            url: "https://site.example/dir/page"
            title: "A \\"title\\"\\u000a---\\\\ \\u2028\\ud800 \ud83d\ude00"
            date: 2026-11-16T12:00:00Z
            lang: "en"
            wishes:
              - "the page: robots: noai"
            sha256: "00ff"
            ---

            """);
  }
}
