package dev.comity.web.net;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;

/** Hosts that are addresses already, and the one spelling of a host. */
final class Literals {
  private Literals() {}

  /** The address this text is, if it is one. */
  static Optional<InetAddress> read(String bare) {
    // Nearly every host is a name, and to find that out by an exception is dear.
    if (bare.isEmpty()
        || (bare.indexOf(':') < 0 && !Character.isDigit(bare.charAt(bare.length() - 1)))) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(bare));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  static boolean isLiteral(String host) {
    return read(bare(host)).isPresent();
  }

  /** One spelling per host: names in lower case, addresses as the system writes them. */
  static String key(String host) {
    String bare = bare(host);
    return read(bare)
        .map(InetAddress::getHostAddress)
        .orElseGet(() -> bare.toLowerCase(Locale.ROOT));
  }

  /** Without the brackets that an IPv6 address has in a URL. */
  static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
