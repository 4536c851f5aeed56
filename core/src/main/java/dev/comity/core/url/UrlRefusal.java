package dev.comity.core.url;

import dev.comity.core.util.Printable;

/**
 * Why a text is not a URL, domain or seed that can be crawled.
 *
 * @param input what was to be read, without its user info and cut where it is long: a refusal may
 *     be logged and kept, and must keep neither a password nor a megabyte of a page
 */
public record UrlRefusal(Reason reason, String input)
    implements ParsedUrl, ParsedDomain, ParsedSeed {

  public UrlRefusal {
    input = Printable.cut(UserInfo.hidden(input));
  }

  /** One line for people: what was refused, by which rule and, where there is one, the way out. */
  public String message() {
    String fix = reason.fix.isEmpty() ? "" : "; " + reason.fix;
    return reason.thing + " " + Printable.quoted(input) + ": " + reason.rule + fix;
  }

  /** The rule that was broken. */
  public enum Reason implements HostReader.ReadHost {
    EMPTY("no URL in", "nothing is left after trimming", "write one like https://example.com/"),
    TOO_LONG("cannot crawl", "a URL in normal form may have at most 32768 characters", ""),
    NO_SCHEME(
        "no URL:", "a URL starts with http:// or https://", "write one like https://example.com/"),
    NOT_WEB("cannot crawl", "only http and https are crawled", ""),
    NO_HOST("no host in", "a URL names a host", "write one like https://example.com/"),
    HOST_CHARACTER(
        "bad host in",
        "a host name has only letters, digits, '-', '_' and '.'",
        "remove the other characters"),
    EMPTY_LABEL(
        "bad host in",
        "between two dots of a host name there is at least one character",
        "remove the extra dot"),
    LABEL_TOO_LONG(
        "bad host in", "between two dots of a host name there are at most 63 characters", ""),
    HOST_TOO_LONG("bad host in", "a host name may have at most 253 characters", ""),
    NOT_IPV4(
        "bad address in",
        "a host that ends in a number is an IPv4 address",
        "write it like 192.0.2.1"),
    NOT_IPV6(
        "bad address in", "a host in brackets is an IPv6 address", "write it like [2001:db8::1]"),
    ZONE(
        "bad address in",
        "an address in a URL has no zone",
        "remove the % and what follows it in the brackets"),
    NAME_CHARACTER(
        "bad host in", "it has a character that no internationalised domain name may have", ""),
    FALSE_PUNYCODE(
        "bad host in",
        "a label that starts with xn-- must be the encoding of a valid Unicode label",
        "write the name in Unicode"),
    LEADING_MARK("bad host in", "no label of a host name starts with a combining mark", ""),
    MIXED_DIRECTIONS(
        "bad host in",
        "a label of a host name is written from left to right or from right to left, not both",
        ""),
    JOINER(
        "bad host in",
        "an invisible joiner stands where the script of the name has no use for it",
        "remove it"),
    PORT(
        "bad port in",
        "a port is a number from 1 to 65535",
        "correct it, or leave it out for the usual one"),
    PUBLIC_SUFFIX(
        "cannot start from",
        "it is a public suffix, under which anybody may register, not one site",
        "name a site under it");

    private final String thing;
    private final String rule;
    private final String fix;

    Reason(String thing, String rule, String fix) {
      this.thing = thing;
      this.rule = rule;
      this.fix = fix;
    }

    /** The rule in words. */
    public String rule() {
      return rule;
    }
  }
}
