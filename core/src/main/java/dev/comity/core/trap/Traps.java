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
 * The templates of one domain. The worker that holds the domain keeps it; what changes is handed
 * out to be written with the page that changed it.
 *
 * <p>It stays small whatever a site makes up: where one path has too many sets of parameters, one
 * directory too many templates, or the domain too many in all, further ones share a wider one.
 */
public final class Traps {
  static final int MOST = 128;
  static final int MOST_UNDER_ONE_DIRECTORY = 32;
  static final int MOST_OF_ONE_PATH = 8;
  private static final int LONGEST = 256;
  private static final int WORTH_WRITING = 16;
  private static final String EVERYTHING = "/**";

  private final TrapSettings settings;
  private final Map<String, TemplateStats> tallies = new HashMap<>();
  private final Map<String, TemplateStats> changed = new LinkedHashMap<>();

  /** How many templates there are under each directory, and with parameters of each path. */
  private final Map<String, Integer> below = new HashMap<>();

  private final Map<String, Integer> ofPath = new HashMap<>();
  private int suppressed;

  /** Changes since any were handed out to be written. */
  private int unwritten;

  private boolean isUrgent;

  public Traps(TrapSettings settings, Collection<TemplateStats> known) {
    this.settings = settings;
    known.forEach(this::put);
  }

  /** The template a URL is of, before any is widened. */
  public static String templateOf(CrawlUrl url) {
    return UrlTemplate.of(url).text();
  }

  /** Why a URL is not to be asked, if it is not. */
  public Optional<TrapReason> trap(CrawlUrl url) {
    Optional<TrapReason> shape = PathShape.trap(url);
    if (shape.isPresent() && !isLifted(shape.get().code())) {
      return shape;
    }
    if (suppressed == 0) {
      return Optional.empty();
    }
    TemplateStats stats = tallies.get(template(UrlTemplate.of(url)));
    return stats == null || stats.suppressed().isEmpty()
        ? Optional.empty()
        : Optional.of(stats.suppressed().get().reason());
  }

  private boolean isLifted(String template) {
    TemplateStats stats = tallies.get(template);
    return stats != null && stats.lifted();
  }

  /** A link was found that is not followed, for this reason. */
  public void leftOut(CrawlUrl url, TrapReason reason, Instant now) {
    String template =
        switch (reason) {
          case TOO_DEEP, REPEATING -> reason.code();
          case SAME_TEXT, NOTHING_NEW, COMBINATIONS -> template(UrlTemplate.of(url));
        };
    TemplateStats before = stats(template);
    keep(before, before.leavingOut(reason, now));
  }

  /**
   * A URL became a page that was never one before.
   *
   * @param text is asked for only where it matters
   * @param images what the page shows
   * @return the template that is suppressed from now on, if this was the last straw
   */
  public Optional<TemplateStats> landed(
      CrawlUrl url,
      Optional<CrawlUrl> referrer,
      Supplier<String> text,
      Collection<CrawlUrl> links,
      Collection<CrawlUrl> images,
      Instant now) {
    UrlParts parts = UrlParts.of(url);
    TemplateStats before = stats(template(UrlTemplate.of(parts)));
    boolean first = before.pages() == 0;
    Kin kin = new Kin(before.template());
    LongSet places =
        !first && before.sketch().leadsAnywhere() ? new LongSet() : places(url, kin, links);
    if (first || !before.sketch().leadsSomewhereNew(places)) {
      images.forEach(image -> places.add(ImageIdentity.of(image)));
    }
    PageNovelty page = PageNovelty.leading(places, parts.values());
    if (first || !before.sketch().leadsSomewhereNew(places)) {
      page = page.saying(text.get());
      if (!page.says()) {
        // Nothing a reader could see: there is nothing to compare.
        return Optional.empty();
      }
      page = page.from(origin(url, parts, referrer, kin));
    }
    TemplateStats after = before.after(page, settings.barrenPages(), now);
    keep(before, after);
    return before.suppressed().isEmpty() && after.suppressed().isPresent()
        ? Optional.of(after)
        : Optional.empty();
  }

  /** Where links lead that are not to more of the same. */
  private static LongSet places(CrawlUrl url, Kin kin, Collection<CrawlUrl> links) {
    LongSet places = new LongSet();
    DomainName own = url.domain();
    for (CrawlUrl link : links) {
      boolean isOwn = link.domain().equals(own);
      if (UrlParts.hasNone(link)) {
        if (!isOwn || !kin.hasPlain(link)) {
          places.add(Hashes.of(link.toString()));
        }
        continue;
      }
      UrlParts parts = UrlParts.of(link);
      if (!isOwn || !kin.has(UrlTemplate.of(parts))) {
        // A place is the same with any parameters.
        places.add(Hashes.of(link.authority() + parts.path()));
      }
    }
    return places;
  }

  private PageNovelty.Origin origin(
      CrawlUrl url, UrlParts parts, Optional<CrawlUrl> referrer, Kin kin) {
    long own = Hashes.of(url.toString());
    boolean session = parts.session().isPresent();
    if (referrer.isEmpty()) {
      return new PageNovelty.Origin(own, 0, false, session);
    }
    long from = Hashes.of(referrer.get().toString());
    UrlTemplate theirs = UrlTemplate.of(referrer.get());
    return new PageNovelty.Origin(own, from, kin.has(theirs), session || isBarren(theirs, from));
  }

  private boolean isBarren(UrlTemplate template, long page) {
    TemplateStats stats = tallies.get(template(template));
    return stats != null && stats.sketch().isBarren(page);
  }

  /**
   * What changed since it was asked last, once that is worth writing: at once when a template is
   * given up, every few pages otherwise. What a crash forgets of a template is soon seen again.
   */
  public List<TemplateStats> takeDue() {
    return isUrgent || unwritten >= WORTH_WRITING ? takeChanged() : List.of();
  }

  /** What changed since it was asked last. */
  public List<TemplateStats> takeChanged() {
    List<TemplateStats> taken = List.copyOf(changed.values());
    changed.clear();
    unwritten = 0;
    isUrgent = false;
    return taken;
  }

  private void keep(TemplateStats before, TemplateStats after) {
    put(after);
    changed.put(after.template(), after);
    unwritten++;
    isUrgent |= before.suppressed().isEmpty() && after.suppressed().isPresent();
  }

  private void put(TemplateStats stats) {
    String template = stats.template();
    TemplateStats before = tallies.put(template, stats);
    if (before == null) {
      below.merge(UrlTemplate.top(template), 1, Integer::sum);
      int query = template.indexOf('?');
      if (query >= 0) {
        ofPath.merge(template.substring(0, query), 1, Integer::sum);
      }
    }
    suppressed += stats.suppressed().isPresent() ? 1 : 0;
    suppressed -= before != null && before.suppressed().isPresent() ? 1 : 0;
  }

  private TemplateStats stats(String template) {
    TemplateStats known = tallies.get(template);
    return known == null ? TemplateStats.fresh(template) : known;
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
}
