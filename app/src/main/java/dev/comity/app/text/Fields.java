package dev.comity.app.text;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Named values in the order they are shown. A value is text, a number, a boolean, a time, a
 * duration, a list of these or {@link Fields} again; an absent one keeps its name.
 */
public final class Fields {
  private final List<Field> list = new ArrayList<>();

  private Fields() {}

  /** One of them. */
  public record Field(String key, Optional<Object> value) {}

  public static Fields none() {
    return new Fields();
  }

  /** Adds one; an optional value is what is in it. */
  public Fields and(String key, Object value) {
    list.add(new Field(key, unwrapped(value)));
    return this;
  }

  /** Adds all of these. */
  public Fields with(Fields more) {
    list.addAll(more.list);
    return this;
  }

  public List<Field> list() {
    return Collections.unmodifiableList(list);
  }

  private static Optional<Object> unwrapped(Object value) {
    return switch (value) {
      case Optional<?> maybe -> maybe.map(present -> present);
      case OptionalLong maybe ->
          maybe.isPresent() ? Optional.of(maybe.getAsLong()) : Optional.empty();
      case OptionalInt maybe ->
          maybe.isPresent() ? Optional.of(maybe.getAsInt()) : Optional.empty();
      default -> Optional.of(value);
    };
  }

  /** Times in UTC to the millisecond, durations as milliseconds. */
  public static String text(Object value) {
    return switch (value) {
      case Instant at -> Timestamps.exact(at);
      case Duration time -> Long.toString(time.toMillis());
      default -> value.toString();
    };
  }
}
