package dev.comity.web.net;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Header lines that one authority gets and no other: a password for one site is sent to no other.
 * Scheme, host and port must all be the same, so what is meant for https never goes out in clear,
 * and a redirect takes nothing along.
 */
public final class HostHeaders {
  /** No header for any authority. */
  public static final HostHeaders NONE = new HostHeaders(Map.of());

  /** What the crawler itself says, and what frames a message. */
  private static final Set<String> OURS =
      Set.of(
          "accept-encoding",
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "user-agent");

  private final Map<Authority, List<Header>> lines;

  private HostHeaders(Map<Authority, List<Header>> lines) {
    this.lines = lines;
  }

  public record Header(String name, String value) {
    @Override
    public String toString() {
      return name + ": (hidden)";
    }
  }

  /**
   * These and one more.
   *
   * @throws IllegalArgumentException if it cannot be sent; the message does not hold the value
   */
  public HostHeaders with(Authority authority, String name, String value) {
    if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
      throw new IllegalArgumentException("a header's name has only letters, digits and '-'");
    }
    if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException("the header " + name + " is the crawler's own to set");
    }
    if (!value.matches("[\\t\\x20-\\x7e]*")) {
      throw new IllegalArgumentException(
          "the value of the header " + name + " has characters other than printable ASCII");
    }
    Map<Authority, List<Header>> more = new LinkedHashMap<>(lines);
    List<Header> known = new ArrayList<>(more.getOrDefault(authority, List.of()));
    known.add(new Header(name, value));
    more.put(authority, List.copyOf(known));
    return new HostHeaders(more);
  }

  /** These and a log-in by name and password (RFC 7617). */
  public HostHeaders withUser(Authority authority, String name, String password) {
    return with(authority, "Authorization", basic(name, password));
  }

  public static String basic(String name, String password) {
    byte[] pair = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  public List<Header> of(CrawlUrl url) {
    return lines.getOrDefault(url.authority(), List.of());
  }

  /** The authorities that have headers, without the values. */
  @Override
  public String toString() {
    return "HostHeaders" + lines.keySet();
  }
}
