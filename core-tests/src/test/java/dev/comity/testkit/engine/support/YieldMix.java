package dev.comity.testkit.engine.support;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.site.PretendImages;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Sixty domains of different size, half of them without an image. Each page leads to six others of
 * its domain. New images lie on the domain's own host, or on one that ten domains share.
 */
public final class YieldMix {
  private static final int DOMAINS = 60;
  private static final int BRANCHES = 6;
  private static final double MEDIAN_SIZE = 60;

  /**
   * What one crawl came to.
   *
   * @param asked every request in order, with its time
   */
  public record Harvested(long images, long pages, List<PretendWeb.Visit> asked) {
    /** Images for a thousand requests of every kind. */
    public double ofRequests() {
      return 1000.0 * images / asked.size();
    }

    /** Images for a thousand pages. */
    public double ofPages() {
      return 1000.0 * images / pages;
    }

    /** How many hosts were asked. */
    public long hosts() {
      return asked.stream().map(visit -> visit.url().domain()).distinct().count();
    }

    @Override
    public String toString() {
      return "%d images, %d pages, %d requests".formatted(images, pages, asked.size());
    }
  }

  private record Shape(String host, int size, double yield) {}

  private final String name;
  private final long seed;
  private final List<Shape> shapes = new ArrayList<>();

  private YieldMix(String name, long seed) {
    this.name = name;
    this.seed = seed;
  }

  /** Images a page of the other half: log-normal around 0.3, at most 8. */
  public static YieldMix uneven(long seed) {
    YieldMix mix = new YieldMix("uneven " + seed, seed);
    Random random = new Random(seed);
    for (int number = 0; number < DOMAINS; number++) {
      mix.add(
          random, number % 2 == 0 ? 0 : Math.min(8, 0.3 * Math.exp(1.2 * random.nextGaussian())));
    }
    return mix;
  }

  /** Every domain of the other half has an image on every second page. */
  public static YieldMix equal(long seed) {
    YieldMix mix = new YieldMix("equal " + seed, seed);
    Random random = new Random(seed);
    for (int number = 0; number < DOMAINS; number++) {
      mix.add(random, number % 2 == 0 ? 0 : 0.5);
    }
    return mix;
  }

  private void add(Random random, double yield) {
    int size = (int) Math.clamp(MEDIAN_SIZE * Math.exp(0.7 * random.nextGaussian()), 12, 400);
    shapes.add(new Shape("http://d" + shapes.size() + ".example", size, yield));
  }

  /** How many there are in all. */
  public int pages() {
    return shapes.stream().mapToInt(Shape::size).sum();
  }

  /**
   * Crawls one in so many of the pages.
   *
   * @param order shuffles the domains
   * @param byYield whether pages go where the images are
   */
  public Harvested crawl(long order, int claims, boolean byYield, int oneIn) {
    VirtualTimeline time = new VirtualTimeline(seed);
    PretendWeb web = new PretendWeb(time);
    Random random = new Random(seed);
    for (int number = 0; number < shapes.size(); number++) {
      open(web, shapes.get(number), "http://cdn" + number / 10 + ".example", random);
    }
    MemoryStore store = new MemoryStore(CrawlUrl::domain, time);
    List<Shape> shuffled = new ArrayList<>(shapes);
    Collections.shuffle(shuffled, new Random(order));
    for (Shape shape : shuffled) {
      CrawlUrl first = CrawlUrl.of(shape.host() + "/0");
      store.add(List.of(QueuedUrl.seed(first, Optional.empty())), VirtualTimeline.START);
    }
    Set<String> images = new HashSet<>();
    long[] settledPages = {0};
    CrawlListener listener =
        new CrawlListener() {
          @Override
          public void settled(DomainName domain, Settlement settlement) {
            settledPages[0] += settlement.isPage() ? 1 : 0;
            settlement
                .images()
                .taken()
                .ifPresent(image -> images.add(HexFormat.of().formatHex(image.sha256().bytes())));
          }
        };
    CrawlLimits limits =
        new CrawlLimits(
            (long) pages() / oneIn, 1000, 256, claims, 0, Duration.ofSeconds(5), 1_000_000);
    ImageHarvest harvest = new ImageHarvest(new PretendImages(), Optional.empty(), byYield);
    CrawlPlan plan =
        CrawlPlan.of(
            new DomainPolicy(PolicySettings.DEFAULTS),
            Scope.ofSeeds(List.of(), Grouping.BY_HOST).reaching(Scope.Reach.ANY),
            limits);
    CrawlParts parts =
        new CrawlParts(store, web, web, web, Optional.empty(), listener, time, Long.MAX_VALUE)
            .collecting(harvest);
    time.run(
        () -> {
          Run run =
              store.begin(
                  plan.terms(List.of()).collecting(ImageMode.METADATA, limits.maxImages()),
                  time.instant());
          return new Crawl(plan, parts, run).run();
        });
    return new Harvested(images.size(), settledPages[0], web.visits());
  }

  private static void open(PretendWeb web, Shape shape, String shared, Random random) {
    PretendWeb.Site site = web.site(shape.host());
    String at = random.nextBoolean() ? shape.host() : shared;
    PretendWeb.Site cdn = web.site(at);
    String name = CrawlUrl.of(shape.host() + "/").domain().name();
    for (int page = 0; page < shape.size(); page++) {
      List<String> lines = new ArrayList<>();
      for (int link = page * BRANCHES + 1; link <= page * BRANCHES + BRANCHES; link++) {
        if (link < shape.size()) {
          lines.add("/" + link);
        }
      }
      double rest = shape.yield();
      for (int image = 0; rest > 0; image++, rest -= 1) {
        if (rest >= 1 || random.nextDouble() < rest) {
          String target = "/" + name + "/" + page + "-" + image + ".png";
          lines.add("image " + at + target);
          cdn.answer(target, PretendImages.of(name + page + "-" + image));
        }
      }
      site.page("/" + page, lines.toArray(String[]::new));
    }
  }

  @Override
  public String toString() {
    return name + " (" + pages() + " pages)";
  }
}
