package dev.comity.core.url;

import dev.comity.core.url.UrlRefusal.Reason;

/**
 * IPv6 addresses in brackets, written as RFC 5952 has it. An IPv4-mapped address leads to the same
 * machine as the IPv4 address inside, so it is taken for a spelling of that.
 */
final class Ipv6Text {
  private static final int PIECES = 8;

  private final String text;
  private final int[] pieces = new int[PIECES];
  private int at;

  private Ipv6Text(String text) {
    this.text = text;
  }

  /** Reads a host that starts with a bracket. */
  static HostReader.ReadHost read(String bracketed) {
    if (bracketed.indexOf('%') >= 0) {
      return Reason.ZONE;
    }
    if (!bracketed.endsWith("]")) {
      return Reason.NOT_IPV6;
    }
    Ipv6Text address = new Ipv6Text(bracketed.substring(1, bracketed.length() - 1));
    return address.isRead() ? new HostReader.Host(address.written()) : Reason.NOT_IPV6;
  }

  private boolean isRead() {
    int count = 0;
    int gap = -1;
    if (text.startsWith("::")) {
      gap = 0;
      at = 2;
    }
    while (at < text.length()) {
      if (count == PIECES) {
        return false;
      }
      int start = at;
      int piece = piece();
      if (at < text.length() && text.charAt(at) == '.') {
        at = start;
        if (count > PIECES - 2 || !isIpv4Read(count)) {
          return false;
        }
        count += 2;
        break;
      }
      if (at == start) {
        return false;
      }
      pieces[count++] = piece;
      if (at == text.length()) {
        break;
      }
      if (text.charAt(at) != ':' || at + 1 == text.length()) {
        return false;
      }
      at++;
      if (text.charAt(at) == ':') {
        if (gap >= 0) {
          return false;
        }
        gap = count;
        at++;
      }
    }
    return gap < 0 ? count == PIECES : count < PIECES && isWidened(gap, count);
  }

  /** Moves what stands after the gap to the end. */
  private boolean isWidened(int gap, int count) {
    int moved = count - gap;
    System.arraycopy(pieces, gap, pieces, PIECES - moved, moved);
    for (int piece = gap; piece < PIECES - moved; piece++) {
      pieces[piece] = 0;
    }
    return true;
  }

  private int piece() {
    int value = 0;
    int end = Math.min(text.length(), at + 4);
    while (at < end && Characters.hex(text.charAt(at)) >= 0) {
      value = value << 4 | Characters.hex(text.charAt(at));
      at++;
    }
    return value;
  }

  /** Dotted decimal at the end, here without the freedom an IPv4 host has. */
  private boolean isIpv4Read(int first) {
    for (int number = 0; number < 4; number++) {
      if (number > 0 && (at == text.length() || text.charAt(at++) != '.')) {
        return false;
      }
      int start = at;
      int value = 0;
      while (at < text.length() && at - start < 4 && Characters.isDigit(text.charAt(at))) {
        value = value * 10 + text.charAt(at) - '0';
        at++;
      }
      boolean padded = at - start > 1 && text.charAt(start) == '0';
      if (at == start || padded || value > 255) {
        return false;
      }
      int piece = first + number / 2;
      pieces[piece] = pieces[piece] << 8 | value;
    }
    return at == text.length();
  }

  private String written() {
    if (isMappedIpv4()) {
      return Ipv4Text.text(pieces[6] << 16 | pieces[7]);
    }
    int gapStart = -1;
    int gapLength = 1;
    for (int start = 0; start < PIECES; start++) {
      int end = start;
      while (end < PIECES && pieces[end] == 0) {
        end++;
      }
      if (end - start > gapLength) {
        gapStart = start;
        gapLength = end - start;
      }
    }
    StringBuilder written = new StringBuilder("[");
    for (int piece = 0; piece < PIECES; piece++) {
      if (piece == gapStart) {
        written.append("::");
        piece += gapLength - 1;
      } else {
        boolean first = written.charAt(written.length() - 1) != ':' && piece > 0;
        written.append(first ? ":" : "").append(Integer.toHexString(pieces[piece]));
      }
    }
    return written.append(']').toString();
  }

  private boolean isMappedIpv4() {
    for (int piece = 0; piece < 5; piece++) {
      if (pieces[piece] != 0) {
        return false;
      }
    }
    return pieces[5] == 0xFFFF;
  }
}
