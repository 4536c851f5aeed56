package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsoupLinksTest {
  private static final CrawlUrl PAGE = CrawlUrl.of("https://site.example/dir/page");
  private static final Extraction NOTHING = new Extraction(Optional.empty(), List.of(), "");

  private final JsoupLinks links = new JsoupLinks("Comity");

  @Test
  void links_come_once_each_in_document_order() {
    String html =
        """
        <a href="b">1</a><a href="/a?x=1#part">2</a><map><area href="https://other.example/z"></map>
        <a href="b#again">3</a><a>no target</a><link href="style.css"><a href=" c ">4</a>
        """;
    assertThat(targets(html))
        .containsExactly(
            "https://site.example/dir/b",
            "https://site.example/a?x=1",
            "https://other.example/z",
            "https://site.example/dir/c");
  }

  @Test
  void what_is_no_web_address_is_dropped() {
    String html =
        "<a href='javascript:x()'>1</a><a href='mailto:a@b.example'>2</a><a href='http://['>3</a>"
            + "<a href='data:,x'>4</a><a href='https:///'>5</a><a href='/ok'>6</a>";
    assertThat(targets(html)).containsExactly("https://site.example/ok");
  }

  @Test
  void references_into_the_page_are_dropped() {
    assertThat(targets("<a href='#top'>1</a><a href=''>2</a><a href=' '>3</a>")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nofollow", "noopener NOFOLLOW", "ugc\tnofollow"})
  void a_link_that_asks_not_to_be_followed_is_not(String rel) {
    assertThat(targets("<a rel='" + rel + "' href='/no'>x</a><a rel=noopener href='/yes'>y</a>"))
        .containsExactly("https://site.example/yes");
  }

  @ParameterizedTest
  @CsvSource({
    "robots, nofollow, false",
    "ROBOTS, 'noindex, NoFollow', false",
    "robots, none, false",
    "comity, nofollow, false",
    "otherbot, nofollow, true",
    "robots, 'index,follow', true",
    "robots, noindex, true"
  })
  void a_page_can_ask_that_none_of_its_links_be_followed(
      String name, String content, boolean followed) {
    String html =
        "<meta name='" + name + "' content='" + content + "'><title>t</title><a href=/x>x</a>";
    Extraction extraction = links.extract(PAGE, page("text/html", html));
    assertThat(extraction.links()).hasSize(followed ? 1 : 0);
    assertThat(extraction.title()).contains("t");
    assertThat(extraction.text()).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({
    "<base href='/other/'>, https://site.example/other/x",
    "<base href='https://cdn.example/b/'>, https://cdn.example/b/x",
    "<base target=_top><base href='/one/'><base href='/two/'>, https://site.example/one/x",
    "<base href='data:text/html;x'><base href='/two/'>, https://site.example/dir/x",
    "<base href='#'>, https://site.example/dir/x"
  })
  void the_first_base_counts(String base, String target) {
    assertThat(targets(base + "<a href=x>x</a>")).containsExactly(target);
  }

  @Test
  void no_more_than_ten_thousand_links_count() {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < 10_050; i++) {
      html.append("<a href=/").append(i).append(">x</a>");
    }
    assertThat(targets(html.toString())).hasSize(10_000).endsWith("https://site.example/9999");
  }

  @Test
  void a_title_is_one_line_of_at_most_a_thousand_characters() {
    assertThat(title("<title> a \n\t b&amp;c </title>")).contains("a b&c");
    assertThat(title("<title>" + "x".repeat(1_001) + "</title>")).contains("x".repeat(1_000));
    assertThat(title("<title>" + "x".repeat(999) + "😀</title>")).contains("x".repeat(999));
    assertThat(title("<title> </title>")).isEmpty();
    assertThat(title("<p>none</p>")).isEmpty();
  }

  @Test
  void the_text_is_what_a_reader_sees() {
    String html =
        "<head><title>t</title><style>p{}</style></head><body><h1>One</h1><p>two"
            + " <b>three</b></p><script>four()</script><template><p>five <a"
            + " href=/no>x</a></p></template><!-- six -->";
    Extraction extraction = links.extract(PAGE, page("text/html", html));
    assertThat(extraction.text()).isEqualTo("One two three");
    assertThat(extraction.links()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "text/html; charset=utf-8, UTF-8, ''",
    "text/html; Charset=\"iso-8859-1\", windows-1252, ''",
    "text/html; charset=windows-1251, windows-1251, '<meta charset=utf-8>'",
    "text/html, windows-1251, '<meta charset=windows-1251>'",
    "text/html, UTF-8, ''",
    "text/html; charset=klingon, windows-1251, '<meta charset=windows-1251>'",
    "text/html; charset=!!, UTF-8, '<meta charset=klingon>'"
  })
  void the_charset_is_told_by_header_then_meta_then_guessed(
      String type, Charset charset, String meta) {
    String word = charset.equals(Charset.forName("windows-1251")) ? "Привет" : "déjà";
    byte[] bytes = (meta + "<title>" + word + "</title>").getBytes(charset);
    assertThat(links.extract(PAGE, page(type, bytes)).title()).contains(word);
  }

  @Test
  void a_byte_order_mark_outranks_the_header() {
    byte[] utf8 = "\uFEFF<title>déjà</title>".getBytes(StandardCharsets.UTF_8);
    assertThat(links.extract(PAGE, page("text/html; charset=windows-1251", utf8)).title())
        .contains("déjà");
    byte[] utf16 = "\uFEFF<title>déjà</title>".getBytes(StandardCharsets.UTF_16LE);
    assertThat(links.extract(PAGE, page("text/html; charset=utf-8", utf16)).title())
        .contains("déjà");
  }

  @Test
  void a_hundred_thousand_nested_tags_are_a_page_like_any_other() {
    String deep = "<div>".repeat(100_000) + "<a href=/deep>deep</a>";
    assertThat(targets(deep)).containsExactly("https://site.example/deep");
    assertThat(targets("<b><a href=/x>".repeat(20_000))).containsExactly("https://site.example/x");
  }

  @Test
  void a_page_that_overflows_the_stack_costs_itself_only() {
    JsoupLinks fragile =
        new JsoupLinks(
            "Comity",
            (_, _, _) -> {
              throw new StackOverflowError();
            });
    assertThat(fragile.extract(PAGE, page("text/html", "x"))).isEqualTo(NOTHING);
  }

  @Test
  void any_bytes_at_all_give_an_extraction() {
    Random random = new Random(1866);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(3_000)];
      random.nextBytes(bytes);
      assertThat(links.extract(PAGE, page("text/html", bytes)).links()).isEmpty();
    }
  }

  private List<String> targets(String html) {
    return links.extract(PAGE, page("text/html", html)).links().stream()
        .map(CrawlUrl::toString)
        .toList();
  }

  private Optional<String> title(String html) {
    return links.extract(PAGE, page("text/html", html)).title();
  }

  private static Success page(String type, String html) {
    return page(type, html.getBytes(StandardCharsets.UTF_8));
  }

  private static Success page(String type, byte[] bytes) {
    return new Success(200, Headers.of(Map.of("Content-Type", List.of(type))), Body.of(bytes));
  }
}
