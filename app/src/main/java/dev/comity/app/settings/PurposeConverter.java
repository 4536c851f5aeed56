package dev.comity.app.settings;

import dev.comity.core.usage.Purpose;
import dev.comity.core.util.Printable;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a purpose. */
final class PurposeConverter implements ITypeConverter<Purpose> {
  @Override
  public Purpose convert(String text) {
    return Purpose.of(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is none of %s"
                        .formatted(
                            Printable.text(Printable.cut(text)),
                            Arrays.stream(Purpose.values())
                                .map(Purpose::key)
                                .collect(Collectors.joining(", ")))));
  }
}
