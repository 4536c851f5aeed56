package dev.comity.web.net;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A proxy that connects for us. Its own address is always open: the user named it.
 *
 * <p>A SOCKS5 server is told an address that we looked up and checked, so the guard holds as it
 * does without. An HTTP proxy is told a name and looks it up itself.
 */
public record ProxyServer(Protocol protocol, String host, int port, Optional<Login> login) {

  /** How it is spoken to. */
  public enum Protocol {
    HTTP,
    SOCKS5
  }

  /** A name and a password, kept out of logs and messages. */
  public record Login(String name, String password) {
    /** No longer than the messages in which they travel allow (RFC 1929). */
    public Login {
      if (bytes(name) > 255 || bytes(password) > 255) {
        throw wrong("a name or password of more than 255 bytes");
      }
    }

    private static int bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public String toString() {
      return "Login[hidden]";
    }
  }

  /**
   * Reads {@code http://[NAME:PASSWORD@]HOST:PORT} or the same with {@code socks5}.
   *
   * @throws IllegalArgumentException saying what is wrong and how to write it, but no password
   */
  public static ProxyServer parse(String text) {
    int end = text.indexOf("://");
    String scheme = end < 0 ? "" : text.substring(0, end).toLowerCase(Locale.ROOT);
    Protocol protocol =
        switch (scheme) {
          case "http" -> Protocol.HTTP;
          case "socks5" -> Protocol.SOCKS5;
          default -> throw wrong("its scheme is neither http nor socks5");
        };
    String rest = text.substring(end + 3);
    int at = rest.lastIndexOf('@');
    Optional<Login> login = at < 0 ? Optional.empty() : Optional.of(login(rest.substring(0, at)));
    return switch (CrawlUrl.parse("http://" + rest.substring(at + 1))) {
      case UrlRefusal refusal -> throw wrong(refusal.reason().rule());
      case CrawlUrl url when !url.target().equals("/") -> throw wrong("it has a path");
      case CrawlUrl url when !isPortNamed(rest.substring(at + 1)) ->
          throw wrong("it names no port");
      case CrawlUrl url -> new ProxyServer(protocol, Literals.bare(url.host()), url.port(), login);
    };
  }

  private static boolean isPortNamed(String hostAndPort) {
    return hostAndPort.replaceAll("/$", "").matches(".*:[0-9]+");
  }

  private static Login login(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw wrong("before the @ it has no NAME:PASSWORD");
    }
    try {
      return new Login(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
    } catch (IllegalArgumentException _) {
      throw wrong("what stands before the @ is not percent-encoded as in a URL");
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(
        "proxy cannot be used: " + what + "; write it like http://proxy.example:3128");
  }
}
