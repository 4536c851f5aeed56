package dev.comity.app;

import java.util.Locale;
import java.util.Optional;

/** Reads what people write for yes and no. */
final class Truths {
  private Truths() {}

  static Optional<Boolean> read(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> Optional.of(true);
      case "false", "no", "off", "0" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
