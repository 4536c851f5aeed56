package dev.comity.web.net;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the user says that hosts are, whatever a name server would say. Such an address is open to
 * its host by that word alone, be it this machine or a link-local one.
 */
public record Overrides(List<HostAddresses> all) {
  /** No word about any host. */
  public static final Overrides NONE = new Overrides(List.of());

  /** Stands for every name. */
  private static final String ANY = "*";

  public Overrides {
    all = List.copyOf(all);
  }

  /**
   * One host at one port.
   *
   * @param host in the spelling of a URL, or {@code *}
   */
  public record HostAddresses(String host, int port, List<InetAddress> addresses) {
    public HostAddresses {
      addresses = List.copyOf(addresses);
    }

    private boolean names(String asked, int askedPort) {
      return port == askedPort && host.equals(asked);
    }
  }

  /**
   * The addresses to go to; those of the name itself before those of any name, and of two words
   * about one host the later. An address is not looked up and so never overridden.
   */
  Optional<List<InetAddress>> of(String host, int port) {
    if (all.isEmpty() || Literals.isLiteral(host)) {
      return Optional.empty();
    }
    return last(Literals.key(host), port).or(() -> last(ANY, port));
  }

  private Optional<List<InetAddress>> last(String host, int port) {
    return all.reversed().stream()
        .filter(one -> one.names(host, port))
        .findFirst()
        .map(HostAddresses::addresses);
  }

  /**
   * Reads {@code HOST:PORT:ADDRESS[,ADDRESS...]}, as curl has it.
   *
   * @throws IllegalArgumentException saying what is wrong and how to write it
   */
  public static HostAddresses parse(String text) {
    String[] parts = text.split(":", 3);
    if (parts.length < 3 || parts[0].isEmpty()) {
      throw wrong(text, "it names a host, a port and an address");
    }
    return new HostAddresses(host(text, parts[0]), port(text, parts[1]), addresses(text, parts[2]));
  }

  private static String host(String text, String host) {
    if (host.equals(ANY)) {
      return ANY;
    }
    return switch (CrawlUrl.parse("http://" + host)) {
      case CrawlUrl url when url.target().equals("/") && !Literals.isLiteral(url.host()) ->
          url.host();
      case CrawlUrl _, UrlRefusal _ ->
          throw wrong(text, "the host is a name or *, for an address needs no resolving");
    };
  }

  private static int port(String text, String port) {
    try {
      int number = Integer.parseInt(port);
      if (number >= 1 && number <= 65_535) {
        return number;
      }
    } catch (NumberFormatException _) {
      // No number at all.
    }
    throw wrong(text, "the port is a number from 1 to 65535");
  }

  private static List<InetAddress> addresses(String text, String addresses) {
    return Arrays.stream(addresses.split(",", -1))
        .map(
            address ->
                Literals.read(Literals.bare(address))
                    .orElseThrow(
                        () ->
                            wrong(
                                text,
                                "after the port come addresses, those of IPv6 in brackets, with"
                                    + " commas between")))
        .toList();
  }

  private static IllegalArgumentException wrong(String text, String rule) {
    return new IllegalArgumentException(
        "resolve is \"%s\", but %s: write it like example.com:443:192.0.2.1".formatted(text, rule));
  }
}
