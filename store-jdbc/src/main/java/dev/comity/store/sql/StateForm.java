package dev.comity.store.sql;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * How values of one type are written as JSON and read back.
 *
 * <p>Times are nanoseconds, since the epoch or in all. A {@code long} of them ends in 2262; what
 * lies beyond is written as that end.
 *
 * @param silent the value a reader takes for granted, so it is never written; null where there is
 *     none and every object must have the field
 */
record StateForm(
    BiConsumer<JsonGenerator, Object> writer,
    Function<FieldReader, Object> reader,
    @Nullable Object silent) {

  /**
   * The form of a record's component.
   *
   * @param fresh the value it has in a fresh domain, null for a record that no fresh domain has
   */
  static StateForm of(Type type, @Nullable Object fresh) {
    if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic);
    }
    StateForm form = ofClass((Class<?>) type, fresh);
    return fresh == null ? form : new StateForm(form.writer, form.reader, fresh);
  }

  private static StateForm ofGeneric(ParameterizedType type) {
    StateForm inner = of(type.getActualTypeArguments()[0], null);
    if (type.getRawType() == Optional.class) {
      return new StateForm(
          (json, value) -> inner.writer.accept(json, ((Optional<?>) value).orElseThrow()),
          in -> Optional.of(inner.reader.apply(in)),
          Optional.empty());
    }
    if (type.getRawType() == List.class) {
      return new StateForm(
          (json, value) -> {
            json.writeStartArray();
            ((List<?>) value).forEach(element -> inner.writer.accept(json, element));
            json.writeEndArray();
          },
          in -> in.list(inner.reader),
          List.of());
    }
    throw unknown(type);
  }

  private static StateForm ofClass(Class<?> type, @Nullable Object fresh) {
    if (type.isRecord() && type != Authority.class) {
      RecordForm form = RecordForm.of(type, fresh);
      return new StateForm(form::write, form::read, null);
    }
    if (type.isEnum()) {
      return new StateForm(
          (json, value) -> json.writeString(((Enum<?>) value).name().toLowerCase(Locale.ROOT)),
          in -> in.name(type),
          null);
    }
    return ofLeaf(type);
  }

  private static StateForm ofLeaf(Class<?> type) {
    if (type == int.class) {
      return new StateForm((json, it) -> json.writeNumber((int) it), FieldReader::count, 0);
    }
    if (type == double.class) {
      return new StateForm((json, it) -> json.writeNumber((double) it), FieldReader::number, 0.0);
    }
    if (type == OptionalInt.class) {
      return new StateForm(
          (json, it) -> json.writeNumber(((OptionalInt) it).orElseThrow()),
          in -> OptionalInt.of(in.count()),
          OptionalInt.empty());
    }
    if (type == boolean.class) {
      return new StateForm((json, it) -> json.writeBoolean((boolean) it), FieldReader::flag, false);
    }
    if (type == Duration.class) {
      return new StateForm(
          (json, it) -> json.writeNumber(nanos((Duration) it)), FieldReader::span, Duration.ZERO);
    }
    if (type == Instant.class) {
      return new StateForm(
          (json, it) -> json.writeNumber(nanos((Instant) it)), FieldReader::time, Instant.EPOCH);
    }
    BiConsumer<JsonGenerator, Object> text = (json, it) -> json.writeString(it.toString());
    if (type == String.class) {
      return new StateForm(text, FieldReader::text, null);
    }
    if (type == CrawlUrl.class) {
      return new StateForm(text, FieldReader::url, null);
    }
    if (type == Authority.class) {
      return new StateForm(text, FieldReader::authority, null);
    }
    throw unknown(type);
  }

  private static IllegalArgumentException unknown(Type type) {
    return new IllegalArgumentException("a domain's state has a component of " + type);
  }

  private static long nanos(Instant at) {
    return nanos(Duration.ofSeconds(at.getEpochSecond(), at.getNano()));
  }

  /** Unlike {@link Duration#toNanos} this ends where a long ends instead of throwing. */
  private static long nanos(Duration span) {
    return TimeUnit.NANOSECONDS.convert(span);
  }
}
