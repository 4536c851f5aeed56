package dev.comity.app.settings;

import dev.comity.app.text.DurationConverter;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.scope.PatternRefusal;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.scope.UrlPattern;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.usage.Purpose;
import dev.comity.web.http.UserAgent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Contact, pace, budgets and scope of a crawl. */
public final class CrawlOptions {
  @Option(
      names = "--contact",
      paramLabel = "ADDRESS",
      description =
          "A web or mail address at which the site's owner can reach you; sent with every request."
              + " Required for anything but this machine.")
  private @Nullable String contact;

  @Option(
      names = "--user-agent",
      paramLabel = "NAME/VERSION",
      description =
          "Your own bot in place of Comity. The name before the slash is the one that robots.txt"
              + " files know it by; the contact is added.")
  private @Nullable String userAgent;

  @Option(
      names = "--purpose",
      paramLabel = "PURPOSE",
      split = ",",
      converter = PurposeConverter.class,
      description =
          "What the content is for: search, archive, research, ai-input, train-ai; several with"
              + " commas (default: research). What a site refuses for one of them is not"
              + " collected.")
  private List<Purpose> purpose = List.of(Purpose.RESEARCH);

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "The least time between two requests to one domain: 500ms, 2s, 1m (default: 1s).")
  private Duration delay = PaceSettings.DEFAULTS.minimum();

  @Option(
      names = "--concurrency",
      hidden = true,
      paramLabel = "N",
      description = "Requests in flight to one domain.")
  private int concurrency = PaceSettings.DEFAULTS.concurrency();

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      description = "Stop after this many pages (default: ${DEFAULT-VALUE}).")
  private long maxPages = CrawlLimits.DEFAULTS.maxPages();

  @Option(
      names = "--max-pages-per-domain",
      paramLabel = "N",
      description = "Stop asking a domain after this many pages (default: ${DEFAULT-VALUE}).")
  private long maxPagesPerDomain = CrawlLimits.DEFAULTS.maxPagesPerDomain();

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
      description =
          "Follow links to: subtree (the paths of the seeds), host, domain, seeds, any (default:"
              + " seeds).",
      converter = ReachConverter.class)
  private Reach scope = Settings.Bounds.DEFAULT.scope();

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
      names = "--drop-params",
      paramLabel = "NAMES",
      split = ",",
      description =
          "Drop these parameters from the query of links: names and beginnings such as utm_*, with"
              + " commas; tracking stands for the usual ones.")
  private List<String> dropParams = List.of();

  @Option(
      names = "--sitemaps",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether the sitemaps that a site's robots.txt names are read.")
  private boolean sitemaps;

  @Option(
      names = "--images",
      arity = "0..1",
      paramLabel = "WHAT",
      fallbackValue = "files",
      parameterConsumer = ImageModeParameter.class,
      description =
          "Collect the images of pages: files, or metadata alone; without a value files (default:"
              + " off).")
  private ImageMode images = ImageMode.OFF;

  @Option(
      names = "--strip-subdomains",
      description =
          "Treat all hosts under one registered name as one domain. Use a data directory of its"
              + " own for that.")
  private boolean stripSubdomains;

  @Option(
      names = "--smart-scheduling",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether domains are claimed by priority, or else in the order of the seeds.")
  private boolean smartScheduling;

  @Option(
      names = "--barren-pages",
      paramLabel = "N",
      description =
          "Leave a kind of URLs alone after this many pages in a row that brought nothing new; 0:"
              + " never (default: ${DEFAULT-VALUE}).")
  private int barrenPages = TrapSettings.DEFAULTS.barrenPages();

  /**
   * The whole record.
   *
   * @param fine what few users set
   * @param egress how requests leave
   * @param domains what is set for single domains
   * @param purposeNamed whether the purpose is not just the usual one
   */
  public Settings settings(
      FineOptions fine,
      EgressOptions egress,
      Map<DomainName, DomainTerms> domains,
      boolean purposeNamed) {
    Optional<String> known = Optional.ofNullable(contact).filter(given -> !given.isBlank());
    known.ifPresent(CrawlOptions::checkContact);
    Optional.ofNullable(userAgent)
        .filter(given -> !given.isBlank())
        .ifPresent(CrawlOptions::checkUserAgent);
    try {
      return new Settings(
          known,
          fine.policy(delay, concurrency),
          // Without budgets for domains, one domain may have all there is.
          fine.limits(maxPages, perDomainBudget ? maxPagesPerDomain : maxPages),
          egress.fetch(),
          new TrapSettings(barrenPages),
          fine.store(),
          bounds(),
          sitemaps,
          smartScheduling,
          images,
          perDomainBudget ? domains : withoutBudgets(domains),
          purposeNamed ? Optional.of(Set.copyOf(purpose)) : Optional.empty(),
          Optional.ofNullable(userAgent).filter(given -> !given.isBlank()));
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(String.valueOf(wrong.getMessage()));
    }
  }

  private Settings.Bounds bounds() {
    return new Settings.Bounds(
        scope,
        stripSubdomains ? Grouping.BY_REGISTRABLE_DOMAIN : Grouping.BY_HOST,
        maxDepth == null ? Settings.Bounds.DEFAULT.maxDepth() : maxDepth,
        patterns("include", include),
        patterns("exclude", exclude),
        DroppedParameters.of(dropParams));
  }

  private static Map<DomainName, DomainTerms> withoutBudgets(Map<DomainName, DomainTerms> domains) {
    return domains.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, domain -> domain.getValue().withoutBudget()));
  }

  private static void checkUserAgent(String own) {
    try {
      new UserAgent("0", Optional.empty(), Optional.of(own)).header();
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting("user-agent: " + wrong.getMessage());
    }
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
