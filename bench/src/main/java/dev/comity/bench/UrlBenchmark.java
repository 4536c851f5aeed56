package dev.comity.bench;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.ParsedUrl;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of one link, from its text to the domain it is queued for. Each step takes the next
 * link.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class UrlBenchmark {
  private static final String[] ABSOLUTE = {
    "https://en.example.org/wiki/Web_crawler",
    "https://example.com/products/list?category=12&sort=price&page=3",
    "https://docs.example.net/en/latest/reference/api/module.html#top",
    "http://news.example.co.uk/2026/11/15/a-headline-of-some-length-as-they-are",
    "https://shop.example.de/artikel/12345/produkt-name-%C3%BCber",
    "https://static.example.io/",
    "https://example.com:8443/a/b/c/d/e/f.html",
    "https://blog.example.com/tag/java/",
  };
  private static final String[] WWW = {
    "https://www.example.com/",
    "https://www.example.co.uk/shop/item?id=1",
    "http://www.example.org/about/index.html",
    "https://www.some-longer-name-of-a-company.de/impressum",
  };
  private static final String[] REFERENCES = {
    "/wiki/Main_Page",
    "/products/list?category=12&page=4",
    "page-2.html",
    "images/logo.png",
    "https://other.example.org/linked/page",
    "#section-3",
    "/",
    "/a/b/c?x=1#y",
  };
  private static final String[] UNUSUAL = {
    "HTTPS://Example.COM:443/a/../b/./c.html",
    "../up/one.html",
    "//cdn.example.net/x.js",
    "/search?q=two words",
    "/%7euser/",
    " /trimmed ",
  };
  private static final String[] INTERNATIONAL = {
    "https://münchen.example/straße", "https://xn--mnchen-3ya.example/", "https://例え.example/パス",
  };

  private final CrawlUrl page = CrawlUrl.of("https://en.example.org/wiki/Portal/Contents.html?a=b");
  private int next;

  private String next(String[] texts) {
    next = next + 1 < texts.length ? next + 1 : 0;
    return texts[next];
  }

  @Benchmark
  public ParsedUrl parse() {
    return CrawlUrl.parse(next(ABSOLUTE));
  }

  @Benchmark
  public DomainName parseAndDomain() {
    return CrawlUrl.of(next(ABSOLUTE)).domain();
  }

  @Benchmark
  public DomainName parseAndDomainOfWww() {
    return CrawlUrl.of(next(WWW)).domain();
  }

  @Benchmark
  public DomainName parseAndRegistrableDomain() {
    return Grouping.BY_REGISTRABLE_DOMAIN.domainOf(CrawlUrl.of(next(ABSOLUTE)));
  }

  @Benchmark
  public ParsedUrl resolveOrdinary() {
    return page.resolve(next(REFERENCES));
  }

  @Benchmark
  public ParsedUrl resolveUnusual() {
    return page.resolve(next(UNUSUAL));
  }

  @Benchmark
  public ParsedUrl parseInternational() {
    return CrawlUrl.parse(next(INTERNATIONAL));
  }
}
