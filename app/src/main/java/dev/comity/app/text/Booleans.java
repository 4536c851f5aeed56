package dev.comity.app.text;

import java.util.Locale;
import java.util.Optional;

/** Reads true and false in their usual spellings. */
public final class Booleans {
  private Booleans() {}

  public static Optional<Boolean> read(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> Optional.of(true);
      case "false", "no", "off", "0" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
