package dev.comity.core.url;

import dev.comity.core.url.UrlRefusal.Reason;

/**
 * Reads a URL in any spelling a browser would accept for http and https, following the URL
 * standard's parser: what a page says is what its author saw working in a browser.
 */
final class UrlReader {
  /** The longest normal form. */
  static final int LONGEST = 32 * 1024;

  /** What is longer is not looked at: no spelling of a URL worth asking for needs that much. */
  static final int LONGEST_INPUT = 64 * 1024;

  /** How far into an over-long input a scheme is looked for. */
  private static final int LONGEST_SCHEME = 64;

  private final String input;
  private final String text;

  private UrlReader(String input) {
    this.input = input;
    this.text = cleaned(input);
  }

  static ParsedUrl read(String input) {
    return input.length() > LONGEST_INPUT ? refuseUnread(input) : new UrlReader(input).absolute();
  }

  static ParsedUrl resolve(CrawlUrl page, String reference) {
    return reference.length() > LONGEST_INPUT
        ? refuseUnread(reference)
        : new UrlReader(reference).onPage(page);
  }

  /** A megabyte of {@code data:} is not too long a URL but none at all. */
  private static UrlRefusal refuseUnread(String input) {
    String start = cleaned(input.substring(0, LONGEST_SCHEME));
    int colon = schemeEnd(start);
    boolean foreign = colon >= 0 && !isHttp(start, colon) && !isHttps(start, colon);
    return new UrlRefusal(foreign ? Reason.NOT_WEB : Reason.TOO_LONG, input);
  }

  private ParsedUrl absolute() {
    if (text.isEmpty()) {
      return refuse(Reason.EMPTY);
    }
    int colon = schemeEnd(text);
    if (colon < 0) {
      return refuse(Reason.NO_SCHEME);
    }
    return isWeb(colon)
        ? withAuthority(isHttps(text, colon), afterSlashes(colon + 1))
        : refuse(Reason.NOT_WEB);
  }

  private ParsedUrl onPage(CrawlUrl page) {
    int colon = schemeEnd(text);
    if (colon >= 0 && !isWeb(colon)) {
      return refuse(Reason.NOT_WEB);
    }
    boolean https = colon < 0 ? page.isHttps() : isHttps(text, colon);
    int start = colon + 1;
    int slashes = afterSlashes(start) - start;
    if (slashes > 1 || https != page.isHttps()) {
      return withAuthority(https, start + slashes);
    }
    return start == text.length() || text.charAt(start) == '#'
        ? page
        : withTargetFrom(page, start, slashes == 1);
  }

  private ParsedUrl withTargetFrom(CrawlUrl page, int start, boolean rooted) {
    String base = page.toString();
    int pathEnd = pathEnd(start);
    StringBuilder normal = new StringBuilder(base.length() + text.length() + 16);
    if (start == pathEnd) {
      normal.append(base, 0, page.pathEnd());
    } else {
      // The page's own path is in normal form, so writing it a second time changes nothing.
      int kept = rooted ? page.targetStart() : base.lastIndexOf('/', page.pathEnd() - 1) + 1;
      String path = base.substring(page.targetStart(), kept) + text.substring(start, pathEnd);
      normal.append(base, 0, page.targetStart());
      TargetWriter.path(path, 0, path.length(), normal);
    }
    TargetWriter.query(text, pathEnd, queryEnd(pathEnd), normal);
    return normal.length() > LONGEST ? refuse(Reason.TOO_LONG) : page.withText(normal.toString());
  }

  private ParsedUrl withAuthority(boolean https, int start) {
    int end = authorityEnd(start);
    // Only the last @ ends the user info: everything before it was never a host.
    int hostStart = Math.max(start, text.lastIndexOf('@', end - 1) + 1);
    int hostEnd = hostEnd(hostStart, end);
    int usualPort = https ? 443 : 80;
    int port = hostEnd + 1 >= end ? usualPort : port(hostEnd + 1, end);
    return switch (HostReader.read(text.substring(hostStart, hostEnd))) {
      case Reason reason -> refuse(reason);
      case HostReader.Host _ when port < 1 -> refuse(Reason.PORT);
      case HostReader.Host(String host) -> {
        StringBuilder normal = new StringBuilder(text.length() + 16);
        normal.append(https ? "https://" : "http://").append(host);
        int normalHostEnd = normal.length();
        if (port != usualPort) {
          normal.append(':').append(port);
        }
        int pathEnd = pathEnd(end);
        TargetWriter.path(text, end, pathEnd, normal);
        TargetWriter.query(text, pathEnd, queryEnd(pathEnd), normal);
        yield normal.length() > LONGEST
            ? refuse(Reason.TOO_LONG)
            : new CrawlUrl(normal.toString(), normalHostEnd, port);
      }
    };
  }

  private UrlRefusal refuse(Reason reason) {
    return new UrlRefusal(reason, input);
  }

  /** Without the spaces and controls around it, and without the line breaks and tabs inside. */
  static String cleaned(String input) {
    int start = 0;
    int end = input.length();
    while (start < end && input.charAt(start) <= ' ') {
      start++;
    }
    while (start < end && input.charAt(end - 1) <= ' ') {
      end--;
    }
    StringBuilder kept = new StringBuilder(end - start);
    for (int at = start; at < end; at++) {
      char character = input.charAt(at);
      if (character != '\t' && character != '\n' && character != '\r') {
        kept.append(character);
      }
    }
    return kept.toString();
  }

  /** Where the colon is that ends a scheme, or a negative number. */
  static int schemeEnd(String text) {
    if (text.isEmpty() || !Characters.isLetter(text.charAt(0))) {
      return -1;
    }
    for (int at = 1; at < text.length(); at++) {
      char character = text.charAt(at);
      if (character == ':') {
        return at;
      }
      boolean inScheme =
          Characters.isLetter(character)
              || Characters.isDigit(character)
              || character == '+'
              || character == '-'
              || character == '.';
      if (!inScheme) {
        return -1;
      }
    }
    return -1;
  }

  private boolean isWeb(int colon) {
    return isHttp(text, colon) || isHttps(text, colon);
  }

  static boolean isHttp(String text, int colon) {
    return colon == 4 && text.regionMatches(true, 0, "http", 0, 4);
  }

  static boolean isHttps(String text, int colon) {
    return colon == 5 && text.regionMatches(true, 0, "https", 0, 5);
  }

  private int afterSlashes(int start) {
    int at = start;
    while (at < text.length() && Characters.isSlash(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private int authorityEnd(int start) {
    int at = start;
    while (at < text.length()
        && !Characters.isSlash(text.charAt(at))
        && text.charAt(at) != '?'
        && text.charAt(at) != '#') {
      at++;
    }
    return at;
  }

  /** The colons of an IPv6 address are inside brackets; any other one starts the port. */
  private int hostEnd(int start, int end) {
    boolean bracketed = false;
    for (int at = start; at < end; at++) {
      switch (text.charAt(at)) {
        case '[' -> bracketed = true;
        case ']' -> bracketed = false;
        case ':' -> {
          if (!bracketed) {
            return at;
          }
        }
        default -> {}
      }
    }
    return end;
  }

  /** The port, or 0 for what is none: there is no such port to connect to either. */
  private int port(int start, int end) {
    int port = 0;
    for (int at = start; at < end; at++) {
      char digit = text.charAt(at);
      if (!Characters.isDigit(digit)) {
        return 0;
      }
      port = port * 10 + digit - '0';
      if (port > 65535) {
        return 0;
      }
    }
    return port;
  }

  private int pathEnd(int start) {
    int at = start;
    while (at < text.length() && text.charAt(at) != '?' && text.charAt(at) != '#') {
      at++;
    }
    return at;
  }

  private int queryEnd(int start) {
    int fragment = text.indexOf('#', start);
    return fragment < 0 ? text.length() : fragment;
  }
}
