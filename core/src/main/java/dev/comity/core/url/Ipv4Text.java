package dev.comity.core.url;

import dev.comity.core.url.UrlRefusal.Reason;

/**
 * IPv4 addresses in all the spellings browsers take for one: decimal, octal or hexadecimal numbers,
 * one to four of them. {@code 0x7f.1} is 127.0.0.1, and so must be seen as it.
 */
final class Ipv4Text {
  private static final long NOT_A_NUMBER = -1;

  /** More than any address, and still far from overflowing. */
  private static final long TOO_LARGE = 1L << 40;

  private Ipv4Text() {}

  /**
   * Whether a lower-case ASCII host is an address or nothing, because its last label is a number.
   */
  static boolean endsInNumber(String host) {
    String last = host.substring(host.lastIndexOf('.') + 1);
    return !last.isEmpty()
        && (last.chars().allMatch(Characters::isDigit) || number(last) != NOT_A_NUMBER);
  }

  static HostReader.ReadHost read(String host) {
    String[] parts = host.split("\\.", -1);
    if (parts.length > 4) {
      return Reason.NOT_IPV4;
    }
    long address = 0;
    for (int part = 0; part < parts.length; part++) {
      long number = number(parts[part]);
      boolean last = part == parts.length - 1;
      // The last number fills all the bytes that are left.
      int bytes = last ? 4 - part : 1;
      if (number == NOT_A_NUMBER || number >= 1L << (8 * bytes)) {
        return Reason.NOT_IPV4;
      }
      address = address << (8 * bytes) | number;
    }
    return new HostReader.Host(text((int) address));
  }

  /** Dotted decimal. */
  static String text(int address) {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 0xFF)
        + "."
        + (address >>> 8 & 0xFF)
        + "."
        + (address & 0xFF);
  }

  private static long number(String part) {
    if (part.isEmpty()) {
      return NOT_A_NUMBER;
    }
    boolean hexadecimal = part.startsWith("0x");
    boolean octal = !hexadecimal && part.length() > 1 && part.charAt(0) == '0';
    int radix = hexadecimal ? 16 : octal ? 8 : 10;
    long value = 0;
    for (int at = hexadecimal ? 2 : 0; at < part.length(); at++) {
      int digit = Characters.hex(part.charAt(at));
      if (digit < 0 || digit >= radix) {
        return NOT_A_NUMBER;
      }
      value = Math.min(TOO_LARGE, value * radix + digit);
    }
    return value;
  }
}
