package dev.comity.web.net;

import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The hosts a certificate is for, by its subject alternative names (RFC 9525). The JDK's own check
 * refuses every host with an underscore, and such hosts exist.
 */
final class CertificateNames {
  private static final int DNS = 2;
  private static final int IP = 7;

  private CertificateNames() {}

  /**
   * Whether the certificate is for this host.
   *
   * @param host a name in ASCII and lower case, or an address without brackets
   */
  static boolean cover(X509Certificate certificate, String host) {
    Optional<InetAddress> address = address(host);
    for (List<?> entry : alternatives(certificate)) {
      if (entry.get(0) instanceof Integer kind && entry.get(1) instanceof String name) {
        boolean covers =
            address.isPresent()
                ? kind == IP && address(name).equals(address)
                : kind == DNS && matches(name.toLowerCase(Locale.ROOT), host);
        if (covers) {
          return true;
        }
      }
    }
    return false;
  }

  /** A star stands for one whole label, the first. */
  private static boolean matches(String pattern, String host) {
    if (!pattern.startsWith("*.")) {
      return pattern.equals(host);
    }
    int dot = host.indexOf('.');
    return dot > 0 && pattern.substring(1).equals(host.substring(dot));
  }

  private static Collection<List<?>> alternatives(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null ? List.of() : names;
    } catch (CertificateParsingException unreadable) {
      return List.of();
    }
  }

  /** The address this text is, if it is one. */
  static Optional<InetAddress> address(String text) {
    // A name ends with a letter: its last label is no number.
    boolean mayBeOne =
        text.indexOf(':') >= 0
            || (!text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1)));
    try {
      return mayBeOne ? Optional.of(InetAddress.ofLiteral(text)) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
