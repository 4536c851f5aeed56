package dev.comity.store.image;

import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wishes;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Wishes as a column has them: a JSON array of texts. */
public final class SignalTexts {
  private static final JsonFactory JSON = new JsonFactory();

  private SignalTexts() {}

  /** Null for no wishes. */
  public static @Nullable String json(Wishes wishes) {
    if (wishes.isEmpty()) {
      return null;
    }
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartArray();
      for (Wish wish : wishes.all()) {
        json.writeString(wish.toString().replace('\0', '\ufffd'));
      }
      json.writeEndArray();
    }
    return text.toString();
  }
}
