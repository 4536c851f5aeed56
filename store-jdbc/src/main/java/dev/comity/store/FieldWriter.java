package dev.comity.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the fields of records as JSON, and only those that say something: what is 0, false or
 * empty is left out, and so is whatever equals what a reader takes for granted.
 *
 * <p>Times are nanoseconds, since the epoch or in all. A {@code long} of them ends in 2262; what
 * lies beyond is written as that end.
 */
final class FieldWriter {
  private final JsonGenerator json;

  FieldWriter(JsonGenerator json) {
    this.json = json;
  }

  /** An object with these fields. */
  <T> void object(T value, BiConsumer<FieldWriter, T> fields) {
    json.writeStartObject();
    fields.accept(this, value);
    json.writeEndObject();
  }

  /** A part that is written unless it is what it is in a fresh domain. */
  <T> void part(String key, T value, T fresh, BiConsumer<FieldWriter, T> fields) {
    if (!value.equals(fresh)) {
      json.writeName(key);
      object(value, fields);
    }
  }

  <T> void part(String key, Optional<T> value, BiConsumer<FieldWriter, T> fields) {
    if (value.isPresent()) {
      json.writeName(key);
      object(value.get(), fields);
    }
  }

  <T> void list(String key, List<T> values, BiConsumer<FieldWriter, T> element) {
    if (!values.isEmpty()) {
      json.writeName(key);
      json.writeStartArray();
      for (T value : values) {
        element.accept(this, value);
      }
      json.writeEndArray();
    }
  }

  void count(String key, int value) {
    if (value != 0) {
      json.writeNumberProperty(key, value);
    }
  }

  void flag(String key, boolean value) {
    if (value) {
      json.writeBooleanProperty(key, true);
    }
  }

  void text(String key, Object value) {
    json.writeStringProperty(key, value.toString());
  }

  void name(String key, Enum<?> value) {
    json.writeStringProperty(key, value.name().toLowerCase(Locale.ROOT));
  }

  void name(String key, Enum<?> value, Enum<?> fresh) {
    if (value != fresh) {
      name(key, value);
    }
  }

  void name(String key, Optional<? extends Enum<?>> value) {
    if (value.isPresent()) {
      name(key, value.get());
    }
  }

  void span(String key, Duration value) {
    if (!value.isZero()) {
      json.writeNumberProperty(key, nanos(value));
    }
  }

  /** A span that may be 0 and still say something. */
  void span(String key, Optional<Duration> value) {
    if (value.isPresent()) {
      json.writeNumberProperty(key, nanos(value.get()));
    }
  }

  void time(String key, Instant value) {
    long nanos = nanos(value);
    if (nanos != 0) {
      json.writeNumberProperty(key, nanos);
    }
  }

  void time(String key, Optional<Instant> value) {
    if (value.isPresent()) {
      json.writeNumberProperty(key, nanos(value.get()));
    }
  }

  /** An element of a list. */
  void text(String value) {
    json.writeString(value);
  }

  /** An element of a list. */
  void time(Instant value) {
    json.writeNumber(nanos(value));
  }

  private static long nanos(Instant at) {
    return nanos(Duration.ofSeconds(at.getEpochSecond(), at.getNano()));
  }

  /** Unlike {@link Duration#toNanos} this ends where a long ends instead of throwing. */
  private static long nanos(Duration span) {
    return TimeUnit.NANOSECONDS.convert(span);
  }
}
