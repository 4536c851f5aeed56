package dev.comity.core.usage;

/** Why content is not collected: a wish of its site refuses a purpose of the crawl. */
public record UsageRefusal(Purpose purpose, Wish wish) {

  /** For people: the purpose, and the wish with its place. */
  @Override
  public String toString() {
    return "refused for " + purpose.key() + ": " + wish;
  }
}
