package dev.comity.web.net;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Hosts that are different machines depending on which machine connects: local names and loopback
 * addresses. An HTTP proxy connects itself, so it is told none of these: they would lead into the
 * proxy's own network or to the proxy.
 */
public final class LocalNames {
  private static final List<String> ENDINGS = List.of(".localhost", ".local", ".internal");

  private LocalNames() {}

  /** Whether this host is such a name or address. Every other address is the same everywhere. */
  public static boolean isLocal(String host) {
    Optional<InetAddress> address = Literals.read(Literals.bare(host));
    if (address.isPresent()) {
      return address.get().isAnyLocalAddress()
          || AddressKind.of(address.get().getAddress()) == AddressKind.LOOPBACK;
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
