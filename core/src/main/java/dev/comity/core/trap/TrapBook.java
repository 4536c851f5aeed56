package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The templates of one domain. It is kept by whoever holds the domain; what changes is handed out
 * to be written with the page that changed it.
 *
 * <p>It stays small whatever a site makes up: where one path has too many sets of parameters, one
 * directory too many templates, or the domain too many in all, further ones share a wider one.
 */
public final class TrapBook {
  static final int MOST = 128;
  static final int MOST_UNDER_ONE_DIRECTORY = 32;
  static final int MOST_OF_ONE_PATH = 8;
  private static final int LONGEST = 256;
  private static final int WORTH_WRITING = 16;
  private static final String EVERYTHING = "/**";

  private final TrapSettings settings;
  private final Map<String, Tally> tallies = new HashMap<>();
  private final Map<String, Tally> changed = new LinkedHashMap<>();

  /** How many templates there are under each directory, and with parameters of each path. */
  private final Map<String, Integer> below = new HashMap<>();

  private final Map<String, Integer> ofPath = new HashMap<>();
  private int suppressed;

  /** Changes since any were handed out to be written. */
  private int unwritten;

  private boolean isUrgent;

  public TrapBook(TrapSettings settings, Collection<Tally> known) {
    this.settings = settings;
    known.forEach(this::put);
  }

  /** The template a URL is of, before any is widened. */
  public static String templateOf(CrawlUrl url) {
    return UrlTemplate.of(url).text();
  }

  /** Why a URL is not to be asked, if it is not. */
  public Optional<TrapReason> trap(CrawlUrl url) {
    UrlParts parts = UrlParts.of(url);
    Optional<TrapReason> shape = PathShape.trap(parts, settings);
    if (shape.isPresent() && !isLifted(shape.get().code())) {
      return shape;
    }
    if (suppressed == 0) {
      return Optional.empty();
    }
    return Optional.ofNullable(tallies.get(template(UrlTemplate.of(parts))))
        .flatMap(Tally::suppressed)
        .map(Tally.Suppression::reason);
  }

  private boolean isLifted(String template) {
    Tally tally = tallies.get(template);
    return tally != null && tally.lifted();
  }

  /** A link was found that is not followed, for this reason. */
  public void leftOut(CrawlUrl url, TrapReason reason, Instant now) {
    String template =
        switch (reason) {
          case TOO_DEEP, REPEATING -> reason.code();
          case SAME_TEXT, NOTHING_NEW, COMBINATIONS -> template(UrlTemplate.of(url));
        };
    keep(tally(template).leavingOut(reason, now));
  }

  /**
   * A URL became a page that was never one before.
   *
   * @param text is asked for only where it matters
   * @return the template that is suppressed from now on, if this was the last straw
   */
  public Optional<Tally> landed(
      CrawlUrl url,
      Optional<CrawlUrl> referrer,
      Supplier<String> text,
      Collection<CrawlUrl> links,
      Instant now) {
    String template = template(UrlTemplate.of(url));
    boolean selfFed = referrer.filter(page -> isInside(template, UrlTemplate.of(page))).isPresent();
    LongSet places = new LongSet();
    DomainName own = url.domain();
    for (CrawlUrl link : links) {
      UrlParts parts = UrlParts.of(link);
      if (!link.domain().equals(own) || !isInside(template, UrlTemplate.of(parts))) {
        places.add(place(link, parts));
      }
    }
    boolean begotten =
        UrlParts.of(url).session().isPresent() || referrer.filter(this::isBarren).isPresent();
    Tally before = tally(template);
    Yield page = Yield.of(url, referrer, places, selfFed, begotten);
    if (before.pages() == 0 || !before.memory().leadsSomewhereNew(page)) {
      page = page.saying(text.get());
      if (!page.says()) {
        // Nothing a reader could see: there is nothing to compare.
        return Optional.empty();
      }
    }
    Tally after = before.after(page, settings.barrenPages(), now);
    keep(after);
    return before.suppressed().isEmpty() && after.suppressed().isPresent()
        ? Optional.of(after)
        : Optional.empty();
  }

  /** Where a link leads, without its parameters. */
  private static long place(CrawlUrl link, UrlParts parts) {
    String text = link.toString();
    return parts.parameters().isEmpty() && !parts.hasQuery()
        ? Hashes.of(text)
        : Hashes.of(link.authority() + parts.path());
  }

  private boolean isBarren(CrawlUrl page) {
    Tally tally = tallies.get(template(UrlTemplate.of(page)));
    return tally != null && tally.memory().isBarren(Hashes.of(page.toString()));
  }

  /**
   * What changed since it was asked last, once that is worth writing: at once when a template is
   * given up, every few pages otherwise. What a crash forgets of a template is soon seen again.
   */
  public List<Tally> takeDue() {
    return isUrgent || unwritten >= WORTH_WRITING ? takeChanged() : List.of();
  }

  /** What changed since it was asked last. */
  public List<Tally> takeChanged() {
    List<Tally> taken = List.copyOf(changed.values());
    changed.clear();
    unwritten = 0;
    isUrgent = false;
    return taken;
  }

  private void keep(Tally tally) {
    boolean wasSuppressed = tally(tally.template()).suppressed().isPresent();
    put(tally);
    changed.put(tally.template(), tally);
    unwritten++;
    isUrgent |= !wasSuppressed && tally.suppressed().isPresent();
  }

  private void put(Tally tally) {
    String template = tally.template();
    Tally before = tallies.put(template, tally);
    if (before == null) {
      below.merge(UrlTemplate.top(template), 1, Integer::sum);
      int query = template.indexOf('?');
      if (query >= 0) {
        ofPath.merge(template.substring(0, query), 1, Integer::sum);
      }
    }
    suppressed += tally.suppressed().isPresent() ? 1 : 0;
    suppressed -= before != null && before.suppressed().isPresent() ? 1 : 0;
  }

  private Tally tally(String template) {
    Tally known = tallies.get(template);
    return known == null ? Tally.fresh(template) : known;
  }

  /** The narrowest there is, or there is room for. */
  private String template(UrlTemplate exact) {
    String text = exact.text();
    if (tallies.containsKey(text)) {
      return text;
    }
    boolean room = tallies.size() < MOST;
    boolean roomBelow =
        room
            && text.length() <= LONGEST
            && below.getOrDefault(exact.top(), 0) < MOST_UNDER_ONE_DIRECTORY;
    if (roomBelow
        && (exact.query().isEmpty() || ofPath.getOrDefault(exact.path(), 0) < MOST_OF_ONE_PATH)) {
      return text;
    }
    String widened = exact.path() + "?*";
    if (tallies.containsKey(widened) || (roomBelow && !exact.query().isEmpty())) {
      return widened;
    }
    String ofTop = exact.top() + "**";
    return tallies.containsKey(ofTop) || (room && ofTop.length() <= LONGEST) ? ofTop : EVERYTHING;
  }

  /** Whether URLs of one template are, for another, its own: the same path with any parameters. */
  private static boolean isInside(String template, UrlTemplate other) {
    if (template.startsWith(UrlTemplate.SESSIONS)
        || other.path().startsWith(UrlTemplate.SESSIONS)) {
      return template.equals(other.path());
    }
    if (template.endsWith(EVERYTHING)) {
      return other.path().startsWith(template.substring(0, template.length() - 2));
    }
    int query = template.indexOf('?');
    return other.path().equals(query < 0 ? template : template.substring(0, query));
  }
}
