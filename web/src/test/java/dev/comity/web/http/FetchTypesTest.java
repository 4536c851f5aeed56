package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Line.class)
class FetchTypesTest {
  private final Line line;
  private final Loopback fetcher = Loopback.patient();

  FetchTypesTest(Line line) {
    this.line = line;
  }

  @AfterEach
  void close() {
    fetcher.close();
  }

  @ParameterizedTest
  @CsvSource({
    "%PDF-1.7 whatever, application/pdf",
    "'\u0089PNG\r\n\u001a\n\0\0\0', image/png",
    "GIF89a..., image/gif",
    "\u00ff\u00d8\u00ff\u00e0..JFIF, image/jpeg",
    "RIFF....WEBPVP8, image/webp",
    "PK\u0003\u0004..., application/zip",
    "'\u001f\u008b\b...', application/gzip",
    "'\0\0\0\u0018ftypmp42', video/mp4",
    "\u007fELF..., application/x-executable"
  })
  void what_is_called_a_page_and_is_none_is_named_by_what_it_is(String body, String type)
      throws Exception {
    assertThat(page("text/html; charset=utf-8", body)).isEqualTo(new WrongType(200, type));
    assertThat(page("application/octet-stream", body)).isEqualTo(new WrongType(200, type));
    assertThat(page("", body)).isEqualTo(new WrongType(200, type));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE HTML>\n<p>x",
        "  \r\n<html lang=en>",
        "\u00ef\u00bb\u00bf<head>",
        "<!-- made by hand --><p>",
        "<Title>x</Title>",
        "<a href=/>x</a>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>"
      })
  void what_has_a_useless_type_and_looks_like_a_page_is_one(String body) throws Exception {
    assertThat(page("application/octet-stream", body)).isInstanceOf(Success.class);
    assertThat(page("unknown/unknown", body)).isInstanceOf(Success.class);
    assertThat(page("", body)).isInstanceOf(Success.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"hello", "{\"a\":1}", "<article", "<bold>", "<?xml version='1.0'?><svg/>"})
  void what_has_a_useless_type_and_looks_like_no_page_is_none(String body) throws Exception {
    assertThat(page("application/octet-stream", body))
        .isEqualTo(new WrongType(200, "application/octet-stream"));
  }

  @Test
  void what_has_no_type_at_all_is_a_page_unless_no_text_has_such_bytes() throws Exception {
    assertThat(page("", "hello")).isInstanceOf(Success.class);
    assertThat(page("", "\u00ff\u00feh\0e\0")).isInstanceOf(Success.class);
    assertThat(page("", "he\u0001llo")).isEqualTo(new WrongType(200, "application/octet-stream"));
  }

  @Test
  void a_page_may_speak_of_formats_without_being_one() throws Exception {
    assertThat(page("text/html", "<p>%PDF-1.7")).isInstanceOf(Success.class);
    assertThat(page("text/html", "the ftyp of RIFF WAVE and PK")).isInstanceOf(Success.class);
    assertThat(page("text/html", "he\0llo")).isInstanceOf(Success.class);
  }

  @Test
  void only_the_beginning_of_what_is_no_page_is_read() throws Exception {
    Script endless =
        wire -> {
          wire.request();
          wire.send(Replies.head("200 OK", "Content-Type: text/html"));
          wire.send("%PDF-1.7");
          wire.flood("x");
        };
    try (var server = line.playing(endless)) {
      Fetched fetched = fetcher.fetch(server.url("/"), Want.PAGE, () -> {});
      assertThat(fetched.outcome()).isEqualTo(new WrongType(200, "application/pdf"));
      assertThat(fetched.bytes()).isLessThanOrEqualTo(512);
    }
  }

  @Test
  void a_robots_txt_is_read_whatever_it_looks_like() throws Exception {
    String reply = Replies.ok("text/html", "%PDF-1.7".getBytes(StandardCharsets.UTF_8));
    try (var server = line.playing(Script.replying(reply))) {
      assertThat(fetcher.robots(server.url("/robots.txt"))).isInstanceOf(Success.class);
    }
  }

  private FetchOutcome page(String type, String body) throws InterruptedException {
    String reply = Replies.ok(type, body.getBytes(StandardCharsets.ISO_8859_1));
    try (var server = line.playing(Script.replying(reply))) {
      return fetcher.page(server.url("/"));
    }
  }
}
