package dev.comity.app.settings;

import dev.comity.app.text.Booleans;
import dev.comity.app.text.Sizes;
import dev.comity.core.usage.Purpose;
import dev.comity.core.util.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Converts a setting's text to the type of its option, and back. */
final class SettingValue {
  private SettingValue() {}

  /**
   * The value of these texts for this option.
   *
   * @throws TypeConversionException saying what is wrong, without the option's name
   */
  static Object read(OptionSpec option, RawValue raw) {
    if (!option.isMultiValue()) {
      if (raw.list()) {
        throw new TypeConversionException("it is one value, not a list");
      }
      return one(option, option.type(), raw.values().getFirst());
    }
    List<Object> all = new ArrayList<>();
    for (String text : raw.values()) {
      // As on the command line, where an option says that several may stand in one word.
      boolean split = !option.splitRegex().isEmpty();
      for (String part : split ? text.split(option.splitRegex(), -1) : new String[] {text}) {
        all.add(one(option, option.auxiliaryTypes()[0], split ? part.strip() : part));
      }
    }
    return all;
  }

  private static Object one(OptionSpec option, Class<?> type, String text) {
    ITypeConverter<?>[] own = option.converters();
    try {
      if (own.length > 0) {
        return Objects.requireNonNull(own[0].convert(text));
      }
      if (type.isEnum()) {
        return choice(type, text);
      }
      return switch (type.getSimpleName()) {
        case "boolean", "Boolean" ->
            Booleans.read(text)
                .orElseThrow(() -> wrong(text, "is neither true nor false; write one of the two"));
        case "int", "Integer" -> Integer.valueOf(text);
        case "long", "Long" -> Long.valueOf(text);
        case "double", "Double" -> Double.valueOf(text);
        case "Path" -> Path.of(text);
        case "String" -> text;
        default -> throw new IllegalStateException("no setting is a " + type);
      };
    } catch (NumberFormatException notOne) {
      throw wrong(
          text,
          "is not a %snumber".formatted(type.getSimpleName().startsWith("d") ? "" : "whole "));
    } catch (TypeConversionException wrong) {
      throw wrong;
    } catch (IllegalStateException ours) {
      throw ours;
    } catch (Exception wrong) {
      throw wrong(text, "is not understood: " + wrong.getMessage());
    }
  }

  private static Object choice(Class<?> type, String text) {
    Object[] choices = Objects.requireNonNull(type.getEnumConstants());
    return Arrays.stream(choices)
        .filter(choice -> word(choice).equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    text,
                    "is none of "
                        + Arrays.stream(choices)
                            .map(SettingValue::word)
                            .collect(Collectors.joining(", "))));
  }

  private static TypeConversionException wrong(String text, String why) {
    return new TypeConversionException("'" + text + "' " + why);
  }

  /** As a file has it; empty without a value. */
  static List<String> written(OptionSpec option, @Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> list.stream().map(one -> text(option, one)).toList();
      default -> List.of(text(option, value));
    };
  }

  private static String text(OptionSpec option, @Nullable Object value) {
    boolean size = option.converters().length > 0 && option.converters()[0] instanceof Sizes;
    return switch (value) {
      case Duration duration -> Durations.setting(duration);
      case Integer bytes when size -> Sizes.written(bytes);
      case Purpose purpose -> purpose.key();
      case Enum<?> choice -> word(choice);
      case null, default -> String.valueOf(value);
    };
  }

  private static String word(Object choice) {
    return choice.toString().toLowerCase(Locale.ROOT);
  }
}
