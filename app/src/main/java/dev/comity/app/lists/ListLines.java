package dev.comity.app.lists;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Lists with a row a line. */
final class ListLines {
  private static final JsonFactory JSON = new JsonFactory();

  private ListLines() {}

  static void lines(Path list, BiConsumer<Long, Map<String, String>> rows) throws IOException {
    BoundedLines.each(
        list,
        line -> {
          String text = line.text().strip();
          if (!text.isEmpty() && !text.startsWith("#")) {
            rows.accept(line.number(), Map.of(ListIntake.URL, text));
          }
        });
  }

  static void objects(Path list, BiConsumer<Long, Map<String, String>> rows) throws IOException {
    BoundedLines.each(
        list,
        line -> {
          if (!line.text().isBlank()) {
            rows.accept(line.number(), object(line.text()));
          }
        });
  }

  /** Its texts and numbers, and an empty text for null; empty where it is no object. */
  private static Map<String, String> object(String line) {
    Map<String, String> values = new HashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Map.of();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value.isScalarValue()) {
          values.put(name, value == JsonToken.VALUE_NULL ? "" : json.getString());
        } else {
          json.skipChildren();
        }
      }
      return values;
    } catch (JacksonException broken) {
      return Map.of();
    }
  }
}
