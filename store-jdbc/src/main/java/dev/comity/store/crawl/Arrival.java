package dev.comity.store.crawl;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A URL on its way into a frontier, prepared by the thread that brings it.
 *
 * @param skipped whether it is known from now on and not asked
 */
public record Arrival(
    QueuedUrl entry,
    DomainName domain,
    String authority,
    String target,
    long key,
    boolean skipped) {

  /** Those of one domain together, in the order they were found in. */
  private static final Comparator<Arrival> ORDER =
      Comparator.comparing(arrival -> arrival.domain().name());

  /** Those that are not surely known already. */
  public static List<Arrival> of(
      List<QueuedUrl> urls,
      Function<CrawlUrl, DomainName> naming,
      SeenHints hints,
      ToLongFunction<CrawlUrl> keys) {
    List<Arrival> arrivals = new ArrayList<>();
    for (QueuedUrl entry : urls) {
      CrawlUrl url = entry.url();
      if (!hints.surelyKnows(url)) {
        arrivals.add(of(entry, naming.apply(url), keys.applyAsLong(url)));
      }
    }
    if (arrivals.size() > 1) {
      arrivals.sort(ORDER);
    }
    return arrivals;
  }

  private static Arrival of(QueuedUrl entry, DomainName domain, long key) {
    String text = entry.url().toString();
    String target = entry.url().target();
    String authority = text.substring(0, text.length() - target.length());
    return new Arrival(entry, domain, authority, target, key, entry.isSkipped());
  }

  /** Where a URL stands in its domain's queue: redirect targets, then by depth, the tried last. */
  static int place(QueuedUrl entry) {
    return Math.min(entry.depth(), 32_767)
        - (entry.hops() > 0 ? 32_768 : 0)
        + (entry.asked() > 0 ? TRIED : 0);
  }

  static final int TRIED = 65_536;

  /** The state of a row whose type is not kept, asked or not. */
  static final int SKIPPED = 6;

  /** What a row is asked for, as a number. */
  static int code(Kind kind) {
    return switch (kind) {
      case PAGE -> 0;
      case SITEMAP -> 1;
      case LINKS -> 2;
      case ROBOTS, IMAGE ->
          throw new IllegalArgumentException("no frontier has entries of kind " + kind);
    };
  }

  static Kind kind(int code) {
    return switch (code) {
      case 1 -> Kind.SITEMAP;
      case 2 -> Kind.LINKS;
      default -> Kind.PAGE;
    };
  }
}
