package dev.comity;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;

/** Passes every event to several listeners, in order. */
record Listeners(List<CrawlListener> all) implements CrawlListener {
  public Listeners {
    all = List.copyOf(all);
  }

  @Override
  public void claimed(Claim claim) {
    all.forEach(one -> one.claimed(claim));
  }

  @Override
  public void started(DomainName domain, Attempt attempt) {
    all.forEach(one -> one.started(domain, attempt));
  }

  @Override
  public void answered(DomainName domain, Attempt attempt, Fetched fetched) {
    all.forEach(one -> one.answered(domain, attempt, fetched));
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    all.forEach(one -> one.settled(domain, settlement));
  }

  @Override
  public void skipped(DomainName foundOn, long urls) {
    all.forEach(one -> one.skipped(foundOn, urls));
  }

  @Override
  public void listed(DomainName domain, CrawlUrl sitemap, SitemapReader.Tally tally) {
    all.forEach(one -> one.listed(domain, sitemap, tally));
  }

  @Override
  public void leftOut(DomainName domain, int links) {
    all.forEach(one -> one.leftOut(domain, links));
  }

  @Override
  public void changed(DomainName domain, Change change) {
    all.forEach(one -> one.changed(domain, change));
  }

  @Override
  public void shared(SharedBudgets.BudgetChange change) {
    all.forEach(one -> one.shared(change));
  }

  @Override
  public void outage(boolean ours) {
    all.forEach(one -> one.outage(ours));
  }

  @Override
  public void shortOfDescriptors(long limit) {
    all.forEach(one -> one.shortOfDescriptors(limit));
  }

  @Override
  public void deferred(DomainName domain, String source, Instant until) {
    all.forEach(one -> one.deferred(domain, source, until));
  }

  @Override
  public void waiting(DomainName domain, Instant until, String why) {
    all.forEach(one -> one.waiting(domain, until, why));
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    all.forEach(one -> one.ended(domain, ending));
  }
}
