package dev.comity.app.output;

import static dev.comity.app.support.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.app.support.PageFile;
import dev.comity.app.support.Settled;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.port.fetch.PageText;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageLinesTest {
  private final StringWriter out = new StringWriter();

  @Test
  void a_page_is_this_very_line() {
    PageLines lines = new PageLines(out);
    lines.settled(URL.domain(), page("A \"title\"", "text\n"));
    assertThat(out.toString())
        .isEqualTo(
            """
            {"url":"http://site.example/","status":200,"depth":0,"title":"A \\"title\\"",\
            "content_type":"text/html","bytes":34,"started_at":"2026-11-01T12:00:00.000Z",\
            "first_byte_ms":7,"total_ms":12,"text":"text\\n"}
            """);
  }

  @Test
  void what_is_no_page_is_no_line() {
    PageLines lines = new PageLines(out);
    lines.settled(URL.domain(), Settled.failed(Category.TIMEOUT));
    lines.settled(URL.domain(), Settled.denied());
    lines.settled(URL.domain(), Settled.later());
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void every_character_reads_back_as_it_was_and_none_leaves_its_line() {
    StringBuilder all = new StringBuilder();
    for (int unit = 0; unit <= 0xffff; unit++) {
      if (!Character.isSurrogate((char) unit)) {
        all.append((char) unit);
      }
    }
    all.appendCodePoint(0x1f600);
    PageLines lines = new PageLines(out);
    lines.settled(URL.domain(), page("title", all.toString()));
    assertThat(PageFile.pages(out.toString()).getFirst().get("text").stringValue())
        .isEqualTo(all.toString());
    assertThat(out.toString().lines()).hasSize(1);
    assertThat(out.toString().chars().filter(Character::isISOControl)).containsExactly((int) '\n');
    assertThat(out.toString()).contains("\\u007F", "\\u0085", "\\u2028", "\\u202E", "ü", "漢");
  }

  @Test
  void what_cannot_be_written_is_said_to_be_so() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    PageLines lines = new PageLines(full);
    assertThatThrownBy(() -> lines.settled(URL.domain(), Settled.answered(404)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot write the pages any further: No space left on device");
  }

  private static Settlement page(String title, String text) {
    return Settled.answered(
        new Success(200, Headers.NONE, Body.EMPTY),
        Optional.of(
            new PageContent(
                Optional.of(title),
                PageText.of(text),
                Optional.of("text/html"),
                0,
                true,
                PageReading.NONE,
                Optional.of(kept(text)),
                Optional.empty())));
  }

  private static KeptPage kept(String text) {
    return new KeptPage(
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.of(text),
        Optional.empty(),
        Map.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }
}
