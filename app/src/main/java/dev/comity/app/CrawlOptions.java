package dev.comity.app;

import dev.comity.core.engine.DomainTerms;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.PatternRefusal;
import dev.comity.core.url.Scope.Reach;
import dev.comity.core.url.UrlPattern;
import dev.comity.web.UserAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How far a crawl goes, how fast, and in whose name. */
final class CrawlOptions {
  @Option(
      names = "--contact",
      paramLabel = "ADDRESS",
      description =
          "A web or mail address at which the site's owner can reach you; sent with every request."
              + " Required for anything but this machine.")
  private @Nullable String contact;

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      description = "Stop after this many pages (default: ${DEFAULT-VALUE}).")
  private long maxPages = Settings.DEFAULT.maxPages();

  @Option(
      names = "--max-pages-per-domain",
      paramLabel = "N",
      description = "Stop asking a domain after this many pages (default: ${DEFAULT-VALUE}).")
  private long maxPagesPerDomain = Settings.DEFAULT.maxPagesPerDomain();

  @Option(
      names = "--per-domain-budget",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether a domain has a page budget of its own beside that of the crawl.")
  private boolean perDomainBudget;

  @Option(
      names = "--max-depth",
      paramLabel = "N",
      description = "Follow links at most this far from a start URL (default: as far as they go).")
  private @Nullable Integer maxDepth;

  @Option(
      names = "--scope",
      paramLabel = "REACH",
      description = "Follow links to: host, domain, seeds, any (default: seeds).")
  private Reach scope = Settings.DEFAULT.scope();

  @Option(
      names = "--include",
      paramLabel = "REGEX",
      description = "Follow only URLs in which this is found; may be given several times.")
  private List<String> include = List.of();

  @Option(
      names = "--exclude",
      paramLabel = "REGEX",
      description = "Follow no URL in which this is found; may be given several times.")
  private List<String> exclude = List.of();

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "The least time between two requests to one domain: 500ms, 2s, 1m (default: 1s).")
  private Duration delay = Settings.DEFAULT.minimumInterval();

  @Option(
      names = "--sitemaps",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether the sitemaps that a site's robots.txt names are read.")
  private boolean sitemaps;

  /**
   * The whole record.
   *
   * @param fine what hardly anybody sets
   * @param domains what is set for single domains
   */
  Settings settings(FineOptions fine, Map<DomainName, DomainTerms> domains) {
    Optional<String> known = Optional.ofNullable(contact).filter(given -> !given.isBlank());
    known.ifPresent(CrawlOptions::checkContact);
    return new Settings(
        known,
        delay,
        maxPages,
        // One domain may then have all there is.
        perDomainBudget ? maxPagesPerDomain : maxPages,
        maxDepth == null ? Settings.DEFAULT.maxDepth() : maxDepth,
        scope,
        patterns("include", include),
        patterns("exclude", exclude),
        sitemaps,
        fine.manner(perDomainBudget ? domains : withoutBudgets(domains)));
  }

  private static Map<DomainName, DomainTerms> withoutBudgets(Map<DomainName, DomainTerms> domains) {
    return domains.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, domain -> domain.getValue().withoutBudget()));
  }

  private static void checkContact(String contact) {
    try {
      new UserAgent("0", Optional.of(contact)).header();
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting("contact: " + wrong.getMessage());
    }
  }

  private static List<UrlPattern> patterns(String name, List<String> texts) {
    return texts.stream()
        .map(
            text ->
                switch (UrlPattern.parse(text)) {
                  case UrlPattern pattern -> pattern;
                  case PatternRefusal refusal ->
                      throw new WrongSetting(name + ": " + refusal.message());
                })
        .toList();
  }
}
