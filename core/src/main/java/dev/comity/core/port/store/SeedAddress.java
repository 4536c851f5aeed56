package dev.comity.core.port.store;

import dev.comity.core.url.Authority;

/**
 * The kind of address of a seed when it was first looked up.
 *
 * @param kind the address kind as text, the most inward of several
 * @param named whether the user named this authority, so that it may lead to such an address
 */
public record SeedAddress(Authority authority, String kind, boolean named) {}
