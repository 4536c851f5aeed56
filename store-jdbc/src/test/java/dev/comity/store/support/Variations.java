package dev.comity.store.support;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A record again and again, each time with another value in one place, however deep. The places are
 * found by reflection, so that a component added to the policy is found as well; one of a type
 * unknown here is an error, so that nobody forgets to think of it.
 */
public final class Variations {
  private Variations() {}

  /** Every variation of the record, none of them equal to it. */
  public static <R extends Record> List<R> of(R record) {
    @SuppressWarnings("unchecked") // A variation has the type of what it varies.
    Class<R> type = (Class<R>) record.getClass();
    return ofRecord(record).stream().map(type::cast).toList();
  }

  private static List<Object> ofRecord(Record record) {
    List<Object> all = new ArrayList<>();
    RecordComponent[] components = record.getClass().getRecordComponents();
    for (int at = 0; at < components.length; at++) {
      for (Object other : of(Records.value(components[at], record), components[at])) {
        Object[] values = Records.values(record);
        values[at] = other;
        all.add(Records.make(record.getClass(), values));
      }
    }
    return all;
  }

  private static List<Object> of(Object value, RecordComponent component) {
    return of(value, component.getGenericType());
  }

  private static List<Object> of(Object value, Type type) {
    List<Object> others = new ArrayList<>();
    switch (value) {
      case Duration span -> others.addAll(List.of(span.plusNanos(1), Duration.ZERO));
      case Instant time -> others.addAll(List.of(time.plusNanos(1), Instant.EPOCH));
      case Integer count -> others.addAll(List.of(count + 1, 0));
      case Double share -> others.addAll(List.of(share + 0.25, 0.0));
      case Boolean flag -> others.add(!flag);
      case Enum<?> name ->
          others.addAll(Arrays.asList(name.getDeclaringClass().getEnumConstants()));
      case String text -> others.add(text + ".other");
      case CrawlUrl url -> others.add(CrawlUrl.of(url + "%22"));
      case Authority(String scheme, String host, int port) -> {
        others.add(new Authority(scheme.equals("http") ? "https" : "http", host, port));
        others.add(new Authority(scheme, "other." + host, port));
        others.add(new Authority(scheme, host, port + 1));
      }
      case OptionalInt count -> {
        others.add(OptionalInt.empty());
        others.add(OptionalInt.of(count.orElse(0) + 1));
      }
      case Optional<?> optional -> {
        others.add(Optional.empty());
        others.add(Optional.of(zero(inner(type))));
        optional.ifPresent(it -> of(it, inner(type)).forEach(o -> others.add(Optional.of(o))));
      }
      case List<?> list -> others.addAll(ofList(list, inner(type)));
      case Record record -> others.addAll(ofRecord(record));
      default -> throw new AssertionError("nobody has thought of " + type);
    }
    others.removeIf(value::equals);
    return others;
  }

  private static List<Object> ofList(List<?> list, Type type) {
    List<Object> others = new ArrayList<>();
    others.add(changed(list, copy -> copy.add(zero(type))));
    for (int place = 0; place < list.size(); place++) {
      int at = place;
      others.add(changed(list, copy -> copy.remove(at)));
      for (Object other : of(list.get(at), type)) {
        others.add(changed(list, copy -> copy.set(at, other)));
      }
    }
    others.add(List.copyOf(list.reversed()));
    return others;
  }

  private static List<Object> changed(List<?> list, Consumer<List<Object>> change) {
    List<Object> copy = new ArrayList<>(list);
    change.accept(copy);
    return List.copyOf(copy);
  }

  /** The value of a type that says least. */
  private static Object zero(Type type) {
    return switch (type) {
      case Class<?> it when it == Duration.class -> Duration.ZERO;
      case Class<?> it when it == Instant.class -> Instant.EPOCH;
      case Class<?> it when it == int.class -> 0;
      case Class<?> it when it == double.class -> 0.0;
      case Class<?> it when it == boolean.class -> false;
      case Class<?> it when it == String.class -> "";
      case Class<?> it when it == CrawlUrl.class -> States.URL;
      case Class<?> it when it == Authority.class -> States.URL.authority();
      case Class<?> it when it.isEnum() -> it.getEnumConstants()[0];
      case Class<?> it when it.isRecord() ->
          Records.make(
              it,
              Arrays.stream(it.getRecordComponents())
                  .map(component -> zero(component.getGenericType()))
                  .toArray());
      default -> throw new AssertionError("nobody has thought of " + type);
    };
  }

  private static Type inner(Type type) {
    return ((ParameterizedType) type).getActualTypeArguments()[0];
  }
}
