package dev.comity.web.http;

import dev.comity.core.util.Printable;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The User-Agent: product, version and contact.
 *
 * @param contact a web or mail address of the crawl's operator, for owners of sites
 * @param own the user's own bot in place of Comity, such as {@code MyBot/1.0}
 */
public record UserAgent(String version, Optional<String> contact, Optional<String> own) {
  /** The product token, by which robots.txt knows us, unless the user's bot has its own. */
  public static final String TOKEN = "Comity";

  private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z.+_-]+");
  private static final Pattern CONTACT =
      Pattern.compile("https?://[!-'*-~]+|[!-'*-?A-~]+@[!-'*-?A-~]+");

  /** In RFC 9309 a token is letters, _ and -. */
  private static final Pattern OWN = Pattern.compile("([A-Za-z_-]+)(/[!-'*-~]*)?( [ -~]*)?");

  private static final int LONGEST_OWN = 200;

  /** Comity itself. */
  public UserAgent(String version, Optional<String> contact) {
    this(version, contact, Optional.empty());
  }

  public UserAgent {
    if (!VERSION.matcher(version).matches()) {
      throw new IllegalArgumentException("a version is letters, digits and . + _ -: " + version);
    }
    contact.ifPresent(
        text -> {
          if (!CONTACT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                "a contact is a URL (https://…) or a mail address, without spaces or parentheses: "
                    + Printable.text(Printable.cut(text)));
          }
        });
    own.ifPresent(UserAgent::check);
  }

  private static void check(String own) {
    Matcher read = OWN.matcher(own);
    boolean browser = own.regionMatches(true, 0, "Mozilla", 0, "Mozilla".length());
    if (!read.matches() || browser || own.length() > LONGEST_OWN) {
      throw new IllegalArgumentException(
          "a user agent begins with the bot's own name of letters, - and _, which robots.txt knows"
              + " it by, as in MyBot/1.0 (+https://example.org/bot): "
              + Printable.text(Printable.cut(own)));
    }
  }

  /** The name that robots.txt knows us by. */
  public String token() {
    return own.map(
            text -> {
              Matcher read = OWN.matcher(text);
              return read.matches() ? read.group(1) : TOKEN;
            })
        .orElse(TOKEN);
  }

  /** The value of the User-Agent header. */
  public String header() {
    String product = own.orElse(TOKEN + "/" + version);
    // Who names the contact already need not say it twice.
    return product
        + contact
            .filter(text -> !product.contains(text))
            .map(text -> " (+" + text + ")")
            .orElse("");
  }
}
