package dev.comity.app.settings;

import dev.comity.app.text.DurationConverter;
import dev.comity.app.text.Sizes;
import dev.comity.core.url.Authority;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.net.Certificates;
import dev.comity.web.net.Egress;
import dev.comity.web.net.HostHeaders;
import dev.comity.web.net.Overrides;
import dev.comity.web.net.ProxyServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * How requests leave: addresses, proxy, logins and headers of single sites, time-outs. Passwords
 * are among the values, so no message quotes one and none is stored.
 */
public final class EgressOptions {
  @Option(
      names = "--resolve",
      paramLabel = "HOST:PORT:ADDRESS",
      description =
          "Go to this address for that host and port, whatever its name servers say, be it this"
              + " machine; several addresses with commas, * for every host. May be given several"
              + " times.")
  private List<String> resolve = List.of();

  @Option(
      names = "--proxy",
      paramLabel = "URL",
      description = "Connect through http://[NAME:PASSWORD@]HOST:PORT, or socks5://...")
  private @Nullable String proxy;

  @Option(
      names = "--user",
      paramLabel = "SITE=NAME:PASSWORD",
      description =
          "Log in to that site: a host, over https, or http://HOST:PORT. No other site, scheme or"
              + " port gets it. May be given several times.")
  private List<String> users = List.of();

  @Option(
      names = "--header",
      paramLabel = "SITE=NAME: VALUE",
      description = "Send this header to that site only, named as for --user.")
  private List<String> headers = List.of();

  @Option(
      names = "--insecure",
      description =
          "Accept any certificate, as curl --insecure does: the server may be an impostor. For"
              + " sites of your own.")
  private boolean insecure;

  @Option(
      names = "--connect-timeout",
      hidden = true,
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long one address has to accept a connection.")
  private Duration connectTimeout = FetchSettings.DEFAULT.connect();

  @Option(
      names = "--total-timeout",
      hidden = true,
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long a whole answer may take.")
  private Duration totalTimeout = FetchSettings.DEFAULT.total();

  @Option(
      names = "--page-limit",
      hidden = true,
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "How many bytes a page may have, unpacked.")
  private int pageLimit = FetchSettings.DEFAULT.pageLimit();

  /** How long and how much is taken of one answer. */
  FetchSettings fetch() {
    FetchSettings usual = FetchSettings.DEFAULT;
    return new FetchSettings(
        connectTimeout,
        usual.firstByte(),
        usual.idle(),
        totalTimeout,
        pageLimit,
        usual.robotsLimit(),
        usual.idleConnections(),
        usual.keepAlive());
  }

  /** The warning before the crawl. */
  public Optional<String> warning() {
    return insecure
        ? Optional.of(
            "Warning: certificates are not verified (--insecure); a server may be an impostor.")
        : Optional.empty();
  }

  /** The same in the summary. */
  public String afterword() {
    return insecure ? "; certificates were not verified" : "";
  }

  /** Where the user says hosts are. */
  public Overrides overrides() {
    try {
      return new Overrides(resolve.stream().map(Overrides::parse).toList());
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(Printable.text(String.valueOf(wrong.getMessage())));
    }
  }

  /** Proxy, logins and headers. */
  public Egress egress() {
    HostHeaders all = HostHeaders.NONE;
    for (String user : users) {
      Told told = Told.read("user", user, "NAME:PASSWORD", "name:password");
      all = all.withUser(told.site(), told.before(), told.after());
    }
    for (String header : headers) {
      Told told = Told.read("header", header, "NAME: VALUE", "Accept-Language: de");
      try {
        all = all.with(told.site(), told.before().strip(), told.after().strip());
      } catch (IllegalArgumentException wrong) {
        throw new WrongSetting(
            "header for %s cannot be sent: %s".formatted(told.site(), wrong.getMessage()));
      }
    }
    return new Egress(proxy(), all, insecure ? Certificates.UNVERIFIED : Certificates.VERIFIED);
  }

  private Optional<ProxyServer> proxy() {
    try {
      return Optional.ofNullable(proxy).map(ProxyServer::parse);
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(String.valueOf(wrong.getMessage()));
    }
  }

  /** {@code SITE=BEFORE:AFTER}, of which only the site may be repeated to anyone. */
  private record Told(Authority site, String before, String after) {
    static Told read(String option, String text, String form, String example) {
      int equals = text.indexOf('=');
      int colon = text.indexOf(':', equals + 1);
      if (equals < 1) {
        throw new WrongSetting(
            "%s names no site before a = sign: write it like --%s 'example.com=%s'"
                .formatted(option, option, example));
      }
      String site = text.substring(0, equals);
      if (colon <= equals + 1) {
        throw new WrongSetting(
            "%s for %s has no %s after the = sign: write it like --%s 'example.com=%s'"
                .formatted(option, Printable.text(site), form, option, example));
      }
      return new Told(
          authority(option, site), text.substring(equals + 1, colon), text.substring(colon + 1));
    }

    /** A bare host means https: what is secret goes out in clear only if that is written. */
    private static Authority authority(String option, String site) {
      return switch (Seed.parse(site)) {
        case UrlRefusal refusal -> throw new WrongSetting(option + ": " + refusal.message());
        case Seed seed when !seed.url().target().equals("/") ->
            throw new WrongSetting(
                "%s for %s names a path, but is sent to a whole site: leave the path out"
                    .formatted(option, Printable.text(site)));
        case Seed seed -> seed.url().authority();
      };
    }
  }
}
