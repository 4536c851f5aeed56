package dev.comity.web.http;

import dev.comity.core.util.Printable;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The User-Agent: product, version and contact.
 *
 * @param contact a web or mail address of the crawl's operator, for owners of sites
 */
public record UserAgent(String version, Optional<String> contact) {
  /** The product token, which is also the name that robots.txt knows us by. */
  public static final String TOKEN = "Comity";

  private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z.+_-]+");
  private static final Pattern CONTACT =
      Pattern.compile("https?://[!-'*-~]+|[!-'*-?A-~]+@[!-'*-?A-~]+");

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
  }

  /** The value of the User-Agent header. */
  public String header() {
    return TOKEN + "/" + version + contact.map(text -> " (+" + text + ")").orElse("");
  }
}
