package dev.comity.app.lists;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
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
    each(
        list,
        (number, line) -> {
          String text = line.strip();
          if (!text.isEmpty() && !text.startsWith("#")) {
            rows.accept(number, Map.of(ListIntake.URL, text));
          }
        });
  }

  static void objects(Path list, BiConsumer<Long, Map<String, String>> rows) throws IOException {
    each(
        list,
        (number, line) -> {
          if (!line.isBlank()) {
            rows.accept(number, object(line));
          }
        });
  }

  private static void each(Path list, BiConsumer<Long, String> lines) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(list)) {
      long number = 0;
      for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
        lines.accept(++number, line);
      }
    }
  }

  /** Its texts and numbers; empty where it is no object. */
  private static Map<String, String> object(String line) {
    Map<String, String> values = new HashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Map.of();
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        if (json.nextToken().isScalarValue()) {
          values.put(name, json.getString());
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
