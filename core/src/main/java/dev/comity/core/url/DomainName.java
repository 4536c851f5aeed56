package dev.comity.core.url;

/** The canonical name of a domain: the unit of politeness, budget, state and ownership. */
public record DomainName(String name) implements ParsedDomain {
  @Override
  public String toString() {
    return name;
  }
}
