package dev.comity.core.port.run;

import dev.comity.core.port.image.ImageMode;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The terms of a run: seeds, scope and budgets. Two crawls on the same terms are the same run.
 *
 * @param scope every setting that decides which links are followed, by name
 * @param maxImages how many images may be kept; 0 if none is collected
 * @param isAnew whether a new run is begun even if these terms are wider than the last run's
 */
public record RunTerms(
    List<CrawlUrl> seeds,
    SortedMap<String, String> scope,
    long maxPages,
    long maxPagesPerDomain,
    long maxImages,
    boolean isAnew) {

  /** Among the terms, the name of what is kept of images. */
  private static final String IMAGES = "images";

  /** Among the terms, the name of the domains that are refreshed. */
  private static final String REFRESH = "refresh";

  private static final String ALL = "all";

  /** The settings of scope that may become wider within a run. */
  private static final Set<String> ELASTIC =
      Set.of(Scope.REACH, Scope.DEPTH, Scope.INCLUDE, Scope.EXCLUDE);

  /** Each reach includes those before it. */
  private static final List<String> REACHES =
      Arrays.stream(Scope.Reach.values()).map(Scope.Reach::term).toList();

  public RunTerms {
    seeds = List.copyOf(seeds);
    scope = new TreeMap<>(scope);
  }

  public RunTerms(
      List<CrawlUrl> seeds,
      SortedMap<String, String> scope,
      long maxPages,
      long maxPagesPerDomain) {
    this(seeds, scope, maxPages, maxPagesPerDomain, 0, false);
  }

  /** The same terms of a crawl that collects images in this mode, and so many at most. */
  public RunTerms collecting(ImageMode mode, long images) {
    if (mode == ImageMode.OFF) {
      return this;
    }
    SortedMap<String, String> terms = new TreeMap<>(scope);
    terms.put(IMAGES, mode.key());
    return new RunTerms(seeds, terms, maxPages, maxPagesPerDomain, images, isAnew);
  }

  /**
   * The same terms of a run that visits known pages of exhausted domains.
   *
   * @param domains those that it is about; none: all
   */
  public RunTerms refreshing(Collection<DomainName> domains) {
    SortedMap<String, String> terms = new TreeMap<>(scope);
    terms.put(
        REFRESH,
        domains.isEmpty()
            ? ALL
            : domains.stream().map(DomainName::name).sorted().collect(Collectors.joining("\n")));
    return new RunTerms(seeds, terms, maxPages, maxPagesPerDomain, maxImages, true);
  }

  /**
   * The domains that a run visits again; none: all. Empty if it visits no known pages.
   *
   * @param scope as the run's terms have it
   */
  public static Optional<Set<DomainName>> refreshed(Map<String, String> scope) {
    return Optional.ofNullable(scope.get(REFRESH))
        .map(
            names ->
                names.equals(ALL)
                    ? Set.of()
                    : names.lines().map(DomainName::new).collect(Collectors.toUnmodifiableSet()));
  }

  /** Whether the run visits known pages that are due. */
  public boolean isRefresh() {
    return scope.containsKey(REFRESH);
  }

  /** The same terms for a run that does not continue one on narrower terms. */
  public RunTerms anew() {
    return new RunTerms(seeds, scope, maxPages, maxPagesPerDomain, maxImages, true);
  }

  /**
   * Whether these terms allow all that earlier terms from the same seeds did: in budget, reach,
   * depth and patterns. A run on the earlier terms then goes on with these.
   */
  public boolean widen(
      Map<String, String> earlier,
      long earlierMaxPages,
      long earlierMaxPagesPerDomain,
      long earlierMaxImages) {
    return !isAnew
        && maxPages >= earlierMaxPages
        && maxPagesPerDomain >= earlierMaxPagesPerDomain
        && maxImages >= earlierMaxImages
        && rigid(scope).equals(rigid(earlier))
        && reaches(scope, earlier)
        && depth(scope) >= depth(earlier)
        && includes(patterns(scope, Scope.INCLUDE), patterns(earlier, Scope.INCLUDE))
        && patterns(earlier, Scope.EXCLUDE).containsAll(patterns(scope, Scope.EXCLUDE));
  }

  /** Whether hosts are followed that earlier terms left out: their links were not kept. */
  public boolean reachFurther(Map<String, String> earlier) {
    return !reach(scope).equals(reach(earlier));
  }

  private static boolean reaches(Map<String, String> scope, Map<String, String> earlier) {
    int before = REACHES.indexOf(reach(earlier));
    return reach(scope).equals(reach(earlier))
        || (before >= 0 && REACHES.indexOf(reach(scope)) > before);
  }

  private static String reach(Map<String, String> scope) {
    return scope.getOrDefault(Scope.REACH, "");
  }

  private static Map<String, String> rigid(Map<String, String> scope) {
    return scope.entrySet().stream()
        .filter(term -> !ELASTIC.contains(term.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static int depth(Map<String, String> scope) {
    return Integer.parseInt(scope.getOrDefault(Scope.DEPTH, "0"));
  }

  private static Set<String> patterns(Map<String, String> scope, String name) {
    return scope.getOrDefault(name, "").lines().collect(Collectors.toSet());
  }

  /** No pattern at all includes everything. */
  private static boolean includes(Set<String> now, Set<String> earlier) {
    return now.isEmpty() || (!earlier.isEmpty() && now.containsAll(earlier));
  }
}
