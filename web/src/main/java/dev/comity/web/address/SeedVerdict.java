package dev.comity.web.address;

/** What the guard says about a host before the crawl starts. */
public sealed interface SeedVerdict {
  /** It may be asked. */
  record Welcome() implements SeedVerdict {}

  /** It is not this machine, so someone must say first how they can be reached. */
  record ContactNeeded(String address) implements SeedVerdict {}

  /** Its name leads to an address that no name may lead to. */
  record Denied(String address, AddressKind kind) implements SeedVerdict {}

  /** It has no address now. It stays a seed, but only a public address will do for it later. */
  record Unresolved() implements SeedVerdict {}
}
