package dev.comity.web.http;

import dev.comity.core.outcome.FetchOutcome.Success;
import java.util.Locale;
import java.util.Optional;

/** The type of an answer that is no HTML: as its server says, unless its bytes say otherwise. */
public final class DocumentType {
  private DocumentType() {}

  /** The type in lower case, without parameters; empty for HTML. */
  public static Optional<String> of(Success answer) {
    Optional<String> declared = BodyReader.type(answer.headers());
    if (!Sniff.mayBePage(declared)) {
      return declared;
    }
    byte[] bytes = answer.body().bytes();
    return Sniff.otherThanPage(declared, bytes, Math.min(bytes.length, Sniff.MOST));
  }

  /** Whether documents of this type are text. */
  public static boolean isText(String type) {
    String lower = type.toLowerCase(Locale.ROOT);
    return lower.startsWith("text/")
        || lower.endsWith("+json")
        || lower.endsWith("+xml")
        || lower.endsWith("/json")
        || lower.endsWith("/xml")
        || lower.endsWith("javascript")
        || lower.endsWith("yaml")
        || lower.endsWith("ndjson")
        || lower.endsWith("/rtf");
  }
}
