package dev.comity.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.content.support.SavedPages;
import dev.comity.content.support.SavedPages.SavedPage;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MarkdownTest {
  private static final CrawlUrl URL = CrawlUrl.of("https://site.example/dir/page");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)]*)\\)");

  static List<SavedPage> pages() {
    return SavedPages.all();
  }

  @Test
  void there_are_forty_pages() {
    assertThat(pages()).hasSize(40);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_keeps_its_headings_and_text_and_loses_its_navigation(SavedPage page) {
    String markdown = PageDocument.parse(URL, page.html()).markdown();
    for (Element heading : Jsoup.parse(page.content()).select("h1, h2, h3")) {
      String line = "#".repeat(heading.normalName().charAt(1) - '0') + " " + heading.text();
      assertThat(markdown.lines()).as(markdown).contains(line);
    }
    assertThat(markdown).doesNotContain("Nav");
    assertThat(markdown).contains("brought timber, grain and people");
    Matcher links = LINK.matcher(markdown);
    while (links.find()) {
      assertThat(links.group(1)).startsWith("https://site.example/");
    }
    if (page.content().contains("language-java")) {
      assertThat(markdown).contains("```java\nint a = b * c;\nif (a < 1) {\n  return;\n}\n```\n");
    }
    if (page.content().contains("<table")) {
      assertThat(markdown)
          .contains("| Unit | Size |\n| --- | --- |\n| metre | 1 \\| 0 |\n| mile | 1609 |\n");
    }
    if (page.content().contains("Ropes")) {
      assertThat(markdown).contains("- Ropes\n  - Short\n  - Long\n- Maps\n");
      assertThat(markdown).contains("3. Wash\n4. Rest\n");
    }
    if (page.content().contains("boat.jpg")) {
      assertThat(markdown).contains("![A \\[red\\] boat](https://site.example/dir/boat.jpg)");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      value = {
        "<p>a <b>b</b> <i>c</i><s>d</s> ¦ a **b** *c*~~d~~",
        "<p>a<b> b </b>c ¦ a **b** c",
        "<p>1 * 2 _x_ snake_case [y] `z` \\ <q ¦ 1 \\* 2 \\_x\\_ snake_case \\[y\\] \\`z\\` \\\\",
        "<p># no heading ¦ \\# no heading",
        "<p>1. no list ¦ 1\\. no list",
        "<p>- no list ¦ \\- no list",
        "<p>a<br>b ¦ a\\\\nb",
        "<p>x <code>a ` b</code> ¦ x ``a ` b``",
        "<p><code>`</code> ¦ `` ` ``",
        "<a href='/x (1)'>t</a> ¦ [t](https://site.example/x%20%281%29)",
        "<a href='javascript:x'>t</a> ¦ t",
        "<a href='/x'></a>z ¦ z",
        "<h2>Title <a href='#t'>¶</a></h2> ¦ ## Title",
        "<a href=/c><h3>Card</h3><p>text</p></a> ¦ ### Card\\n\\ntext",
        "<dl><dt>T<dd>D</dl> ¦ **T**\\n\\nD",
        "<blockquote><p>a<p>b</blockquote>c ¦ > a\\n>\\n> b\\n\\nc",
        "<ul><li><p>a<p>b<li></ul>c ¦ - a\\n\\n  b\\n\\nc",
        "<table><tr><td>a<td>b<tr><td>c</table> ¦ |  |  |\\n| --- | --- |\\n| a | b |\\n| c |  |",
        "<table><tr><td>only<tr><td>column</table> ¦ only\\n\\ncolumn",
        "<table><tr><th colspan=2>h<tr><td>a<td>b</table> ¦ | h |  |\\n| --- | --- |\\n| a | b |",
        "<p>a<script>x</script><style>y</style><template>z</template><button>w</button> ¦ a",
        "<p hidden>x</p><p>a ¦ a",
        "<hr>a ¦ ---\\n\\na",
      })
  void each_element_is_written_as_markdown(String html, String expected) {
    // Newlines are written as \n, and backslashes as themselves, where they do not stand before n.
    String wanted =
        expected.replace("\\\\n", "\\\u0000").replace("\\n", "\n").replace("\u0000", "\n");
    String markdown = PageDocument.parse(URL, "<body>" + html).markdown();
    assertThat(markdown.stripTrailing()).isEqualTo(wanted);
  }

  @Test
  void a_fence_is_longer_than_any_in_the_code() {
    assertThat(PageDocument.parse(URL, "<pre>\n\n  ```\nx  \n\n</pre>").markdown())
        .isEqualTo("````\n  ```\nx\n````\n");
  }

  @Test
  void a_base_of_the_page_counts_for_its_links() {
    assertThat(PageDocument.parse(URL, "<base href=/other/><p><a href=x>t</a>").markdown())
        .isEqualTo("[t](https://site.example/other/x)\n");
  }
}
