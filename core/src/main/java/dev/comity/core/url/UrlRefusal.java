package dev.comity.core.url;

/** Why a text is not a URL or domain that can be crawled. */
public record UrlRefusal(Reason reason, String input) implements ParsedUrl, ParsedDomain {

  /** The rule that was broken. */
  public enum Reason {
    EMPTY("nothing is left after trimming"),
    TOO_LONG("a URL may have at most 2048 characters"),
    NO_SCHEME("a URL starts with http:// or https://"),
    NOT_WEB("only http and https are crawled"),
    NO_HOST("the host is missing");

    private final String rule;

    Reason(String rule) {
      this.rule = rule;
    }

    /** The rule in words. */
    public String rule() {
      return rule;
    }
  }
}
