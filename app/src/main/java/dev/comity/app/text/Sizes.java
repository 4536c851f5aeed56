package dev.comity.app.text;

import dev.comity.core.util.Printable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads and writes sizes as people do: {@code 10MiB}, {@code 500KiB}, {@code 2MB}, {@code 900}. */
public final class Sizes implements ITypeConverter<Integer> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(?:([KMG])(i)?B|B)?");

  @Override
  public Integer convert(String text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      long unit = form.group(3) == null ? 1000 : 1024;
      long factor =
          switch (form.group(2)) {
            case "K" -> unit;
            case "M" -> unit * unit;
            case "G" -> unit * unit * unit;
            case null, default -> 1;
          };
      long bytes = Long.parseLong(form.group(1)) * factor;
      if (bytes < Integer.MAX_VALUE) {
        return (int) bytes;
      }
    }
    throw new TypeConversionException(
        "'"
            + Printable.text(text)
            + "' is no size below 2 GiB; write one like 10MiB, 500KiB or 2MB");
  }

  public static String written(int bytes) {
    boolean mebi = bytes > 0 && bytes % (1 << 20) == 0;
    boolean kibi = bytes > 0 && bytes % (1 << 10) == 0;
    return mebi ? (bytes >> 20) + "MiB" : kibi ? (bytes >> 10) + "KiB" : bytes + "B";
  }
}
