package dev.comity.core.url;

import dev.comity.core.url.UrlRefusal.Reason;

/** Reads what people write where a URL is wanted: {@code example.com}, {@code localhost:8080}. */
final class BareHost {
  private BareHost() {}

  /** Reads a URL, or a host with or without a port and path as one of the given scheme. */
  static ParsedUrl read(String input, String scheme) {
    if (!isBare(input)) {
      return CrawlUrl.parse(input);
    }
    String text = UrlReader.cleaned(input);
    boolean path = text.startsWith("/") && !text.startsWith("//");
    if (path || text.startsWith("\\") || text.startsWith("?") || text.startsWith("#")) {
      return new UrlRefusal(Reason.NO_HOST, input);
    }
    return switch (CrawlUrl.parse(scheme + "://" + text)) {
      case CrawlUrl url when isMistypedUrl(url, text) -> new UrlRefusal(Reason.NO_SCHEME, input);
      case CrawlUrl url -> url;
      case UrlRefusal refusal -> new UrlRefusal(refusal.reason(), input);
    };
  }

  /** Whether a text names no scheme. A colon before a number starts a port. */
  static boolean isBare(String input) {
    if (input.length() > UrlReader.LONGEST_INPUT) {
      return false;
    }
    String text = UrlReader.cleaned(input);
    int colon = UrlReader.schemeEnd(text);
    if (text.isEmpty() || UrlReader.isHttp(text, colon) || UrlReader.isHttps(text, colon)) {
      return false;
    }
    return colon < 0 || isPort(text, colon + 1);
  }

  private static boolean isPort(String text, int start) {
    int at = start;
    while (at < text.length() && Characters.isDigit(text.charAt(at))) {
      at++;
    }
    boolean ends =
        at == text.length()
            || Characters.isSlash(text.charAt(at))
            || "?#".indexOf(text.charAt(at)) >= 0;
    return at > start && ends;
  }

  /**
   * {@code https//example.com}, or a scheme behind an invisible character of an editor, would lead
   * to a host called https.
   */
  private static boolean isMistypedUrl(CrawlUrl url, String text) {
    String host = url.host();
    int slash = text.indexOf('/');
    return slash > 0
        && (host.equals("http") || host.equals("https") || text.indexOf("://") == slash - 1);
  }
}
