package dev.comity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Purpose;
import dev.comity.keep.Keep;
import dev.comity.support.Village;
import dev.comity.testkit.wire.Replies;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a crawl from Java can be told, and what its pages tell. */
class LibraryTermsTest {
  private static final String PAGE =
      "<html lang=en><title>Home</title><meta name=description content=Tea><link rel=canonical"
          + " href=/home><nav>Menu</nav><main><h1>Tea</h1><p class=price>4<p class=price>5<img"
          + " src=/i.png alt=cup><a href=/inn rel=nofollow>to the inn</a></main>";

  @TempDir private Path home;

  private final Village village = new Village();

  @AfterEach
  void close() {
    village.close();
  }

  private Comity crawl() {
    return Comity.crawl(village.url("/")).delay(Duration.ZERO);
  }

  @Test
  void a_page_tells_what_it_says() throws InterruptedException {
    village.with(
        "/",
        Replies.ok("text/html", PAGE.getBytes(StandardCharsets.UTF_8), "X-Powered-By: kettles"));
    List<Page> pages = new ArrayList<>();
    crawl().onPage(pages::add).run();
    Page page = pages.getFirst();
    assertThat(page.headers().first("x-powered-by")).contains("kettles");
    assertThat(page.charset()).contains("UTF-8");
    assertThat(page.language()).contains("en");
    assertThat(page.description()).contains("Tea");
    assertThat(page.canonical()).contains(CrawlUrl.of(village.url("/home")));
    assertThat(page.html()).isEqualTo(PAGE);
    assertThat(page.text()).isEqualTo("Menu\n\nTea\n\n4\n\n5to the inn");
    assertThat(page.markdown()).startsWith("# Tea\n\n4\n\n5").doesNotContain("Menu");
    assertThat(page.select(".price")).containsExactly("4", "5 to the inn");
    assertThat(page.select("a@href")).containsExactly(village.url("/inn"));
    assertThat(page.links())
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.to()).isEqualTo(CrawlUrl.of(village.url("/inn")));
              assertThat(link.text()).isEqualTo("to the inn");
              assertThat(link.isNoFollow()).isTrue();
            });
    assertThat(page.images()).singleElement().extracting(image -> image.alt()).isEqualTo("cup");
    assertThat(page.redirect()).isEmpty();
  }

  @Test
  void a_page_that_asks_not_to_be_kept_tells_nothing() throws InterruptedException {
    village.with("/", Replies.html("<meta name=robots content=noindex>" + PAGE));
    List<Page> pages = new ArrayList<>();
    crawl().purpose(Purpose.SEARCH).onPage(pages::add).run();
    Page page = pages.getFirst();
    assertThat(page.title()).isEmpty();
    assertThat(page.html() + page.text() + page.markdown()).isEmpty();
    assertThat(page.links()).isEmpty();
    assertThat(page.select("h1")).isEmpty();
  }

  @Test
  void a_hook_refuses_links_and_another_adds_one_that_survives_the_process()
      throws InterruptedException {
    village.with("/hidden", Replies.html("<title>Hidden"));
    List<String> first = new ArrayList<>();
    Comity once =
        crawl()
            .data(home.resolve("data"))
            .follow(link -> !link.to().target().equals("/inn"))
            .onRead(
                page -> {
                  if (page.title().orElse("").equals("Home")) {
                    page.add("/hidden");
                  }
                });
    once.onPage(
        page -> {
          first.add(page.url().target());
          once.stop();
        });
    assertThat(once.run().end()).isEqualTo(new Crawl.End.Stopped());
    assertThat(first).containsExactly("/");
    List<String> second = new ArrayList<>();
    crawl().data(home.resolve("data")).onPage(page -> second.add(page.url().target())).run();
    assertThat(second).containsExactly("/hidden");
    assertThat(village.asked()).doesNotContain("/inn");
  }

  @Test
  void a_hook_before_the_settlement_that_throws_ends_the_crawl() {
    Comity crawl =
        crawl()
            .onRead(
                _ -> {
                  throw new IllegalStateException("no");
                });
    assertThatThrownBy(crawl::run).isInstanceOf(CrawlFailed.class).hasRootCauseMessage("no");
  }

  @Test
  void a_crawl_that_is_stopped_before_it_begins_asks_nothing() throws InterruptedException {
    Comity crawl = crawl();
    crawl.stop();
    assertThat(crawl.run().end()).isEqualTo(new Crawl.End.Stopped());
    assertThat(village.asked()).isEmpty();
  }

  @Test
  void several_hooks_of_a_kind_are_all_called() throws InterruptedException {
    List<String> told = new ArrayList<>();
    crawl()
        .maxPages(1)
        .onPage(_ -> told.add("one"))
        .onPage(_ -> told.add("two"))
        .follow(_ -> true)
        .follow(_ -> false)
        .run();
    assertThat(told).containsExactly("one", "two");
  }

  @Test
  void addresses_headers_ranks_and_terms_of_domains_are_heeded() throws InterruptedException {
    int port = CrawlUrl.of(village.url("/")).port();
    List<String> pages = new ArrayList<>();
    Comity.crawl("http://b.example:" + port + "/")
        .seed("http://a.example:" + port + "/", 1)
        .contact("you@example.org")
        .delay(Duration.ZERO)
        .resolve("*:" + port + ":127.0.0.1")
        .header("http://a.example:" + port, "X-Key", "7")
        .domain("http://b.example:" + port, DomainTerms.NONE.withMaxPages(1))
        .onPage(page -> pages.add(page.url().host()))
        .run();
    assertThat(pages).containsExactlyInAnyOrder("a.example", "a.example", "b.example");
  }

  @Test
  void other_documents_are_pages_when_they_are_accepted() throws InterruptedException {
    byte[] pdf = "%PDF-1.7 \u00ff".getBytes(StandardCharsets.ISO_8859_1);
    village
        .with("/", Replies.html("<a href=/a.pdf>a</a><a href=/b.txt>b</a><a href=/c.zip>c</a>"))
        .with("/a.pdf", Replies.ok("application/pdf", pdf))
        .with(
            "/b.txt",
            Replies.ok(
                "text/plain; charset=iso-8859-1",
                "gr\u00fcn".getBytes(StandardCharsets.ISO_8859_1)));
    List<Page> pages = new ArrayList<>();
    crawl().accept("application/pdf", "text/plain").keep(Keep.HTML).onPage(pages::add).run();
    pages.sort(Comparator.comparing(page -> page.url().target()));
    assertThat(pages)
        .extracting(page -> page.url().target())
        .containsExactly("/", "/a.pdf", "/b.txt");
    assertThat(pages.get(1).body().bytes()).isEqualTo(pdf);
    assertThat(pages.get(1).charset()).isEmpty();
    assertThat(pages.get(2).text()).isEqualTo("gr\u00fcn");
    assertThat(village.asked()).doesNotContain("/c.zip");
    List<Page> html = new ArrayList<>();
    crawl().onPage(html::add).run();
    assertThat(html).hasSize(1);
  }

  @Test
  void what_cannot_be_is_refused_before_the_first_request() {
    assertThatThrownBy(() -> crawl().select("price", "p["))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageStartingWith("select price=p[: no CSS selector");
    assertThatThrownBy(() -> crawl().accept("image/png"))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageContaining("images are no documents");
    assertThatThrownBy(() -> crawl().proxy("ftp://x"))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageStartingWith("proxy: ");
    assertThatThrownBy(() -> crawl().header("example.org", "Host", "x"))
        .isInstanceOf(CrawlRefused.class)
        .hasMessageContaining("is the crawler's own to set");
  }
}
