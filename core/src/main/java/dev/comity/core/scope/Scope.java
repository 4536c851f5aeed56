package dev.comity.core.scope;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which links a crawl follows. Seeds are not judged: they are in scope by being named.
 *
 * @param reach how far from where a link stands it may lead
 * @param grouping which hosts are one domain
 * @param seeds the domains of the seeds
 * @param include patterns of which one must match, unless there is none
 * @param exclude patterns of which none may match
 * @param maximumDepth how many links away from a seed a URL may be
 * @param subtrees the paths of the seeds
 * @param dropped parameters that links lose before they are queued
 */
public record Scope(
    Reach reach,
    Grouping grouping,
    Set<DomainName> seeds,
    List<UrlPattern> include,
    List<UrlPattern> exclude,
    int maximumDepth,
    Subtrees subtrees,
    DroppedParameters dropped) {

  /** Among the terms, the name of how far from its seeds a crawl goes. */
  public static final String REACH = "scope";

  /** Under that name: to any domain. Under any other a crawl keeps to the domains of its seeds. */
  public static final String ANYWHERE = "any";

  /** Among the terms, the name of how many links from a seed a crawl goes. */
  public static final String DEPTH = "max-depth";

  /** Among the terms, the name of the patterns of which a URL must match one, one a line. */
  public static final String INCLUDE = "include";

  /** Among the terms, the name of the patterns of which a URL may match none, one a line. */
  public static final String EXCLUDE = "exclude";

  /** Among the terms, the name of the list that is fetched, where one is. */
  public static final String LIST = "list";

  /** Among the terms, the name of whether all hosts under one registered name are one domain. */
  public static final String STRIP_SUBDOMAINS = "strip-subdomains";

  /**
   * How many characters a URL may have: older browsers take no more, traps build ever longer ones.
   */
  private static final int LONGEST_URL = 2048;

  public Scope {
    seeds = Set.copyOf(seeds);
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    if (maximumDepth < 0) {
      throw new IllegalArgumentException(
          "maximum-depth " + maximumDepth + ": a depth is 0 or more; 0 crawls the seeds alone");
    }
  }

  /** The usual scope: the domains of the seeds, at any depth. */
  public static Scope ofSeeds(Collection<CrawlUrl> seeds, Grouping grouping) {
    Set<DomainName> domains =
        seeds.stream().map(grouping::domainOf).collect(Collectors.toUnmodifiableSet());
    return new Scope(
        Reach.SEEDS,
        grouping,
        domains,
        List.of(),
        List.of(),
        Integer.MAX_VALUE,
        Subtrees.of(seeds),
        DroppedParameters.NONE);
  }

  /**
   * The scope of a list of URLs.
   *
   * @param name tells it from other lists; the same name is the same run
   */
  public static Scope ofList(String name, Grouping grouping) {
    return new Scope(
        Reach.NOWHERE,
        grouping,
        Set.of(),
        List.of(),
        List.of(),
        0,
        new Subtrees(Set.of(name)),
        DroppedParameters.NONE);
  }

  /** The same scope with another reach. */
  public Scope reaching(Reach other) {
    return new Scope(other, grouping, seeds, include, exclude, maximumDepth, subtrees, dropped);
  }

  /** The same scope with these patterns, of which a URL must match one. */
  public Scope including(List<UrlPattern> patterns) {
    return new Scope(reach, grouping, seeds, patterns, exclude, maximumDepth, subtrees, dropped);
  }

  /** The same scope with these patterns, of which a URL may match none. */
  public Scope excluding(List<UrlPattern> patterns) {
    return new Scope(reach, grouping, seeds, include, patterns, maximumDepth, subtrees, dropped);
  }

  /** The same scope to this many links from a seed. */
  public Scope toDepth(int depth) {
    return new Scope(reach, grouping, seeds, include, exclude, depth, subtrees, dropped);
  }

  /** The same scope, with links that lose these parameters. */
  public Scope dropping(DroppedParameters other) {
    return new Scope(reach, grouping, seeds, include, exclude, maximumDepth, subtrees, other);
  }

  /**
   * What two crawls must have in common to go equally far from the same seeds, by name. What most
   * leave alone is named only where it is not.
   */
  public SortedMap<String, String> terms() {
    SortedMap<String, String> terms = new TreeMap<>();
    terms.put(REACH, reach.term());
    terms.put(DEPTH, String.valueOf(maximumDepth));
    terms.put(INCLUDE, written(include));
    terms.put(EXCLUDE, written(exclude));
    if (grouping != Grouping.BY_HOST) {
      terms.put(STRIP_SUBDOMAINS, "true");
    }
    if (reach == Reach.NOWHERE) {
      terms.put(LIST, String.join("\n", subtrees.roots()));
    }
    if (!dropped.names().isEmpty()) {
      terms.put("drop-params", String.join("\n", dropped.names()));
    }
    return terms;
  }

  private static String written(List<UrlPattern> patterns) {
    return patterns.stream()
        .map(UrlPattern::toString)
        .sorted()
        .distinct()
        .collect(Collectors.joining("\n"));
  }

  /**
   * Whether a link is followed.
   *
   * @param depth how many links the target is away from a seed
   */
  public ScopeVerdict judge(CrawlUrl from, CrawlUrl to, int depth) {
    return judge(from, to, depth, _ -> false);
  }

  /**
   * Whether a link is followed.
   *
   * @param started whether a domain counts as that of a seed although none was named there
   */
  public ScopeVerdict judge(CrawlUrl from, CrawlUrl to, int depth, Predicate<DomainName> started) {
    if (depth > maximumDepth) {
      return ScopeVerdict.TOO_DEEP;
    }
    if (to.toString().length() > LONGEST_URL) {
      return ScopeVerdict.TOO_LONG;
    }
    ScopeVerdict reached = reached(from, to, started);
    if (reached != ScopeVerdict.IN_SCOPE) {
      return reached;
    }
    if (isMatched(to, exclude)) {
      return ScopeVerdict.EXCLUDED;
    }
    return include.isEmpty() || isMatched(to, include)
        ? ScopeVerdict.IN_SCOPE
        : ScopeVerdict.NOT_INCLUDED;
  }

  /** Whether nothing but depth or patterns leave a link out, so that wider ones would follow it. */
  public boolean isOutside(CrawlUrl from, CrawlUrl to, int depth, Predicate<DomainName> started) {
    if (reach == Reach.NOWHERE) {
      return false;
    }
    return switch (judge(from, to, depth, started)) {
      case EXCLUDED, NOT_INCLUDED -> true;
      case TOO_DEEP ->
          to.toString().length() <= LONGEST_URL
              && reached(from, to, started) == ScopeVerdict.IN_SCOPE;
      case IN_SCOPE,
          TOO_LONG,
          NOT_FOLLOWED,
          OUT_OF_SUBTREE,
          OTHER_HOST,
          OTHER_DOMAIN,
          NO_SEED_DOMAIN ->
          false;
    };
  }

  private static boolean isMatched(CrawlUrl url, List<UrlPattern> patterns) {
    for (UrlPattern pattern : patterns) {
      if (pattern.matches(url)) {
        return true;
      }
    }
    return false;
  }

  private ScopeVerdict reached(CrawlUrl from, CrawlUrl to, Predicate<DomainName> started) {
    return switch (reach) {
      case HOST -> sameHost(from, to) ? ScopeVerdict.IN_SCOPE : ScopeVerdict.OTHER_HOST;
      case DOMAIN ->
          sameHost(from, to) || grouping.domainOf(from).equals(grouping.domainOf(to))
              ? ScopeVerdict.IN_SCOPE
              : ScopeVerdict.OTHER_DOMAIN;
      // Redirects of the list's own URLs are judged with every domain as started.
      case NOWHERE ->
          started.test(grouping.domainOf(to)) ? ScopeVerdict.IN_SCOPE : ScopeVerdict.NOT_FOLLOWED;
      case SUBTREE -> {
        ScopeVerdict bySeeds = bySeeds(to, started);
        yield bySeeds == ScopeVerdict.IN_SCOPE && !subtrees.hold(to)
            ? ScopeVerdict.OUT_OF_SUBTREE
            : bySeeds;
      }
      case SEEDS -> bySeeds(to, started);
      case ANY -> ScopeVerdict.IN_SCOPE;
    };
  }

  private ScopeVerdict bySeeds(CrawlUrl to, Predicate<DomainName> started) {
    DomainName domain = grouping.domainOf(to);
    return seeds.contains(domain) || started.test(domain)
        ? ScopeVerdict.IN_SCOPE
        : ScopeVerdict.NO_SEED_DOMAIN;
  }

  /** A port other than the web's own is another site; http and https are not. */
  private static boolean sameHost(CrawlUrl from, CrawlUrl to) {
    return from.authority().host().equals(to.authority().host())
        && (from.port() == to.port() || (isUsual(from.port()) && isUsual(to.port())));
  }

  private static boolean isUsual(int port) {
    return port == 80 || port == 443;
  }

  /** How far from where a link stands it may lead; each reaches all that those before it do. */
  public enum Reach {
    /** Nowhere: a list of URLs is fetched, and redirects of its URLs alone are followed. */
    NOWHERE,
    /** To the path of a seed and below. */
    SUBTREE,
    /** To the host of the page it is on. */
    HOST,
    /** To the domain of the page it is on. */
    DOMAIN,
    /** To the domain of any seed. */
    SEEDS,
    /** Anywhere. */
    ANY;

    /** How it is written among the terms. */
    public String term() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether a link is followed or why not. */
  public enum ScopeVerdict {
    IN_SCOPE("in scope"),
    TOO_DEEP("deeper than maximum-depth"),
    TOO_LONG("longer than maximum-length"),
    NOT_FOLLOWED("a link, and links are not followed"),
    OUT_OF_SUBTREE("outside the paths of the seeds"),
    OTHER_HOST("on another host than the page that links to it"),
    OTHER_DOMAIN("on another domain than the page that links to it"),
    NO_SEED_DOMAIN("on a domain that no seed belongs to"),
    EXCLUDED("matched by an exclude pattern"),
    NOT_INCLUDED("matched by no include pattern");

    private final String words;

    ScopeVerdict(String words) {
      this.words = words;
    }

    /** The verdict in words, to follow "it is". */
    public String words() {
      return words;
    }
  }
}
