package dev.comity.web.html;

import static dev.comity.web.support.Pages.read;
import static dev.comity.web.support.Pages.targets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.web.support.Pages;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlReaderTest {

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
    assertThat(read(html).leftOut()).isZero();
  }

  @Test
  void references_to_the_page_itself_are_dropped() {
    assertThat(targets("<a href='#top'>1</a><a href=''>2</a><a href=' '>3</a><a href=page>4</a>"))
        .isEmpty();
  }

  @Test
  void with_a_base_a_reference_into_the_page_leads_away_from_it() {
    assertThat(targets("<base href='/home'><a href='#top'>1</a>"))
        .containsExactly("https://site.example/home");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nofollow", "noopener NOFOLLOW", "ugc\tnofollow"})
  void a_link_that_asks_not_to_be_followed_is_not(String rel) {
    assertThat(
            targets(
                "<a rel='"
                    + rel
                    + "' href='/no'>x</a><a rel='noopener ugc sponsored nofollowed'"
                    + " href='/yes'>y</a>"))
        .containsExactly("https://site.example/yes");
  }

  @ParameterizedTest
  @CsvSource({
    "<base href='/other/'>, https://site.example/other/x",
    "<base href='https://cdn.example/b/'>, https://cdn.example/b/x",
    "<base target=_top><base href='/one/'><base href='/two/'>, https://site.example/one/x",
    "<base href='data:text/html;x'><base href='/two/'>, https://site.example/dir/x",
    "<base href='JavaScript:x'>, https://site.example/dir/x",
    "<base href='http://['>, https://site.example/dir/x",
    "<template><base href='/no/'></template>, https://site.example/dir/x",
    "<base href='#'>, https://site.example/dir/x"
  })
  void the_first_base_counts(String base, String target) {
    assertThat(targets(base + "<a href=x>x</a>")).containsExactly(target);
  }

  @Test
  void a_base_counts_for_what_stands_before_it_too() {
    assertThat(targets("<a href=x>x</a><base href='/other/'>"))
        .containsExactly("https://site.example/other/x");
  }

  @Test
  void on_a_base_outside_the_web_only_whole_urls_lead_anywhere() {
    assertThat(
            targets(
                "<base href='file:///C:/saved/'><a href=x>1</a><a href='https://a.example/'>2</a>"))
        .containsExactly("https://a.example/");
  }

  @Test
  void frames_refreshes_and_the_pages_before_and_after_are_links() {
    String html =
        """
        <link rel=stylesheet href=/no.css><link rel="Next" href=/2><link rel=prev href=/0>
        <meta http-equiv=Refresh content="5; URL='/later'"><link rel=alternate href=/feed>
        <frameset><frame src=/framed></frameset><iframe src=/inside><a href=/raw></iframe>
        """;
    assertThat(targets(html))
        .containsExactly(
            "https://site.example/2",
            "https://site.example/0",
            "https://site.example/later",
            "https://site.example/framed",
            "https://site.example/inside");
  }

  @Test
  void a_page_that_refreshes_itself_leads_nowhere() {
    assertThat(
            targets(
                "<meta http-equiv=refresh content=0><meta http-equiv=refresh content='0;url=page'>"
                    + "<meta http-equiv=refresh content='0;url='>"))
        .isEmpty();
  }

  @Test
  void the_canonical_url_is_named_and_is_a_link() {
    Extraction page = read("<link rel=canonical href=/real><link rel=canonical href=/second>");
    assertThat(page.canonical()).map(Object::toString).contains("https://site.example/real");
    assertThat(targets("<link rel=canonical href=/real>"))
        .containsExactly("https://site.example/real");
    assertThat(targets("<link rel=canonical href=page>")).isEmpty();
    assertThat(read("<link rel=canonical href=page>").canonical()).contains(Pages.PAGE);
    assertThat(read("<link rel=canonical href='mailto:x'>").canonical()).isEmpty();
  }

  @Test
  void the_link_header_counts_from_the_page_and_not_from_its_base() {
    String[] headers = {
      "Link: <next>; rel=next, </style>; rel=preload", "Link: </real>; rel=\"canonical\""
    };
    assertThat(targets("<base href=/other/><a href=x>x</a>", headers))
        .containsExactly(
            "https://site.example/dir/next",
            "https://site.example/real",
            "https://site.example/other/x");
    assertThat(read("<link rel=canonical href=/not>", headers).canonical())
        .map(Object::toString)
        .contains("https://site.example/real");
  }

  @Test
  void the_refresh_header_is_a_link_from_the_page() {
    assertThat(targets("<base href=/other/>", "Refresh: 0; url=later"))
        .containsExactly("https://site.example/dir/later");
    assertThat(targets("x", "Refresh: 5;URL='/quoted'"))
        .containsExactly("https://site.example/quoted");
    assertThat(targets("x", "Refresh: 300")).isEmpty();
    assertThat(targets("<meta name=robots content=nofollow>", "Refresh: 0; url=/later")).isEmpty();
  }

  @Test
  void bytes_beyond_ascii_in_headers_are_escaped_as_they_are() {
    assertThat(targets("x", "Link: </caf\u00e9>; rel=next", "Refresh: 0; url=/\u00c3\u00a9"))
        .containsExactly("https://site.example/caf%E9", "https://site.example/%C3%A9");
  }

  @Test
  void what_a_template_holds_is_not_on_the_page() {
    Extraction page =
        read("a<template>b<template><a href=/1>c</a></template><a href=/2></template>d");
    assertThat(page.links()).isEmpty();
    assertThat(page.text()).isEqualTo("ad");
  }

  @Test
  void scripts_styles_and_comments_are_not_read() {
    assertThat(
            targets(
                """
                <script>"<a href=/1>" // <!-- <script> </script> <a href=/2> --></script>
                <style><a href=/3></style><!-- <a href=/4> --!><textarea><a href=/5></textarea>
                <title><a href=/6></title><![CDATA[<a href=/7>]]><?php <a href=/8> ?><a href=/yes>
                """))
        .containsExactly("https://site.example/yes");
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
  void the_first_title_is_the_page_s_and_a_picture_s_is_none() {
    assertThat(title("<svg><title>icon</title></svg><title>page</title><title>2</title>"))
        .contains("page");
    assertThat(read("<title>page</title><title>2</title>x").text()).isEqualTo("x");
  }

  @Test
  void the_text_is_what_a_reader_sees() {
    String html =
        "<head><title>t</title><style>p{}</style></head><body><h1>One</h1><p>two"
            + " <b>th</b>ree</p><script>four()</script><template><p>five</p></template><!-- six -->"
            + "<svg><style>.seven{}</style><text>eight</text></svg><td>nine<td>t&eacute;n &lt 11";
    assertThat(read(html).text()).isEqualTo("One two three eight nine tén < 11");
  }

  @Test
  void no_null_and_no_half_a_character_is_read_of_a_page() {
    Extraction page =
        read(
            "<title>a\0b&#0;c&#xD800;d</title>e\0f &#0;&#55296;<a href='/\0&#xDFFF;'>"
                + "<img src=x alt='\0&#xD800;'>");
    assertThat(page.title()).contains("ab\ufffdc\ufffdd");
    assertThat(page.text()).isEqualTo("ef \ufffd\ufffd");
    assertThat(page.links())
        .map(Object::toString)
        .containsExactly("https://site.example/%EF%BF%BD%EF%BF%BD");
    assertThat(page.images().getFirst().alt()).isEqualTo("\ufffd\ufffd");
  }

  @Test
  void any_bytes_at_all_give_an_extraction() {
    Random random = new Random(1866);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(3_000)];
      random.nextBytes(bytes);
      assertThat(read("text/html", bytes).links()).isEmpty();
    }
  }

  private static Optional<String> title(String html) {
    return read(html).title();
  }

  @Test
  void feeds_are_named_by_links_of_their_types_and_are_no_links_to_follow() {
    Extraction page =
        read(
            "<base href=/blog/><link rel='Alternate home' type='application/RSS+xml; x=1' href=rss>"
                + "<link rel=alternate type=application/atom+xml href=/atom>"
                + "<link rel=alternate type=application/atom+xml href=/atom#again>"
                + "<link rel=alternate type=text/html hreflang=de href=/de>"
                + "<link rel=stylesheet type=application/rss+xml href=/no>"
                + "<link rel=alternate type=application/rss+xml>"
                + "<link rel=alternate type=application/rss+xml href='ftp://x/'>");
    assertThat(page.reading().feeds())
        .map(Object::toString)
        .containsExactly("https://site.example/blog/rss", "https://site.example/atom");
    assertThat(page.links()).isEmpty();
  }

  @Test
  void a_page_names_a_few_feeds_at_most_and_none_if_it_is_not_to_be_followed() {
    String same = "<link rel=alternate type=application/rss+xml href=/feed>".repeat(1000);
    assertThat(read(same).reading().feeds()).hasSize(1);
    StringBuilder different = new StringBuilder();
    for (int number = 0; number < 1000; number++) {
      different.append("<link rel=alternate type=application/rss+xml href=/%d>".formatted(number));
    }
    assertThat(read(different.toString()).reading().feeds()).hasSize(4);
    assertThat(read("<meta name=robots content=nofollow>" + different).reading().feeds()).isEmpty();
  }
}
