package dev.comity.store.sql;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.UrlRefusal;
import dev.comity.store.StoreDamaged;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the text of a URL as the frontier has it, in two parts. */
public final class UrlText {
  private UrlText() {}

  /**
   * A URL of a domain. One of another domain is damage, too: it would be asked at a pace that is
   * not its own.
   *
   * @param id its row
   * @param authority none where its row is missing
   */
  public static Stored<CrawlUrl> read(
      long id, @Nullable String authority, @Nullable String target, String domain) {
    if (authority == null) {
      return new Stored.Damaged<>("URL " + id + " has no scheme and host: its row is missing");
    }
    String text = authority + target;
    return switch (CrawlUrl.parse(text)) {
      case UrlRefusal refusal -> damaged(id, "cannot be read: " + refusal.message(), text);
      case CrawlUrl url when !url.toString().equals(text) ->
          damaged(id, "is not in the form it was written in", text);
      case CrawlUrl url when !isOf(domain, url) -> damaged(id, "belongs to another domain", text);
      case CrawlUrl url -> new Stored.Sound<>(url);
    };
  }

  /** Whatever sub-domains were to the crawl that found it. */
  private static boolean isOf(String domain, CrawlUrl url) {
    return Arrays.stream(Grouping.values())
        .map(grouping -> grouping.domainOf(url))
        .map(DomainName::name)
        .anyMatch(domain::equals);
  }

  private static Stored<CrawlUrl> damaged(long id, String wrong, String text) {
    return new Stored.Damaged<>("URL " + id + " " + wrong + ": " + StoreDamaged.shown(text));
  }
}
