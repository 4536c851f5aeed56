package dev.comity.app;

import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Settlement;
import dev.comity.core.port.Settlement.PageContent;
import dev.comity.core.url.DomainName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes every settled page as one line of JSON, and flushes it: what is settled is in the file.
 */
final class PageLines implements CrawlListener {
  /** Always with milliseconds, so that lines sort as text. */
  private static final DateTimeFormatter STAMP =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private final JsonFactory json =
      JsonFactory.builder().characterEscapes(new VisibleCharacters()).build();
  private final Writer out;
  private final boolean withText;

  PageLines(Writer out, boolean withText) {
    this.out = out;
    this.withText = withText;
  }

  @Override
  public synchronized void settled(DomainName domain, Settlement settlement) {
    if (!(settlement.fate() instanceof Fate.Done)
        || settlement.attempt().isEmpty()
        || settlement.fetched().isEmpty()) {
      return;
    }
    try {
      // Through a string: a generator closes or buffers what it writes to, and a line is short.
      out.write(line(settlement, settlement.attempt().get(), settlement.fetched().get()));
      out.write('\n');
      out.flush();
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "cannot write the pages any further: " + failed.getMessage(), failed);
    }
  }

  private String line(Settlement settlement, Attempt attempt, Fetched fetched) {
    var text = new java.io.StringWriter();
    try (JsonGenerator page = json.createGenerator(ObjectWriteContext.empty(), text)) {
      page.writeStartObject();
      page.writeStringProperty("url", settlement.entry().url().toString());
      fetched.outcome().status().ifPresent(code -> page.writeNumberProperty("status", code));
      page.writeNumberProperty("depth", settlement.entry().depth());
      settlement
          .entry()
          .referrer()
          .ifPresent(from -> page.writeStringProperty("referrer", from.toString()));
      settlement
          .page()
          .flatMap(PageContent::title)
          .ifPresent(title -> page.writeStringProperty("title", title));
      settlement
          .page()
          .flatMap(PageContent::contentType)
          .ifPresent(type -> page.writeStringProperty("content_type", type));
      page.writeNumberProperty("bytes", fetched.bytes());
      page.writeStringProperty("started_at", STAMP.format(attempt.startedAt()));
      fetched
          .firstByte()
          .ifPresent(wait -> page.writeNumberProperty("first_byte_ms", wait.toMillis()));
      page.writeNumberProperty("total_ms", fetched.total().toMillis());
      if (withText) {
        settlement.page().ifPresent(content -> page.writeStringProperty("text", content.text()));
      }
      page.writeEndObject();
    }
    return text.toString();
  }
}
