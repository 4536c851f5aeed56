package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Run;
import dev.comity.core.port.store.RunEnding;
import dev.comity.web.html.HtmlReader;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.HttpFetcher;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.DnsCache;
import dev.comity.web.net.Egress;
import dev.comity.web.net.Resolver;
import dev.comity.web.robots.RobotsTxt;
import dev.comity.web.sitemap.SitemapFiles;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The parts of one crawl put together: what it is to do, how it goes out, who reads what comes.
 *
 * @param agent how it introduces itself
 * @param guard decides where it may go; it must know the seeds
 * @param fetch how long it waits, and how much it reads
 * @param sitemaps whether sitemaps are read
 * @param text whether the text of pages is wanted in full
 */
public record Assembly(
    CrawlPlan plan,
    UserAgent agent,
    AddressGuard guard,
    Egress egress,
    FetchSettings fetch,
    boolean sitemaps,
    boolean text,
    Timeline time) {

  /** The machine's own names, each looked up once in a while and not waited for without end. */
  public static Resolver names() {
    return new DnsCache(Resolver.SYSTEM, FetchSettings.DEFAULT.connect(), new SystemTimeline());
  }

  /**
   * Crawls what is in the store to the end, and ends the run there. A run that fails stays open,
   * for the next process to go on with.
   *
   * @param begins hears of the crawl before it begins, to watch it or to stop it
   */
  public Crawl.End crawl(
      CrawlStore store, Run run, List<CrawlListener> listeners, Consumer<Crawl> begins)
      throws InterruptedException {
    Crawl.End end;
    try (HttpFetcher fetcher = new HttpFetcher(fetch, agent, guard, egress, time)) {
      Listeners heard = new Listeners(listeners);
      fetcher.tellOfShortage(heard::shortOfDescriptors);
      CrawlParts parts =
          new CrawlParts(
              store,
              fetcher,
              new RobotsTxt(UserAgent.TOKEN),
              new HtmlReader(
                  UserAgent.TOKEN, time, text ? HtmlReader.LONGEST_TEXT : HtmlReader.BEGINNING),
              sitemaps ? Optional.of(new SitemapFiles()) : Optional.empty(),
              heard,
              time);
      Crawl crawl = new Crawl(plan, parts, run);
      begins.accept(crawl);
      end = crawl.run();
    }
    store.end(ending(end), time.instant());
    return end;
  }

  private static RunEnding ending(Crawl.End end) {
    return switch (end) {
      case Crawl.End.Finished _ -> RunEnding.FINISHED;
      case Crawl.End.OutOfBudget _ -> RunEnding.OUT_OF_BUDGET;
      case Crawl.End.OutOfTime _ -> RunEnding.OUT_OF_TIME;
      case Crawl.End.Parked _ -> RunEnding.PARKED;
      case Crawl.End.Stopped _ -> RunEnding.STOPPED;
    };
  }
}
