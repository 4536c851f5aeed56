package dev.comity.core.engine.shared;

import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.outcome.Kind;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.ImageYield;
import dev.comity.core.schedule.PagePrice;
import dev.comity.core.schedule.PagePrice.Demand;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which domains may use the pages of a run that collects images ({@link PagePrice}). It
 * knows the domains of this process: their yield, and how many links they have shown. Thread-safe.
 */
public final class YieldOrder {
  /** Domains beyond that are on trial again when they are claimed again. */
  private static final int MOST_DOMAINS = 100_000;

  /** Different URLs of a domain that are told apart, roughly. */
  private static final int BITS = 8192;

  /** A domain that asked for no page in that time may rest: it holds up no other. */
  private static final Duration STALLED_AFTER = Duration.ofMinutes(1);

  /** How long a price counts: domains may rest, and images get their answers. */
  private static final Duration PRICED_FOR = Duration.ofSeconds(1);

  private final CrawlPlan plan;
  private final RunBudget budget;
  private final boolean applies;
  private final Map<DomainName, Row> rows = BoundedMap.byUse(MOST_DOMAINS);
  private final Set<DomainName> active = new HashSet<>();

  /** Domains that wait for a lower price. */
  private final Set<Signal> waiting = new HashSet<>();

  private double price;
  private double average;

  /** Pages that are asked at this price. */
  private int priced;

  private Instant pricedAt = Instant.MIN;

  /** What this process has seen of one domain. */
  private static final class Row {
    private final BitSet links = new BitSet();
    private final BitSet images = new BitSet();
    private long asked;
    private ImageYield yield = ImageYield.NONE;
    private Instant lastAsked = Instant.MIN;

    private long left() {
      return Math.max(0, links.cardinality() - asked);
    }

    private boolean isOnTrial() {
      return asked < PagePrice.TRIAL;
    }
  }

  /**
   * @param applies whether the run collects images and is to look for them first
   */
  YieldOrder(CrawlPlan plan, RunBudget budget, boolean applies) {
    this.plan = plan;
    this.budget = budget;
    this.applies = applies;
  }

  /** A worker begins to ask for pages of the domain. */
  public void begun(DomainName domain, Instant now) {
    if (applies) {
      synchronized (rows) {
        active.add(domain);
        row(domain).lastAsked = now;
      }
    }
  }

  /** The domain asks for no more pages, or there are none: others may have its share. */
  public void ended(DomainName domain) {
    if (applies) {
      synchronized (rows) {
        active.remove(domain);
        priced = 0;
        waiting.forEach(Signal::raise);
        waiting.clear();
      }
    }
  }

  /**
   * Whether the domain may ask for a page now.
   *
   * @param wake raised when the answer may be another one
   */
  public boolean mayAsk(DomainName domain, Signal wake, Instant now) {
    if (!applies || budget.left() <= 0) {
      return true;
    }
    synchronized (rows) {
      Row row = row(domain);
      if (row.isOnTrial()) {
        return true;
      }
      reprice(now);
      boolean may = row.yield.perPage(average) >= price;
      if (!may) {
        waiting.add(wake);
      }
      return may;
    }
  }

  /** A page of the domain is asked for. */
  public void asked(DomainName domain, Instant now) {
    if (applies) {
      synchronized (rows) {
        Row row = row(domain);
        row.asked++;
        row.lastAsked = now;
        priced--;
      }
    }
  }

  /** A page of the domain was read and leads to these links and images. */
  public void read(DomainName domain, List<QueuedUrl> found) {
    if (!applies) {
      return;
    }
    synchronized (rows) {
      Row row = row(domain);
      int images = 0;
      for (QueuedUrl each : found) {
        if (each.kind() == Kind.IMAGE) {
          images += add(row.images, each) ? 1 : 0;
        } else if (each.kind() == Kind.PAGE && plan.domainOf(each.url()).equals(domain)) {
          add(row.links, each);
        }
      }
      row.yield = row.yield.and(new ImageYield(1, images, 0, 0));
    }
  }

  /** An image that a page of this domain shows has its answer. */
  public void imageSettled(DomainName source, boolean taken) {
    if (applies) {
      synchronized (rows) {
        Row row = row(source);
        row.yield = row.yield.and(new ImageYield(0, 0, 1, taken ? 1 : 0));
      }
    }
  }

  private Row row(DomainName domain) {
    return rows.computeIfAbsent(domain, _ -> new Row());
  }

  private static boolean add(BitSet known, QueuedUrl each) {
    int hash = each.url().hashCode();
    int bit = Math.floorMod(hash ^ (hash >>> 15), BITS);
    boolean isNew = !known.get(bit);
    known.set(bit);
    return isNew;
  }

  /** The price is used for a few pages: with many domains it takes long to find. */
  private void reprice(Instant now) {
    if (priced > 0 && now.isBefore(pricedAt.plus(PRICED_FOR))) {
      return;
    }
    pricedAt = now;
    List<Row> counted =
        active.stream()
            .map(this::row)
            .filter(row -> !now.isAfter(row.lastAsked.plus(STALLED_AFTER)))
            .toList();
    ImageYield all =
        rows.values().stream().map(row -> row.yield).reduce(ImageYield.NONE, ImageYield::and);
    average = all.pages() == 0 ? 0 : all.images() / all.pages();
    List<Demand> demands = new ArrayList<>();
    for (Row row : counted) {
      long trial = row.isOnTrial() ? Math.min(row.left(), PagePrice.TRIAL - row.asked) : 0;
      demands.add(new Demand(Double.MAX_VALUE, trial));
      demands.add(new Demand(row.yield.perPage(average), row.left() - trial));
    }
    price = PagePrice.of(demands, budget.left());
    priced = 1 + counted.size() / 16;
  }
}
