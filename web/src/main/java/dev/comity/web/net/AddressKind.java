package dev.comity.web.net;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What an address is for, told from its bytes by the registries of special-purpose addresses. The
 * later kinds are further inside.
 */
public enum AddressKind {
  /** Anyone's, and so open to be asked. */
  PUBLIC,
  /** For documentation, tests or nothing yet. */
  RESERVED,
  /** To many at once. */
  MULTICAST,
  /** An IPv4 address in IPv6 clothes: mapped or tunnelled (6to4, Teredo). */
  EMBEDDED,
  /** Between a provider and its customers (RFC 6598). */
  SHARED,
  /** Inside someone's network. */
  PRIVATE,
  /** "This host", which systems connect to as if it were loopback. */
  UNSPECIFIED,
  /** This machine. */
  LOOPBACK,
  /** On this very link. */
  LINK_LOCAL,
  /** Where clouds hand out credentials to the machine that asks. */
  METADATA;

  /** The first range that holds an address names its kind, so exceptions come before the rule. */
  private static final List<Range> RANGES =
      List.of(
          new Range("169.254.169.254", 32, METADATA),
          new Range("169.254.170.2", 32, METADATA),
          new Range("169.254.170.23", 32, METADATA),
          new Range("100.100.100.200", 32, METADATA),
          new Range("192.0.0.192", 32, METADATA),
          new Range("168.63.129.16", 32, METADATA),
          new Range("0.0.0.0", 8, UNSPECIFIED),
          new Range("10.0.0.0", 8, PRIVATE),
          new Range("100.64.0.0", 10, SHARED),
          new Range("127.0.0.0", 8, LOOPBACK),
          new Range("169.254.0.0", 16, LINK_LOCAL),
          new Range("172.16.0.0", 12, PRIVATE),
          new Range("192.0.0.0", 24, RESERVED),
          new Range("192.0.2.0", 24, RESERVED),
          new Range("192.88.99.0", 24, RESERVED),
          new Range("192.168.0.0", 16, PRIVATE),
          new Range("198.18.0.0", 15, RESERVED),
          new Range("198.51.100.0", 24, RESERVED),
          new Range("203.0.113.0", 24, RESERVED),
          new Range("224.0.0.0", 4, MULTICAST),
          new Range("240.0.0.0", 4, RESERVED),
          new Range("0.0.0.0", 0, PUBLIC),
          new Range("fd00:ec2::254", 128, METADATA),
          new Range("fd00:ec2::23", 128, METADATA),
          new Range("fd20:ce::254", 128, METADATA),
          new Range("::", 128, UNSPECIFIED),
          new Range("::1", 128, LOOPBACK),
          new Range("fc00::", 7, PRIVATE),
          new Range("fe80::", 10, LINK_LOCAL),
          new Range("fec0::", 10, PRIVATE),
          new Range("ff00::", 8, MULTICAST),
          new Range("2001::", 23, RESERVED),
          new Range("2001:db8::", 32, RESERVED),
          new Range("3fff::", 20, RESERVED),
          new Range("2000::", 3, PUBLIC),
          new Range("::", 0, RESERVED));

  /** Prefixes of IPv6 that carry an IPv4 address, and where in the address it stands. */
  private static final List<Carrier> CARRIERS =
      List.of(
          new Carrier("00000000000000000000ffff", 12, 0x00),
          new Carrier("0000000000000000ffff0000", 12, 0x00),
          new Carrier("0064ff9b0001", 12, 0x00),
          new Carrier("2002", 2, 0x00),
          new Carrier("20010000", 12, 0xff),
          new Carrier("000000000000000000000000", 12, 0x00));

  /** NAT64 connects to the IPv4 address at the end (RFC 6052): that one is judged. */
  private static final Carrier NAT64 = new Carrier("0064ff9b0000000000000000", 12, 0x00);

  /** The kind of an address given as 4 or 16 bytes. */
  public static AddressKind of(byte[] address) {
    AddressKind kind =
        RANGES.stream()
            .filter(range -> range.holds(address))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("not an address: " + address.length + " bytes"))
            .kind();
    if (kind != PUBLIC && kind != RESERVED) {
      return kind;
    }
    if (NAT64.carriesIn(address)) {
      return of(NAT64.inner(address));
    }
    return CARRIERS.stream()
        .filter(carrier -> carrier.carriesIn(address))
        .findFirst()
        .map(carrier -> embedded(of(carrier.inner(address))))
        .orElse(kind);
  }

  /** What must not be reached by a name must not be reached by a name in disguise either. */
  private static AddressKind embedded(AddressKind inner) {
    return inner.needsLiteral() ? inner : EMBEDDED;
  }

  /** Whether not even a name given as a seed may lead there, only the address itself. */
  boolean needsLiteral() {
    return this == LINK_LOCAL || this == METADATA;
  }

  /** The most inward kind of a name's addresses. */
  static AddressKind mostInward(List<InetAddress> addresses) {
    return addresses.stream()
        .map(address -> of(address.getAddress()))
        .max(Comparator.naturalOrder())
        .orElse(PUBLIC);
  }

  /** As it is spoken and kept: {@code link-local}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind of that text. What is no kind counts as public, which opens nothing inside. */
  public static AddressKind read(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text().equals(text))
        .findFirst()
        .orElse(PUBLIC);
  }

  private record Range(InetAddress network, int bits, AddressKind kind) {
    Range(String network, int bits, AddressKind kind) {
      this(InetAddress.ofLiteral(network), bits, kind);
    }

    boolean holds(byte[] address) {
      byte[] prefix = network.getAddress();
      if (address.length != prefix.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((address[bit / 8] & mask) != (prefix[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private record Carrier(String hexPrefix, int innerAt, int mask) {
    boolean carriesIn(byte[] address) {
      return address.length == 16 && HexFormat.of().formatHex(address).startsWith(hexPrefix);
    }

    /** Teredo hides the address by inverting its bits. */
    byte[] inner(byte[] address) {
      byte[] inner = Arrays.copyOfRange(address, innerAt, innerAt + 4);
      for (int i = 0; i < inner.length; i++) {
        inner[i] ^= (byte) mask;
      }
      return inner;
    }
  }
}
