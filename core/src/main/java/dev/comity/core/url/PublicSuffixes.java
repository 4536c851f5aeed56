package dev.comity.core.url;

import crawlercommons.domains.EffectiveTldFinder;
import crawlercommons.domains.EffectiveTldFinder.EffectiveTLD;
import java.util.Optional;

/**
 * The Public Suffix List: under which names anybody may register. Only its ICANN section makes a
 * domain what it is. Loading the list takes a while, so this class is left alone until a host needs
 * it.
 */
final class PublicSuffixes {
  static {
    // The finder's own lazy start is not safe between threads; a class's is.
    EffectiveTldFinder _ = EffectiveTldFinder.getInstance();
  }

  private PublicSuffixes() {}

  /** Whether the list names this host, itself or by a wildcard. */
  static boolean contains(String host) {
    return find(host).filter(found -> !found.isException() && isName(found, host)).isPresent();
  }

  /**
   * What was registered. A name without a listed suffix counts by its last two labels; one that is
   * a suffix stands for itself.
   */
  static String registrable(String host) {
    return find(host)
        .map(found -> registrable(found, host))
        .orElseGet(() -> withLabelBefore(host, host.lastIndexOf('.')));
  }

  private static String registrable(EffectiveTLD found, String host) {
    return found.isException() || isName(found, host)
        ? found.getDomain()
        : withLabelBefore(host, host.length() - found.getDomain().length() - 1);
  }

  /** What was registered or rented: the private section of the list counts, too. */
  static String owner(String host) {
    return Optional.ofNullable(EffectiveTldFinder.getEffectiveTLD(host, false))
        .map(found -> registrable(found, host))
        .orElseGet(() -> withLabelBefore(host, host.lastIndexOf('.')));
  }

  /**
   * Whether the host is a name below what was registered, so that its first label is the owner's
   * own. Unlisted names always are: no registrations happen under them.
   */
  static boolean isBelowRegistrable(String host) {
    return find(host).isEmpty() || registrable(host).length() < host.length();
  }

  private static Optional<EffectiveTLD> find(String host) {
    return Optional.ofNullable(EffectiveTldFinder.getEffectiveTLD(host, true));
  }

  private static boolean isName(EffectiveTLD found, String host) {
    return found.getDomain().equals(host);
  }

  /** The end of the host from the label before this dot on. */
  private static String withLabelBefore(String host, int dot) {
    return host.substring(host.lastIndexOf('.', dot - 1) + 1);
  }
}
