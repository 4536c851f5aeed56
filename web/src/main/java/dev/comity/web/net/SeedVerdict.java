package dev.comity.web.net;

/** What the guard says about a host before the crawl starts. */
public sealed interface SeedVerdict {
  /** It may be asked. */
  record Welcome() implements SeedVerdict {}

  /** It is not this machine, so the crawl needs a contact first. */
  record ContactNeeded(String address) implements SeedVerdict {}

  /** Its address may not be asked. */
  record SeedDenied(String address, AddressKind kind, DenialReason why) implements SeedVerdict {
    /** Host and reason in words. */
    public String words(String host) {
      return "%s leads to %s (%s), %s".formatted(host, address, kind.text(), why.words);
    }
  }

  /** It has no address now. It stays a seed, but only a public address will do for it later. */
  record Unresolved() implements SeedVerdict {}

  /** Why an address may not be asked. */
  enum DenialReason {
    /** No name leads to a link-local or metadata address. */
    NEEDS_LITERAL("which is only asked when the address itself is named"),
    /** The user did not name the host, and did not allow lists to lead inside. */
    NOT_NAMED("where no name out of a list may lead"),
    /** The address was of another kind when the host was first looked up. */
    TURNED_INWARD("but led elsewhere when it was first looked up");

    private final String words;

    DenialReason(String words) {
      this.words = words;
    }
  }
}
