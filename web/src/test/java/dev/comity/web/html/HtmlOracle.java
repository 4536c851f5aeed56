package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.HostileHtml;
import dev.comity.testkit.gen.Property;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** Our reader against one that builds the whole tree, over pages that nobody would write. */
class HtmlOracle {

  @Test
  void a_reader_that_builds_the_tree_finds_the_same_links_and_the_same_text() {
    Property.holds(
        20_000,
        HostileHtml.tame(),
        html -> {
          // Half a surrogate pair cannot be written down; it is replaced where it stands.
          String written =
              new String(html.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
          Document tree = Jsoup.parse(written, Pages.PAGE.toString());
          Extraction page = Pages.read(written);
          assertThat(page.links()).containsExactlyInAnyOrderElementsOf(links(tree));
          assertThat(characters(page.text())).isEqualTo(characters(tree.body().text()));
        });
  }

  /** Without their order: mending wrongly nested tags moves text about, and links with it. */
  private static int[] characters(String text) {
    return text.codePoints().filter(character -> character != ' ').sorted().toArray();
  }

  private static List<CrawlUrl> links(Document tree) {
    return tree.select("a[href], area[href]").stream()
        .filter(link -> !List.of(link.attr("rel").split("\\s+", -1)).contains("nofollow"))
        .map(link -> Pages.PAGE.resolve(link.attr("href")))
        .filter(CrawlUrl.class::isInstance)
        .map(CrawlUrl.class::cast)
        .filter(link -> !Objects.equals(link, Pages.PAGE))
        .distinct()
        .toList();
  }

  @Test
  void no_page_at_all_is_too_strange_and_nothing_read_of_it_is_unfit_to_store() {
    Property.holds(
        20_000,
        HostileHtml.wild(),
        html -> assertThatCode(() -> assertStorable(Pages.read(html))).doesNotThrowAnyException());
  }

  private static void assertStorable(Extraction page) {
    assertThat(page.links()).hasSizeLessThanOrEqualTo(PageWalk.MOST_LINKS);
    for (String text : List.of(page.title().orElse(""), page.text())) {
      assertThat(text).doesNotContain("\0");
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
    }
  }
}
