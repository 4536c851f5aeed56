package dev.comity.testkit.url;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.ParsedUrl;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.testkit.gen.HostileUrls;
import dev.comity.testkit.gen.Property;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What holds for every text there is, checked on a million of the worst. */
class UrlProperties {
  private static final CrawlUrl PAGE = CrawlUrl.of("http://www.example.com:8080/a/b/c.html?d=e/f");

  @Test
  void any_text_is_a_url_in_normal_form_or_a_typed_refusal() {
    AtomicInteger urls = new AtomicInteger();
    AtomicInteger domains = new AtomicInteger();
    Property.holds(
        1_000_000,
        new HostileUrls(),
        text -> {
          ParsedUrl parsed = CrawlUrl.parse(text);
          ParsedUrl resolved = PAGE.resolve(text);
          holdsFor(parsed);
          holdsFor(resolved);
          // A blank in front keeps the fast way out of the matter; the answer must be the same.
          expectSame(CrawlUrl.parse(" " + text), parsed);
          expectSame(PAGE.resolve(" " + text), resolved);
          if (parsed instanceof CrawlUrl url) {
            urls.incrementAndGet();
            expectEqual(PAGE.resolve(url.toString()), url);
          }
          if (DomainName.parse(text) instanceof DomainName domain) {
            domains.incrementAndGet();
            holdsFor(domain);
          }
        });
    assertThat(urls.get()).as("generated texts that are URLs").isBetween(300_000, 700_000);
    assertThat(domains.get()).as("generated texts that are domains").isBetween(300_000, 700_000);
  }

  @Test
  void any_text_is_a_seed_or_a_typed_refusal() {
    Property.holds(
        100_000,
        new HostileUrls(),
        text -> {
          if (Seed.parse(text) instanceof Seed seed) {
            expectEqual(DomainName.parse(text), seed.domain());
            expectEqual(seed.domain().isPublicSuffix(), false);
            seed.fallback().ifPresent(other -> expectEqual(other.domain(), seed.domain()));
          }
        });
  }

  private static void holdsFor(DomainName domain) {
    String name = domain.name();
    DomainName registrable = domain.registrable();
    expectEqual(name.endsWith(registrable.name()), true);
    expectEqual(registrable.registrable(), registrable);
    expectEqual(new DomainName(name), domain);
    // Only one www. is stripped at a time, and https:81 is a URL rather than a domain.
    if (!name.startsWith("www.") && !name.startsWith("http")) {
      expectEqual(DomainName.parse(name), domain);
    }
  }

  private static void holdsFor(ParsedUrl parsed) {
    switch (parsed) {
      case UrlRefusal refusal -> {
        expectEqual(refusal.input().length() <= 100, true);
        expectEqual(refusal.message().chars().noneMatch(Character::isISOControl), true);
      }
      case CrawlUrl url -> {
        String text = url.toString();
        expectEqual(text.length() <= 32_768, true);
        expectEqual(text.chars().allMatch(character -> character > ' ' && character < 0x7f), true);
        expectEqual(text.indexOf('#'), -1);
        expectEqual(text, url.authority() + url.target());
        CrawlUrl again = CrawlUrl.of(text);
        expectEqual(again, url);
        expectEqual(again.scheme(), url.scheme());
        expectEqual(again.host(), url.host());
        expectEqual(again.port(), url.port());
        expectEqual(again.target(), url.target());
        expectEqual(again.domain(), url.domain());
      }
    }
  }

  /** Refusals of two spellings differ in the spelling. */
  private static void expectSame(ParsedUrl actual, ParsedUrl expected) {
    if (actual instanceof UrlRefusal one && expected instanceof UrlRefusal other) {
      expectEqual(one.reason(), other.reason());
    } else {
      expectEqual(actual, expected);
    }
  }

  /** A million assertions of the fluent kind would be most of the time this test takes. */
  private static void expectEqual(Object actual, Object expected) {
    if (!actual.equals(expected)) {
      assertThat(actual).isEqualTo(expected);
    }
  }
}
