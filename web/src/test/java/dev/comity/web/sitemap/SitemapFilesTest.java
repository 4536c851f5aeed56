package dev.comity.web.sitemap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.SitemapReader.Listed;
import dev.comity.core.port.fetch.SitemapReader.Tally;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SitemapFilesTest {
  private static final String URLSET =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- made by hand -->
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
          xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
        <url><loc>http://a.example/1</loc><lastmod>2026-01-01</lastmod></url>
        <url><loc> http://a.example/2?x=1&amp;y=&#50; </loc>
          <image:image><image:loc>http://a.example/i.png</image:loc></image:image></url>
        <url><loc><![CDATA[http://a.example/3?x=1&y=2]]></loc></url>
      </urlset>
      """;
  private static final List<String> URLSET_LISTED =
      List.of(
          "SitemapPage http://a.example/1",
          "SitemapPage http://a.example/2?x=1&y=2",
          "Image http://a.example/i.png",
          "SitemapPage http://a.example/3?x=1&y=2");

  private final SitemapFiles reader = new SitemapFiles();
  private final List<String> listed = new ArrayList<>();

  private Tally read(byte[] bytes) {
    listed.clear();
    return reader.read(Body.of(bytes), one -> listed.add(words(one)));
  }

  private Tally read(String text) {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String words(Listed one) {
    return one.getClass().getSimpleName() + " " + one.url();
  }

  private boolean recognized(String text) {
    return reader.recognizes(Body.of(text));
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static String urlset(int urls) {
    StringBuilder text = new StringBuilder("<urlset>");
    for (int url = 0; url < urls; url++) {
      text.append("<url><loc>http://a.example/").append(url).append("</loc></url>\n");
    }
    return text.append("</urlset>").toString();
  }

  @Test
  void a_urlset_lists_pages_and_the_images_on_them() {
    assertThat(recognized(URLSET)).isTrue();
    assertThat(read(URLSET)).isEqualTo(new Tally(3, 0, true));
    assertThat(listed).isEqualTo(URLSET_LISTED);
  }

  @Test
  void entries_say_when_their_page_was_changed() {
    String list =
        """
        <urlset><url><loc>http://a.example/1</loc><lastmod>2026-06-01</lastmod></url>
        <url><lastmod>2026-06-01T10:00:00+02:00</lastmod><loc>http://a.example/2</loc></url>
        <url><loc>http://a.example/3</loc><lastmod>yesterday</lastmod></url>
        <url><loc>http://a.example/4</loc></url></urlset>
        """;
    String rss =
        "<rss><item><link>http://a.example/5</link><pubDate>Mon, 01 Jun 2026 08:00:00"
            + " +0000</pubDate></item></rss>";
    String atom =
        "<feed><entry><link href='http://a.example/6'/><published>2026-05-01T00:00:00Z</published>"
            + "<updated>2026-06-01T08:00:00Z</updated></entry></feed>";
    assertThat(dates(list))
        .containsExactly("2026-06-01T00:00:00Z", "2026-06-01T08:00:00Z", "none", "none");
    assertThat(dates(rss)).containsExactly("2026-06-01T08:00:00Z");
    assertThat(dates(atom)).containsExactly("2026-06-01T08:00:00Z");
  }

  private List<String> dates(String text) {
    List<String> dates = new ArrayList<>();
    reader.read(
        Body.of(text),
        one -> {
          if (one instanceof Listed.SitemapPage(_, var modified)) {
            dates.add(modified.map(Object::toString).orElse("none"));
          }
        });
    return dates;
  }

  @Test
  void an_index_lists_sitemaps() {
    String index =
        "<sitemapindex><sitemap><loc>http://a.example/m1.xml</loc></sitemap>"
            + "<sitemap><loc>http://a.example/m2.xml.gz</loc></sitemap></sitemapindex>";
    assertThat(recognized(index)).isTrue();
    assertThat(read(index)).isEqualTo(new Tally(2, 0, true));
    assertThat(listed)
        .containsExactly("Sitemap http://a.example/m1.xml", "Sitemap http://a.example/m2.xml.gz");
  }

  @Test
  void prefixes_and_capitals_do_not_matter() {
    read("<s:UrlSet><s:URL><s:Loc>http://a.example/1</s:Loc></s:URL></s:UrlSet>");
    assertThat(listed).containsExactly("SitemapPage http://a.example/1");
  }

  @Test
  void a_feed_lists_its_entries() {
    String rss =
        "<rss><channel><link>http://a.example/</link><item><title>T</title>"
            + "<link>http://a.example/1</link></item></channel></rss>";
    String atom =
        "<feed><link href='http://a.example/'/><entry>"
            + "<link rel=\"alternate\" href=\"http://a.example/2?a=1&amp;b=2\"/>"
            + "<link rel='edit' href='http://a.example/edit'/></entry>"
            + "<entry><link href='http://a.example/3'></link></entry></feed>";
    assertThat(recognized(rss)).isTrue();
    assertThat(recognized(atom)).isTrue();
    read(rss);
    assertThat(listed).containsExactly("SitemapPage http://a.example/1");
    read(atom);
    assertThat(listed)
        .containsExactly(
            "SitemapPage http://a.example/2?a=1&b=2", "SitemapPage http://a.example/3");
  }

  @Test
  void an_item_without_a_link_is_where_its_guid_says() {
    read(
        "<rss><channel><item><guid>http://a.example/1</guid></item><item><guid"
            + " isPermaLink='true'>https://a.example/2?a=1&amp;b=2</guid><link>"
            + " </link></item><item><guid isPermaLink=\"false\">http://a.example/no</guid></item>"
            + "<item><guid>http://a.example/no</guid><link>http://a.example/3</link></item>"
            + "<item><link>http://a.example/4</link><guid>http://a.example/no</guid></item>"
            + "<item><guid>urn:uuid:5</guid></item><item><guid>6</guid>"
            + "<item><guid>http://a.example/7</guid></channel></rss>");
    assertThat(listed)
        .containsExactly(
            "SitemapPage http://a.example/1",
            "SitemapPage https://a.example/2?a=1&b=2",
            "SitemapPage http://a.example/3",
            "SitemapPage http://a.example/4",
            "SitemapPage http://a.example/7");
  }

  @Test
  void plain_text_is_one_url_a_line() {
    String text = "\uFEFFhttp://a.example/1\r\n\r\n  https://a.example/2  \nnonsense\n";
    assertThat(recognized(text)).isTrue();
    assertThat(read(text)).isEqualTo(new Tally(2, 1, true));
    assertThat(listed)
        .containsExactly("SitemapPage http://a.example/1", "SitemapPage https://a.example/2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-8"})
  void the_byte_order_mark_names_the_charset(String charset) {
    read(("\uFEFF" + URLSET).getBytes(Charset.forName(charset)));
    assertThat(listed).isEqualTo(URLSET_LISTED);
  }

  @Test
  void packed_files_are_told_by_their_bytes() throws IOException {
    byte[] once = gzip(URLSET.getBytes(StandardCharsets.UTF_8));
    assertThat(reader.recognizes(Body.of(once))).isTrue();
    assertThat(read(once).whole()).isTrue();
    assertThat(listed).isEqualTo(URLSET_LISTED);
    assertThat(read(gzip(once)).listed()).isEqualTo(3);
    assertThat(reader.recognizes(Body.of(gzip(gzip(once))))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "<!doctype html><html><loc>http://a.example/</loc></html>",
        "Not found",
        "</urlset>",
        "{\"urls\": []}",
        "<"
      })
  void what_is_something_else_is_not_recognized(String text) {
    assertThat(recognized(text)).isFalse();
    assertThat(read(text).listed()).isZero();
  }

  @Test
  void an_empty_list_is_a_list() {
    assertThat(recognized("<urlset/>")).isTrue();
    assertThat(read("<urlset/>")).isEqualTo(new Tally(0, 0, true));
  }

  @Test
  void an_ampersand_may_stand_alone_and_a_tag_may_stay_open() {
    read("<urlset><url><loc>http://a.example/?a=1&b=2</loc><br><url><loc>http://a.example/2</loc>");
    assertThat(listed)
        .containsExactly("SitemapPage http://a.example/?a=1&b=2", "SitemapPage http://a.example/2");
  }

  @Test
  void what_is_no_whole_url_is_counted_and_left_out() {
    Tally tally =
        read(
            "<urlset><url><loc>/relative</loc></url><url><loc>javascript:alert(1)</loc></url>"
                + "<url><loc>file:///etc/passwd</loc></url><url><loc></loc></url></urlset>");
    assertThat(tally).isEqualTo(new Tally(0, 4, true));
  }

  @Test
  void fifty_thousand_are_taken_and_no_more() {
    assertThat(read(urlset(50_000))).isEqualTo(new Tally(50_000, 0, true));
    assertThat(read(urlset(50_001))).isEqualTo(new Tally(50_000, 0, false));
    assertThat(listed).last().isEqualTo("SitemapPage http://a.example/49999");
    assertThat(read("http://a.example/\n".repeat(50_001))).isEqualTo(new Tally(50_000, 0, false));
  }

  @Test
  void nothing_a_file_declares_is_read_or_fetched() throws Exception {
    try (ScriptedServer outside = ScriptedServer.playing(Script.silent())) {
      String entities =
          """
          <?xml version="1.0"?>
          <!DOCTYPE urlset SYSTEM "%s" [
            <!ENTITY file SYSTEM "file:///etc/hostname">
            <!ENTITY web SYSTEM "%s">
            <!ENTITY %% parameter SYSTEM "%s"> %%parameter;
            <!ENTITY own "http://a.example/own">
          ]>
          <urlset><url><loc>&file;</loc></url><url><loc>&web;</loc></url>
          <url><loc>&own;</loc></url><url><loc>http://a.example/&file;</loc></url></urlset>
          """
              .formatted(outside.url("/dtd"), outside.url("/web"), outside.url("/parameter"));
      assertThat(recognized(entities)).isTrue();
      assertThat(read(entities)).isEqualTo(new Tally(1, 3, true));
      assertThat(listed).containsExactly("SitemapPage http://a.example/&file;");
      assertThat(outside.connections()).isZero();
    }
  }

  @Test
  void a_billion_laughs_are_not_heard() {
    StringBuilder laughs =
        new StringBuilder("<!DOCTYPE urlset [<!ENTITY lol0 \"http://a.example/\">");
    for (int level = 1; level < 10; level++) {
      String ten = ("&lol" + (level - 1) + ";").repeat(10);
      laughs.append("<!ENTITY lol").append(level).append(" \"").append(ten).append("\">");
    }
    laughs.append("]><urlset><url><loc>&lol9;</loc></url></urlset>");
    assertThat(read(laughs.toString())).isEqualTo(new Tally(0, 1, true));
  }

  @Test
  void a_bomb_is_unpacked_to_fifty_megabytes_and_no_further() throws IOException {
    byte[] blanks = new byte[1 << 20];
    Arrays.fill(blanks, (byte) ' ');
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(
          "<urlset><url><loc>http://a.example/1</loc></url>".getBytes(StandardCharsets.UTF_8));
      for (int megabyte = 0; megabyte < 50; megabyte++) {
        out.write(blanks);
      }
      out.write(
          "<url><loc>http://a.example/2</loc></url></urlset>".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(read(packed.toByteArray())).isEqualTo(new Tally(1, 0, false));
  }

  @Test
  void a_text_that_is_longer_is_not_said_to_be_whole() throws IOException {
    byte[] lines = new byte[51 << 20];
    Arrays.fill(lines, (byte) '\n');
    byte[] first = "http://a.example/1".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(first, 0, lines, 0, first.length);
    assertThat(read(gzip(lines))).isEqualTo(new Tally(1, 0, false));
    assertThat(read(gzip(Arrays.copyOf(lines, 50 << 20)))).isEqualTo(new Tally(1, 0, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE urlset [<!ELEMENT loc ANY> %s ]>",
        "<!DOCTYPE urlset [<!ENTITY x \"]>%s\">]>",
        "<!DOCTYPE urlset [<!ENTITY x ']>%s'>]>",
        "<!-- > %s -->",
        "<?php > %s ?>"
      })
  void what_is_declared_or_said_aside_lists_nothing(String aside) {
    String no = "<urlset><url><loc>http://a.example/no</loc></url></urlset>";
    read(aside.formatted(no) + "<urlset><url><loc>http://a.example/yes</loc></url></urlset>");
    assertThat(listed).containsExactly("SitemapPage http://a.example/yes");
  }

  @Test
  void in_a_cdata_section_an_entity_is_text() {
    read("<urlset><url><loc><![CDATA[http://a.example/?a=1&amp;b]]>=2&amp;c</loc></url></urlset>");
    assertThat(listed).containsExactly("SitemapPage http://a.example/?a=1&amp;b=2&c");
  }

  @Test
  void of_a_file_that_is_cut_off_the_whole_entries_count() throws IOException {
    byte[] packed = gzip(urlset(1000).getBytes(StandardCharsets.UTF_8));
    Tally tally = read(Arrays.copyOf(packed, packed.length / 2));
    assertThat(tally.whole()).isFalse();
    assertThat(tally.listed()).isBetween(100, 999);
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(read(urlset(10).substring(0, 200)).whole()).isFalse();
  }

  @Test
  void nesting_long_texts_and_unclosed_things_cost_no_more_than_their_length() {
    String deep = "<urlset>" + "<a>".repeat(1_000_000);
    assertThat(read(deep)).isEqualTo(new Tally(0, 0, false));
    String endless = "<urlset><url><loc>http://a.example/" + "&amp;".repeat(1_000_000);
    assertThat(read(endless + "</loc></url></urlset>").listed()).isEqualTo(1);
    assertThat(listed.getFirst().length()).isLessThan(10_000);
    assertThat(read("<urlset><!--" + "-".repeat(1_000_000)).whole()).isFalse();
    assertThat(read("<urlset a='" + "x".repeat(1_000_000)).whole()).isFalse();
    assertThat(read("http://a.example/" + "x".repeat(1_000_000)).whole()).isTrue();
  }

  @Test
  void any_bytes_at_all_are_read_to_their_end() {
    Random random = new Random(50_000);
    byte[] whole = URLSET.getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 2000; round++) {
      byte[] bytes = whole.clone();
      for (int change = random.nextInt(30); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] =
            (byte) "<>!-[]&;\"'/?\0\u00ff".charAt(random.nextInt(14));
      }
      Body body = Body.of(bytes);
      boolean recognized = reader.recognizes(body);
      Tally tally = read(bytes);
      assertThat(tally.listed()).isLessThanOrEqualTo(listed.size());
      assertThat(recognized || tally.listed() < 4).isTrue();
      assertThat(listed).allMatch(line -> CrawlUrl.of(line.split(" ", 2)[1]) != null);
    }
  }
}
