package dev.comity.app.output;

import dev.comity.app.text.Fields;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes fields as one line of JSON. What is absent is left out; what could move a terminal is
 * written as an escape, which readers of JSON take for the same text.
 */
public final class JsonLines {
  private static final JsonFactory JSON =
      JsonFactory.builder().characterEscapes(new JsonEscapes()).build();

  private JsonLines() {}

  public static String line(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write(json, fields);
    }
    return text.toString();
  }

  /** A list as JSON. */
  static String list(List<?> values) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      write(json, values);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Fields fields) {
    json.writeStartObject();
    for (Fields.Field field : fields.list()) {
      Optional<Object> value = field.value();
      if (value.isPresent()) {
        json.writeName(field.key());
        write(json, value.get());
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Object value) {
    switch (value) {
      case Fields fields -> write(json, fields);
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(one -> write(json, one));
        json.writeEndArray();
      }
      case Boolean truth -> json.writeBoolean(truth);
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Double number -> json.writeNumber(number);
      case Duration time -> json.writeNumber(time.toMillis());
      default -> json.writeString(Fields.text(value));
    }
  }
}
