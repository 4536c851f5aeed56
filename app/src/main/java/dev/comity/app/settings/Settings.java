package dev.comity.app.settings;

import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.scope.UrlPattern;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.usage.Purpose;
import dev.comity.web.http.FetchSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a crawl, typed and checked. Flags, environment and file all fill this one record.
 *
 * @param contact a web or mail address at which a site's owner reaches the operator
 * @param policy the rules of politeness, the least interval among them
 * @param limits how large the crawl may be
 * @param fetch how long and how much is taken of one answer
 * @param traps when URLs of a kind are no longer asked
 * @param store how much is kept of a domain, and how long claims last
 * @param reach how far the crawl goes from its seeds
 * @param sitemaps whether the sitemaps that a robots.txt names are read
 * @param smart whether domains are claimed by priority, and not in the order of the seeds
 * @param images whether images are collected
 * @param domains what is set for single domains
 * @param purposes what the content is collected for; empty if the user has not named it
 * @param userAgent the user's own bot in place of Comity
 */
public record Settings(
    Optional<String> contact,
    PolicySettings policy,
    CrawlLimits limits,
    FetchSettings fetch,
    TrapSettings traps,
    StoreLimits store,
    Bounds reach,
    boolean sitemaps,
    boolean smart,
    ImageMode images,
    Map<DomainName, DomainTerms> domains,
    Optional<Set<Purpose>> purposes,
    Optional<String> userAgent) {

  /**
   * How far a crawl goes.
   *
   * @param scope how far from where a link stands it may lead
   * @param grouping which hosts are one domain
   * @param maxDepth links to follow from a seed
   * @param include patterns of which one must match, unless there is none
   * @param exclude patterns of which none may match
   * @param dropped parameters that links lose
   */
  public record Bounds(
      Reach scope,
      Grouping grouping,
      int maxDepth,
      List<UrlPattern> include,
      List<UrlPattern> exclude,
      DroppedParameters dropped) {

    static final Bounds DEFAULT =
        new Bounds(
            Reach.SEEDS,
            Grouping.BY_HOST,
            Integer.MAX_VALUE,
            List.of(),
            List.of(),
            DroppedParameters.NONE);

    public Bounds {
      include = List.copyOf(include);
      exclude = List.copyOf(exclude);
      if (maxDepth < 0) {
        throw new WrongSetting(
            "max-depth is %d, but must be at least 0; 0 crawls the seeds alone"
                .formatted(maxDepth));
      }
    }
  }

  /** More pages than a list has. */
  private static final long ALL = 1_000_000_000_000L;

  /** What holds when nothing is said. */
  public static final Settings DEFAULT =
      new Settings(
          Optional.empty(),
          PolicySettings.DEFAULTS,
          CrawlLimits.DEFAULTS,
          FetchSettings.DEFAULT,
          TrapSettings.DEFAULTS,
          StoreLimits.DEFAULTS,
          Bounds.DEFAULT,
          true,
          true,
          ImageMode.OFF,
          Map.of(),
          Optional.empty(),
          Optional.empty());

  public Settings {
    domains = Map.copyOf(domains);
    purposes = purposes.map(Set::copyOf);
    if (purposes.filter(Set::isEmpty).isPresent()) {
      throw new WrongSetting("purpose is empty; name at least one, such as research");
    }
  }

  /** The shortest time between two requests to one domain; zero for none. */
  public Duration minimumInterval() {
    return policy.pace().minimum();
  }

  /** The limits of a store for so many requests in flight. */
  public StoreLimits storeLimits() {
    return store.forInFlight(limits.maxInFlight());
  }

  /** These settings with another budget for each domain. */
  public Settings withMaxPagesPerDomain(long most) {
    CrawlLimits other = limits.withPages(limits.maxPages(), most);
    return new Settings(
        contact, policy, other, fetch, traps, store, reach, sitemaps, smart, images, domains,
        purposes, userAgent);
  }

  /** These settings for a crawl that collects images for these purposes. */
  public Settings collecting(ImageMode mode, long most, Optional<Set<Purpose>> declared) {
    return new Settings(
        contact,
        policy,
        limits.withImages(most),
        fetch,
        traps,
        store,
        reach,
        sitemaps,
        smart,
        mode,
        domains,
        declared,
        userAgent);
  }

  /** These settings with so many images at most. */
  public Settings withMaxImages(long most) {
    return collecting(images, most, purposes);
  }

  /**
   * These settings for a list of URLs: no links, sitemaps or traps, and room for all of it.
   *
   * @param budget whether the user has set how many pages there may be; else every URL counts
   * @param domainBudget the same of each domain
   */
  public Settings forList(boolean budget, boolean domainBudget) {
    return new Settings(
        contact,
        policy,
        limits
            .withPages(
                budget ? limits.maxPages() : ALL, domainBudget ? limits.maxPagesPerDomain() : ALL)
            .withImages(images == ImageMode.OFF ? 0 : ALL),
        fetch,
        new TrapSettings(0),
        store.withMaxUnfinished(Integer.MAX_VALUE),
        new Bounds(
            Reach.NOWHERE, reach.grouping(), 0, List.of(), List.of(), DroppedParameters.NONE),
        false,
        smart,
        images,
        domains,
        purposes,
        userAgent);
  }

  /** These settings with another least interval. */
  public Settings withMinimumInterval(Duration interval) {
    PolicySettings other = policy.with(policy.pace().withMinimum(interval));
    return new Settings(
        contact, other, limits, fetch, traps, store, reach, sitemaps, smart, images, domains,
        purposes, userAgent);
  }
}
