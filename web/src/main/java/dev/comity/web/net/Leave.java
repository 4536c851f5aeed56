package dev.comity.web.net;

/** How far inside a seed may lead, by how it was given. The later ones open more. */
public enum Leave {
  /** Public addresses only: a URL of a list, a sitemap or a page. */
  NONE,
  /** Private addresses, too: a URL of a list, where the user allows that for lists. */
  PRIVATE,
  /** Any address, as the user named this very host and port. */
  NAMED;

  /**
   * Whether an address of this kind may be asked.
   *
   * @param literal whether the URL has the address itself and no name
   */
  boolean opens(AddressKind kind, boolean literal) {
    return switch (this) {
      case NONE -> kind == AddressKind.PUBLIC;
      case PRIVATE -> !kind.needsLiteral();
      case NAMED -> !kind.needsLiteral() || literal;
    };
  }

  /** What both together open. */
  Leave and(Leave other) {
    return compareTo(other) < 0 ? other : this;
  }
}
