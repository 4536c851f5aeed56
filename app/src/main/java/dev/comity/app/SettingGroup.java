package dev.comity.app;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A record whose components are settings. Type and default are the record's own; only words are
 * added here. A component without words is no setting and keeps its default. The record is made by
 * its constructor, which refuses nonsense by the settings' names.
 *
 * @param usual what holds when nothing is said
 * @param prefix what the names of its settings begin with, where they are not given
 */
record SettingGroup<R extends Record>(R usual, String prefix, List<Setting> settings) {

  /** How a setting's value is written beside what its type says. */
  private enum Form {
    PLAIN,
    BYTES
  }

  /**
   * A component with its words.
   *
   * @param hidden whether it is left out of the help, which would be too long to be read
   */
  private record Setting(
      String component, String name, String meaning, Form form, boolean hidden) {}

  static <R extends Record> SettingGroup<R> of(R usual, String prefix) {
    return new SettingGroup<>(usual, prefix, List.of());
  }

  /** The component that is called like the setting, without the prefix. */
  SettingGroup<R> with(String name, String meaning) {
    return named(name, prefix + name, meaning);
  }

  /** A component whose setting has a name of its own. */
  SettingGroup<R> named(String component, String name, String meaning) {
    return and(new Setting(camelCase(component), name, meaning, Form.PLAIN, true));
  }

  /** One that is a number of bytes. */
  SettingGroup<R> bytes(String name, String meaning) {
    return and(new Setting(camelCase(name), prefix + name, meaning, Form.BYTES, true));
  }

  /** One that stands in the help. */
  SettingGroup<R> shown(String name, String meaning) {
    return and(new Setting(camelCase(name), prefix + name, meaning, Form.PLAIN, false));
  }

  private SettingGroup<R> and(Setting setting) {
    // A word for something that is no component is a mistake of ours.
    component(setting.component());
    List<Setting> more = new ArrayList<>(settings);
    more.add(setting);
    return new SettingGroup<>(usual, prefix, List.copyOf(more));
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("-", -1)) {
      camel.append(
          camel.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return camel.toString();
  }

  private RecordComponent component(String name) {
    return Arrays.stream(usual.getClass().getRecordComponents())
        .filter(component -> component.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException(usual.getClass().getSimpleName() + " has no " + name));
  }

  /** Its settings as options, each holding its default. */
  List<OptionSpec> options() {
    return settings.stream().map(this::option).toList();
  }

  private OptionSpec option(Setting setting) {
    Object value = valueOf(component(setting.component()));
    OptionSpec.Builder option =
        OptionSpec.builder("--" + setting.name())
            .hidden(setting.hidden())
            .description(setting.meaning());
    switch (value) {
      case Duration time ->
          option
              .type(Duration.class)
              .converters(new Durations())
              .paramLabel("TIME")
              .initialValue(time);
      case List<?> times ->
          option
              .type(List.class)
              .auxiliaryTypes(Duration.class)
              .converters(new Durations())
              .splitRegex(",")
              .paramLabel("TIME")
              .initialValue(times);
      case OptionalInt count ->
          option
              .type(Integer.class)
              .paramLabel("N")
              .initialValue(count.isPresent() ? count.getAsInt() : null);
      case Integer bytes when setting.form() == Form.BYTES ->
          option.type(int.class).converters(new Sizes()).paramLabel("SIZE").initialValue(bytes);
      case Integer count -> option.type(int.class).paramLabel("N").initialValue(count);
      case Double number -> option.type(double.class).paramLabel("X").initialValue(number);
      case Enum<?> choice ->
          option.type(choice.getDeclaringClass()).paramLabel("CHOICE").initialValue(choice);
      default -> throw new IllegalStateException("no setting is a " + value.getClass());
    }
    return option.build();
  }

  /**
   * The record as it is set.
   *
   * @param told what is set, by name
   * @throws IllegalArgumentException if that makes no sense
   */
  R read(Function<String, @Nullable Object> told) {
    RecordComponent[] components = usual.getClass().getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    for (int place = 0; place < components.length; place++) {
      RecordComponent component = components[place];
      Optional<Setting> setting =
          settings.stream().filter(one -> one.component().equals(component.getName())).findFirst();
      values[place] =
          setting.isEmpty()
              ? valueOf(component)
              : asComponent(component.getType(), told.apply(setting.get().name()));
    }
    return made(components, values);
  }

  private static @Nullable Object asComponent(Class<?> type, @Nullable Object value) {
    if (!type.equals(OptionalInt.class)) {
      return value;
    }
    return value instanceof Integer count ? OptionalInt.of(count) : OptionalInt.empty();
  }

  private Object valueOf(RecordComponent component) {
    try {
      return Objects.requireNonNull(component.getAccessor().invoke(usual));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @SuppressWarnings("unchecked") // A record of the same class.
  private R made(RecordComponent[] components, @Nullable Object[] values) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return (R) usual.getClass().getDeclaredConstructor(types).newInstance(values);
    } catch (java.lang.reflect.InvocationTargetException refused) {
      if (refused.getCause() instanceof IllegalArgumentException nonsense) {
        throw nonsense;
      }
      throw new IllegalStateException(refused);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
