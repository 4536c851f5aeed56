package dev.comity.store.sql;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads JSON that a {@link RecordForm} wrote, one field at a time. For any other text it throws an
 * {@link IllegalArgumentException} that says what is missing and where. The message quotes nothing
 * of the text, which may hold anything.
 */
final class FieldReader {
  private final JsonParser json;

  /** A reader at the start of the text. */
  FieldReader(JsonParser json) {
    this.json = json;
    json.nextToken();
  }

  /** Enters an object; {@link #nextField} finds its fields. */
  void open() {
    expect(JsonToken.START_OBJECT, "no object");
  }

  /** Moves on to the next field and its value; false at the end of the object. */
  boolean nextField() {
    if (json.nextToken() == JsonToken.END_OBJECT) {
      return false;
    }
    expect(JsonToken.PROPERTY_NAME, "no field");
    json.nextToken();
    return true;
  }

  /** The name of the field. */
  String key() {
    return json.currentName();
  }

  /** Passes over a value that only a newer writer knows. */
  void skip() {
    json.skipChildren();
  }

  /** Nothing follows what was read. */
  void end() {
    if (json.nextToken() != null) {
      throw wrong("more than one value");
    }
  }

  /** A value that no object of its kind is without. */
  <T> T required(@Nullable T value, String key) {
    if (value == null) {
      throw wrong("no " + key);
    }
    return value;
  }

  List<Object> list(Function<FieldReader, Object> element) {
    expect(JsonToken.START_ARRAY, "no list");
    List<Object> elements = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      elements.add(element.apply(this));
    }
    return List.copyOf(elements);
  }

  int count() {
    expect(JsonToken.VALUE_NUMBER_INT, "no whole number");
    return json.getIntValue();
  }

  /** A number with or without a fraction. */
  double number() {
    if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      expect(JsonToken.VALUE_NUMBER_FLOAT, "no number");
    }
    return json.getDoubleValue();
  }

  boolean flag() {
    if (json.currentToken() != JsonToken.VALUE_FALSE) {
      expect(JsonToken.VALUE_TRUE, "neither true nor false");
    }
    return json.getBooleanValue();
  }

  Duration span() {
    return Duration.ofNanos(nanos());
  }

  Instant time() {
    return Instant.EPOCH.plusNanos(nanos());
  }

  CrawlUrl url() {
    return CrawlUrl.of(text());
  }

  /** An authority is written as a URL without a target. */
  Authority authority() {
    String text = text();
    Authority authority = CrawlUrl.of(text).authority();
    if (!authority.toString().equals(text)) {
      throw wrong("no authority");
    }
    return authority;
  }

  /** A constant of an enum. */
  Object name(Class<?> type) {
    String text = text();
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().toLowerCase(Locale.ROOT).equals(text)) {
        return constant;
      }
    }
    throw wrong("no " + type.getSimpleName() + " of that name");
  }

  /** What is wrong, and where. Only fields we know are ever looked into, so the path is ours. */
  IllegalArgumentException wrong(String what) {
    String path = json.streamReadContext().pathAsPointer().toString();
    return new IllegalArgumentException(path.isEmpty() ? what : what + " at " + path);
  }

  String text() {
    expect(JsonToken.VALUE_STRING, "no text");
    return json.getString();
  }

  private long nanos() {
    expect(JsonToken.VALUE_NUMBER_INT, "no whole number");
    return json.getLongValue();
  }

  private void expect(JsonToken token, String otherwise) {
    if (json.currentToken() != token) {
      throw wrong(otherwise);
    }
  }
}
