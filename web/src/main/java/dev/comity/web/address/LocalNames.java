package dev.comity.web.address;

import java.util.List;
import java.util.Locale;

/**
 * Names that lead to different machines depending on who looks them up. An HTTP proxy looks names
 * up itself, so it is told none of these: they would lead into the proxy's own network.
 */
public final class LocalNames {
  private static final List<String> ENDINGS = List.of(".localhost", ".local", ".internal");

  private LocalNames() {}

  /** Whether this host is such a name. An address is none. */
  public static boolean isLocal(String host) {
    if (Literals.isLiteral(host)) {
      return false;
    }
    String lower = host.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    int dot = name.lastIndexOf('.');
    return dot < 0
        || ENDINGS.stream().anyMatch(name::endsWith)
        || isNumber(name.substring(dot + 1));
  }

  /** Some resolvers read a name with such an ending as an IPv4 address. */
  private static boolean isNumber(String label) {
    return label.matches("[0-9]+|0x[0-9a-f]*");
  }
}
