package dev.comity.app.settings;

/** Settings that hold secrets, without them. */
final class SecretMask {
  private static final String MASK = "***";

  private SecretMask() {}

  /** The value as anybody may see it. */
  static String text(String setting, String value) {
    return switch (setting) {
      case "user" -> upTo(value, value.indexOf('='));
      // What a header is called is no secret.
      case "header" -> upTo(value, value.indexOf(':', value.indexOf('=') + 1));
      case "proxy" -> proxy(value);
      default -> value;
    };
  }

  private static String upTo(String value, int last) {
    return last < 0 || value.indexOf('=') < 0 ? MASK : value.substring(0, last + 1) + MASK;
  }

  private static String proxy(String value) {
    int at = value.lastIndexOf('@');
    int scheme = value.indexOf("://");
    return at < 0
        ? value
        : (scheme < 0 ? "" : value.substring(0, scheme + 3)) + MASK + value.substring(at);
  }
}
