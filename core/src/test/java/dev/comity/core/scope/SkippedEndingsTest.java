package dev.comity.core.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkippedEndingsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.example/report.pdf",
        "http://a.example/x/Report.2024.PDF",
        "http://a.example/a.tar.gz",
        "http://a.example/photo.JPeG",
        "https://a.example/film.mp4",
        "https://a.example/style.css",
        "https://a.example/app.min.js",
        "https://a.example/fonts/x.woff2"
      })
  void an_ending_that_no_page_has_names_a_type_that_is_not_kept(String url) {
    assertThat(SkippedEndings.isOn(CrawlUrl.of(url), AcceptedTypes.NONE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://a.example/",
        "http://pdf.example/pdf",
        "http://files.js/",
        "http://a.example/report.pdf?page=1",
        "http://a.example/view?file=report.pdf",
        "http://a.example/report.pdf/",
        "http://a.example/v1.2/notes",
        "http://a.example/.pdf",
        "http://a.example/index.html",
        "http://a.example/index.php",
        "http://a.example/page.asp",
        "http://a.example/page.jsp",
        "http://a.example/feed.xml",
        "http://a.example/notes.txt",
        "http://a.example/ASP.NET",
        "http://a.example/wiki/Node.js",
        "http://a.example/wiki/File:Sun.jpg",
        "http://a.example/File:Sun.jpg"
      })
  void whatever_may_be_a_page_is_asked(String url) {
    assertThat(SkippedEndings.isOn(CrawlUrl.of(url), AcceptedTypes.NONE)).isFalse();
  }
}
