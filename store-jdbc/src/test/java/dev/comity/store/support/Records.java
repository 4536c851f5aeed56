package dev.comity.store.support;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Records taken apart and put together, whatever they are. */
public final class Records {
  private Records() {}

  static Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException failed) {
      throw new LinkageError(component.toString(), failed);
    }
  }

  static Object[] values(Record record) {
    return Arrays.stream(record.getClass().getRecordComponents())
        .map(component -> value(component, record))
        .toArray();
  }

  static Object make(Class<?> type, Object[] values) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException failed) {
      throw new LinkageError(type.toString(), failed);
    }
  }

  /** Shows what a record holds in the end, each with the way there; what is empty holds nothing. */
  public static void leaves(String path, Object value, BiConsumer<String, Object> leaf) {
    switch (value) {
      case Record record -> {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
          leaves(path + "/" + component.getName(), value(component, record), leaf);
        }
      }
      case Optional<?> optional -> optional.ifPresent(it -> leaves(path, it, leaf));
      case List<?> list -> list.forEach(it -> leaves(path, it, leaf));
      default -> leaf.accept(path, value);
    }
  }
}
