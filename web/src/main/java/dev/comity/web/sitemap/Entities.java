package dev.comity.web.sitemap;

/** The entities of XML itself, and characters by number. Any other is text as it stands. */
final class Entities {
  private static final int LONGEST = 10;

  private Entities() {}

  /** Replaces the entities from there on. */
  static void decode(StringBuilder text, int from) {
    if (text.indexOf("&", from) < 0) {
      return;
    }
    String raw = text.substring(from);
    text.setLength(from);
    for (int at = 0; at < raw.length(); ) {
      int end = raw.charAt(at) == '&' ? end(raw, at) : at;
      String meant = end > at ? meant(raw.substring(at + 1, end)) : "";
      if (meant.isEmpty()) {
        text.append(raw.charAt(at));
        at++;
      } else {
        text.append(meant);
        at = end + 1;
      }
    }
  }

  private static int end(String raw, int from) {
    for (int at = from; at < Math.min(raw.length(), from + LONGEST); at++) {
      if (raw.charAt(at) == ';') {
        return at;
      }
    }
    return from;
  }

  private static String meant(String name) {
    return switch (name) {
      case "amp" -> "&";
      case "lt" -> "<";
      case "gt" -> ">";
      case "quot" -> "\"";
      case "apos" -> "'";
      default -> name.startsWith("#") ? numbered(name.substring(1)) : "";
    };
  }

  private static String numbered(String digits) {
    try {
      int code =
          digits.startsWith("x")
              ? Integer.parseInt(digits.substring(1), 16)
              : Integer.parseInt(digits);
      return Character.isValidCodePoint(code) ? Character.toString(code) : "";
    } catch (NumberFormatException noNumber) {
      return "";
    }
  }
}
