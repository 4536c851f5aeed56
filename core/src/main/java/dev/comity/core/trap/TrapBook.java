package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
  private static final String EVERYTHING = "/**";

  private final TrapSettings settings;
  private final Map<String, Tally> tallies = new HashMap<>();
  private final Map<String, Tally> changed = new LinkedHashMap<>();

  public TrapBook(TrapSettings settings, Collection<Tally> known) {
    this.settings = settings;
    known.forEach(tally -> tallies.put(tally.template(), tally));
  }

  /** The template a URL is of, before any is widened. */
  public static String templateOf(CrawlUrl url) {
    return UrlTemplate.of(url).text();
  }

  /** Why a URL is not to be asked, if it is not. */
  public Optional<TrapReason> trap(CrawlUrl url) {
    Optional<TrapReason> shape =
        PathShape.trap(url, settings).filter(reason -> !isLifted(reason.code()));
    return shape.or(
        () ->
            Optional.ofNullable(tallies.get(template(UrlTemplate.of(url))))
                .flatMap(Tally::suppressed)
                .map(Tally.Suppression::reason));
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
   * @return the template that is suppressed from now on, if this was the last straw
   */
  public Optional<Tally> landed(
      CrawlUrl url,
      Optional<CrawlUrl> referrer,
      String text,
      Collection<CrawlUrl> links,
      Instant now) {
    String template = template(UrlTemplate.of(url));
    boolean selfFed = referrer.filter(page -> isInside(template, UrlTemplate.of(page))).isPresent();
    Set<String> places = new HashSet<>();
    for (CrawlUrl link : links) {
      if (!link.domain().equals(url.domain()) || !isInside(template, UrlTemplate.of(link))) {
        places.add(link.authority() + UrlParts.of(link).path());
      }
    }
    boolean begotten =
        UrlParts.of(url).session().isPresent() || referrer.filter(this::isBarren).isPresent();
    Yield page = Yield.of(url, referrer, text, places, selfFed, begotten);
    if (!page.says()) {
      // Nothing a reader could see: there is nothing to compare.
      return Optional.empty();
    }
    Tally before = tally(template);
    Tally after = before.after(page, settings.barrenPages(), now);
    keep(after);
    return before.suppressed().isEmpty() && after.suppressed().isPresent()
        ? Optional.of(after)
        : Optional.empty();
  }

  private boolean isBarren(CrawlUrl page) {
    Tally tally = tallies.get(template(UrlTemplate.of(page)));
    return tally != null && tally.memory().isBarren(Hashes.of(page.toString()));
  }

  /** What changed since it was asked last. */
  public List<Tally> takeChanged() {
    List<Tally> taken = new ArrayList<>(changed.values());
    changed.clear();
    return taken;
  }

  private void keep(Tally tally) {
    tallies.put(tally.template(), tally);
    changed.put(tally.template(), tally);
  }

  private Tally tally(String template) {
    Tally known = tallies.get(template);
    return known == null ? Tally.fresh(template) : known;
  }

  /** The narrowest there is, or there is room for. */
  private String template(UrlTemplate exact) {
    String text = exact.text();
    String ofPath = exact.path() + "?*";
    String ofTop = exact.top() + "**";
    if (tallies.containsKey(text)) {
      return text;
    }
    boolean room = tallies.size() < MOST;
    boolean roomBelow =
        room && text.length() <= LONGEST && below(exact.top()) < MOST_UNDER_ONE_DIRECTORY;
    if (roomBelow && (exact.query().isEmpty() || of(exact.path()) < MOST_OF_ONE_PATH)) {
      return text;
    }
    if (tallies.containsKey(ofPath) || (roomBelow && !exact.query().isEmpty())) {
      return ofPath;
    }
    return tallies.containsKey(ofTop) || (room && ofTop.length() <= LONGEST) ? ofTop : EVERYTHING;
  }

  private long below(String top) {
    return tallies.keySet().stream().filter(known -> UrlTemplate.top(known).equals(top)).count();
  }

  private long of(String path) {
    String prefix = path + "?";
    return tallies.keySet().stream().filter(known -> known.startsWith(prefix)).count();
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
