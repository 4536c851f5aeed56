package dev.comity.content;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wishes;
import dev.comity.core.util.Printable;
import java.time.Instant;
import java.util.Optional;

/**
 * What stands before the Markdown of a page, as YAML.
 *
 * @param contentHash SHA-256 of the page's body, in hexadecimal digits
 */
public record FrontMatter(
    CrawlUrl url,
    Optional<String> title,
    Instant fetchedAt,
    Optional<String> language,
    Optional<String> description,
    Wishes wishes,
    String contentHash) {

  /** With the lines that begin and end it. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("---\n");
    out.append("url: ").append(quoted(url.toString())).append('\n');
    title.ifPresent(words -> out.append("title: ").append(quoted(words)).append('\n'));
    out.append("date: ").append(fetchedAt).append('\n');
    language.ifPresent(words -> out.append("lang: ").append(quoted(words)).append('\n'));
    description.ifPresent(words -> out.append("description: ").append(quoted(words)).append('\n'));
    if (!wishes.isEmpty()) {
      out.append("wishes:\n");
      for (Wish wish : wishes.all()) {
        out.append("  - ").append(quoted(wish.origin() + ": " + wish.words())).append('\n');
      }
    }
    return out.append("sha256: ").append(quoted(contentHash)).append("\n---\n\n").toString();
  }

  /** As YAML and JSON both read it. */
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(
            point -> {
              if (point == '"' || point == '\\') {
                out.append('\\').appendCodePoint(point);
              } else if (Printable.isPrintable(point) || point > Character.MAX_VALUE) {
                out.appendCodePoint(point);
              } else {
                out.append("\\u%04x".formatted(point));
              }
            });
    return out.append('"').toString();
  }
}
