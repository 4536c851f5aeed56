package dev.comity.core.url;

/**
 * Recognises what is in normal form already, which nearly every link of the web is, and keeps its
 * text as it stands. At the first sign of anything else it hands over to {@link UrlReader}, which
 * knows every spelling: this class may give up too early, but what it accepts is final.
 */
final class PlainReader {
  private static final int NOT_PLAIN = -1;

  private PlainReader() {}

  static ParsedUrl read(String text) {
    boolean https = text.startsWith("https://");
    if (!https && !text.startsWith("http://")) {
      return UrlReader.read(text);
    }
    int hostEnd = hostEnd(text, https ? 8 : 7);
    if (hostEnd == NOT_PLAIN) {
      return UrlReader.read(text);
    }
    int usualPort = https ? 443 : 80;
    int port = usualPort;
    int targetStart = hostEnd;
    if (hostEnd < text.length() && text.charAt(hostEnd) == ':') {
      targetStart = digitsEnd(text, hostEnd + 1);
      port = port(text, hostEnd + 1, targetStart);
      if (port == NOT_PLAIN || port == usualPort) {
        return UrlReader.read(text);
      }
    }
    if (targetStart == text.length()) {
      return new CrawlUrl(text + "/", hostEnd, port);
    }
    int end = text.charAt(targetStart) == '/' ? targetEnd(text, targetStart) : NOT_PLAIN;
    if (end == NOT_PLAIN || end > UrlReader.LONGEST) {
      return UrlReader.read(text);
    }
    return new CrawlUrl(text.substring(0, end), hostEnd, port);
  }

  static ParsedUrl resolve(CrawlUrl page, String reference) {
    if (reference.isEmpty()) {
      return page;
    }
    char first = reference.charAt(0);
    if (reference.startsWith("https://") || reference.startsWith("http://")) {
      return read(reference);
    }
    boolean rooted = first == '/';
    boolean named = Characters.isLetter(first) || Characters.isDigit(first);
    if ((!rooted && !named) || reference.length() > UrlReader.LONGEST) {
      return UrlReader.resolve(page, reference);
    }
    // Two slashes start a host, and a colon may end a scheme: both are for the thorough reader.
    boolean elsewhere = rooted ? reference.startsWith("//") : reference.indexOf(':') >= 0;
    int end = elsewhere ? NOT_PLAIN : targetEnd(reference, 0);
    String text = page.toString();
    int kept = rooted ? page.targetStart() : text.lastIndexOf('/', page.pathEnd() - 1) + 1;
    if (end == NOT_PLAIN || kept + end > UrlReader.LONGEST) {
      return UrlReader.resolve(page, reference);
    }
    return page.withText(text.substring(0, kept).concat(reference.substring(0, end)));
  }

  /** Where a lower-case ASCII host name ends that needs no second look. */
  private static int hostEnd(String text, int start) {
    int label = start;
    int at = start;
    for (; at < text.length(); at++) {
      char character = text.charAt(at);
      if (character == '.') {
        if (!isPlainLabel(text, label, at)) {
          return NOT_PLAIN;
        }
        label = at + 1;
      } else if (!Characters.isHost(character)) {
        break;
      }
    }
    // A last label that starts with a digit may make the whole an IPv4 address.
    return isPlainLabel(text, label, at)
            && !Characters.isDigit(text.charAt(label))
            && at - start <= HostReader.LONGEST_NAME
        ? at
        : NOT_PLAIN;
  }

  private static boolean isPlainLabel(String text, int start, int end) {
    return end > start
        && end - start <= HostReader.LONGEST_LABEL
        && !(text.charAt(start) == 'x' && text.startsWith("xn--", start));
  }

  private static int digitsEnd(String text, int start) {
    int at = start;
    while (at < text.length() && Characters.isDigit(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int port(String text, int start, int end) {
    if (end == start || end - start > 5 || text.charAt(start) == '0') {
      return NOT_PLAIN;
    }
    int port = Integer.parseInt(text, start, end, 10);
    return port <= 65535 ? port : NOT_PLAIN;
  }

  /** Where a path and query in normal form end: with the text, or before its fragment. */
  private static int targetEnd(String text, int start) {
    int query = NOT_PLAIN;
    char previous = '/';
    int at = start;
    for (; at < text.length(); at++) {
      char character = text.charAt(at);
      if (Characters.isUnreserved(character)) {
        // A segment that starts with a dot may be a dot segment.
        if (character == '.' && previous == '/' && query == NOT_PLAIN) {
          return NOT_PLAIN;
        }
      } else if (character == '%') {
        if (!isPlainEscape(text, at)) {
          return NOT_PLAIN;
        }
        at += 2;
      } else if (character == '?') {
        query = query == NOT_PLAIN ? at : query;
      } else if (character == '#') {
        break;
      } else if (!Characters.isTarget(character)) {
        return NOT_PLAIN;
      }
      previous = character;
    }
    return query == at - 1 ? NOT_PLAIN : at;
  }

  private static boolean isPlainEscape(String text, int percent) {
    int value = Characters.escaped(text, percent, text.length());
    return value >= 0
        && !Characters.isUnreserved(value)
        && text.charAt(percent + 1) < 'a'
        && text.charAt(percent + 2) < 'a';
  }
}
