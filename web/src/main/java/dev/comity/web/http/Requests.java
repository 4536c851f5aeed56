package dev.comity.web.http;

import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.port.fetch.Validators;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.net.HostHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is sent to ask for a URL. */
final class Requests {
  private static final String REMOVED = "[removed]";

  private final UserAgent userAgent;
  private final HostHeaders hostHeaders;
  private final Optional<HttpProxy> proxy;
  private final String pages;

  /**
   * @param proxy reads requests in clear itself and passes them on
   * @param accepted types of documents that are pages, too
   */
  Requests(
      UserAgent userAgent,
      HostHeaders hostHeaders,
      Optional<HttpProxy> proxy,
      AcceptedTypes accepted) {
    this.userAgent = userAgent;
    this.hostHeaders = hostHeaders;
    this.proxy = proxy;
    pages =
        "text/html,application/xhtml+xml;q=0.9,"
            + accepted.types().stream()
                .sorted()
                .filter(type -> !type.equals("*/*"))
                .map(type -> type + ";q=0.8,")
                .collect(Collectors.joining())
            + "*/*;q=0.1";
  }

  /**
   * @param known of the version that is known
   */
  byte[] get(CrawlUrl url, Want want, Validators known) {
    return get(url, want, known, false);
  }

  /** The same as an archive keeps it: without the log-in at a proxy, and headers of users empty. */
  byte[] withoutSecrets(CrawlUrl url, Want want, Validators known) {
    return get(url, want, known, true);
  }

  private byte[] get(CrawlUrl url, Want want, Validators known, boolean archived) {
    boolean secure = url.scheme().equals("https");
    String host = url.port() == (secure ? 443 : 80) ? url.host() : url.host() + ":" + url.port();
    boolean proxied = proxy.isPresent() && !secure;
    StringBuilder request = new StringBuilder(512);
    request.append("GET ").append(proxied ? "http://" + host : "").append(url.target());
    request.append(" HTTP/1.1\r\n");
    line(request, "Host", host);
    hostHeaders
        .of(url)
        .forEach(line -> line(request, line.name(), archived ? REMOVED : line.value()));
    if (proxied && !archived) {
      // In a tunnel the log-in would reach the site.
      request.append(proxy.get().loginLine());
    }
    line(request, "User-Agent", userAgent.header());
    line(request, "Accept", accepted(want));
    line(request, "Accept-Encoding", ContentCoding.offered());
    known.etag().ifPresent(value -> line(request, "If-None-Match", value));
    known.lastModified().ifPresent(value -> line(request, "If-Modified-Since", value));
    return request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void line(StringBuilder request, String name, String value) {
    request.append(name).append(": ").append(value).append("\r\n");
  }

  private String accepted(Want want) {
    return switch (want) {
      case PAGE -> pages;
      case IMAGE -> "image/*,*/*;q=0.1";
      case ROBOTS -> "text/plain,*/*;q=0.1";
      case TDMREP -> "application/json,*/*;q=0.1";
      case SITEMAP -> "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1";
    };
  }
}
