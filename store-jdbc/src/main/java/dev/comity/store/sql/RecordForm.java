package dev.comity.store.sql;

import dev.comity.core.policy.KnownAuthorities;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * How a record is written as a JSON object: a field for each component, under the component's name.
 * A component with the value of a fresh domain is left out. So a new component of the state needs
 * no edit here: it is written when it says something, and older texts read as if it said nothing.
 */
final class RecordForm {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();

  /** A field of the JSON object and how its value is had from the record. */
  private record Field(String key, MethodHandle getter, StateForm form) {}

  /** A component: one field, or a record with its fields directly among the neighbours. */
  private record Component(int firstField, @Nullable RecordForm spread) {}

  private final Class<?> type;

  /** Made when the first record is read. It costs milliseconds, and a fresh store has none. */
  private volatile @Nullable MethodHandle maker;

  private final List<Field> fields = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private final List<Component> components = new ArrayList<>();

  private RecordForm(Class<?> type, @Nullable Object fresh) {
    this.type = type;
    try {
      for (RecordComponent part : type.getRecordComponents()) {
        MethodHandle getter = LOOKUP.unreflect(part.getAccessor());
        add(part, getter, fresh == null ? null : get(generic(getter), fresh));
      }
    } catch (ReflectiveOperationException hidden) {
      throw new LinkageError("the components of " + type + " are not public", hidden);
    }
  }

  private MethodHandle maker() {
    MethodHandle made = maker;
    if (made == null) {
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      try {
        made =
            LOOKUP
                .findConstructor(type, MethodType.methodType(void.class, types))
                .asSpreader(Object[].class, types.length)
                .asType(MethodType.methodType(Object.class, Object[].class));
      } catch (ReflectiveOperationException hidden) {
        throw new LinkageError("the constructor of " + type + " is not public", hidden);
      }
      maker = made;
    }
    return made;
  }

  /**
   * The form of a record.
   *
   * @param fresh the record of a fresh domain, null for one that no fresh domain has
   */
  static RecordForm of(Class<?> type, @Nullable Object fresh) {
    return new RecordForm(type, fresh);
  }

  private void add(RecordComponent part, MethodHandle getter, @Nullable Object fresh) {
    // Stores have always had the fields of KnownAuthorities among those of the record around it.
    @Nullable RecordForm spread =
        part.getType() == KnownAuthorities.class ? of(KnownAuthorities.class, fresh) : null;
    components.add(new Component(fields.size(), spread));
    if (spread == null) {
      field(key(part.getName()), generic(getter), StateForm.of(part.getGenericType(), fresh));
    } else {
      for (Field inner : spread.fields) {
        MethodHandle through =
            MethodHandles.filterReturnValue(
                getter.asType(getter.type().changeReturnType(Object.class)), inner.getter);
        field(inner.key, generic(through), inner.form);
      }
    }
  }

  private void field(String key, MethodHandle getter, StateForm form) {
    places.put(key, fields.size());
    fields.add(new Field(key, getter, form));
  }

  /** Writes an object with these fields. */
  void write(JsonGenerator json, Object record) {
    json.writeStartObject();
    writeFields(json, record);
    json.writeEndObject();
  }

  /** Writes the fields that say something. */
  void writeFields(JsonGenerator json, Object record) {
    for (Field field : fields) {
      Object value = get(field.getter, record);
      if (!value.equals(field.form.silent())) {
        json.writeName(field.key);
        field.form.writer().accept(json, value);
      }
    }
  }

  /** Reads an object. */
  Object read(FieldReader in) {
    in.open();
    return readFields(in);
  }

  /** Reads the fields of an object that is open; those it does not know are passed over. */
  Object readFields(FieldReader in) {
    @Nullable Object[] values = new @Nullable Object[fields.size()];
    while (in.nextField()) {
      @Nullable Integer place = places.get(in.key());
      if (place == null) {
        in.skip();
      } else {
        values[place] = fields.get(place).form.reader().apply(in);
      }
    }
    Object[] all = new Object[values.length];
    for (int i = 0; i < all.length; i++) {
      Field field = fields.get(i);
      @Nullable Object value = values[i];
      all[i] = value != null ? value : in.required(field.form.silent(), field.key);
    }
    return make(all, 0);
  }

  private Object make(Object[] values, int from) {
    Object[] own = new Object[components.size()];
    for (int i = 0; i < own.length; i++) {
      Component component = components.get(i);
      int first = from + component.firstField;
      @Nullable RecordForm spread = component.spread;
      own[i] = spread == null ? values[first] : spread.make(values, first);
    }
    try {
      return (Object) maker().invokeExact(own);
    } catch (RuntimeException | Error refused) {
      throw refused;
    } catch (Throwable checked) {
      throw new LinkageError("a record threw", checked);
    }
  }

  private static Object get(MethodHandle getter, Object record) {
    try {
      return (Object) getter.invokeExact(record);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable checked) {
      throw new LinkageError("a record threw", checked);
    }
  }

  private static MethodHandle generic(MethodHandle getter) {
    return getter.asType(MethodType.methodType(Object.class, Object.class));
  }

  /** {@code lastRefusal} is stored as {@code last_refusal}. */
  private static String key(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
