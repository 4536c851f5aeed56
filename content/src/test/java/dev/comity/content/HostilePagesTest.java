package dev.comity.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.HostileHtml;
import dev.comity.testkit.gen.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostilePagesTest {
  private static final CrawlUrl URL = CrawlUrl.of("https://site.example/dir/page");

  /** Ten megabytes each: what is beyond the limit is not parsed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<div>",
        "<b>",
        "<ul><li>",
        "<blockquote>x",
        "<td>x",
        "<tr><td>a<td>b",
        "a<br>",
        "<p>x",
        "<a href=x>y",
        "<i>x</i> ",
        "<h2>x</h2>",
        "<pre>x",
        "`",
        "x ",
        "<svg><p>",
      })
  void a_page_of_ten_megabytes_is_written_within_bounds(String piece) {
    assertBounded(piece.repeat(10_000_000 / piece.length()));
  }

  /** A shorter page: jsoup takes four times as long for tables twice as deep. */
  @Test
  void tables_in_tables_are_written_within_bounds() {
    assertBounded("<table><tr><td>".repeat(15_000));
  }

  private static void assertBounded(String html) {
    PageDocument page = PageDocument.parse(URL, html);
    assertThat(page.text().length()).isLessThanOrEqualTo(Lines.MOST + PageDocument.LONGEST_PAGE);
    assertThat(page.markdown().length()).isLessThanOrEqualTo(2 * Lines.MOST);
    assertThat(page.select(FieldSelector.of("p, b, td"))).hasSizeLessThanOrEqualTo(1_000);
  }

  @Test
  void any_page_gives_text_and_markdown() {
    Property.holds(
        500,
        HostileHtml.wild(),
        html -> {
          PageDocument page = PageDocument.parse(URL, html);
          assertThat(page.text()).doesNotContain("\r").doesNotContain("\n\n\n");
          assertThat(page.markdown()).doesNotContain("](javascript:").doesNotContain("](data:");
        });
  }
}
