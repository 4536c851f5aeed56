package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sites wish: obeyed by a crawl, recorded, and told afterwards. */
class WishesInCrawlTest {
  private static final int LENGTH = 100_000;
  @TempDir private Path home;

  @Test
  void what_a_header_refuses_is_closed_before_a_byte_of_its_body_is_sent() {
    AtomicInteger sent = new AtomicInteger();
    AtomicInteger left = new AtomicInteger();
    try (Site site =
        Site.open()
            .page("/", "Home", "/refused", "/other")
            .page("/other", "Other")
            .play(
                "/refused",
                wire -> {
                  wire.send(
                      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Robots-Tag: noai\r\n"
                          + "Content-Length: "
                          + LENGTH
                          + "\r\n\r\n");
                  // The body follows unless the other side leaves first.
                  if (wire.request().isPresent()) {
                    wire.send("x".repeat(LENGTH));
                    sent.addAndGet(LENGTH);
                  } else {
                    left.incrementAndGet();
                  }
                })) {
      Said said = crawl(site.url("/"), "--purpose", "train-ai", "--out", file("pages.jsonl"));
      assertThat(said.code()).isZero();
      assertThat(said.lastLine()).contains("2 pages (2 × 200), 1 URL denied by a wish of its site");
      assertThat(said.out()).contains("Purpose: train-ai.");
      Said why = run("why", site.url("/refused"));
      assertThat(why.out())
          .contains("/refused: denied by a wish of its site")
          .contains(
              "wish: header says \"X-Robots-Tag: noai\", which refuses the purpose train-ai; its"
                  + " body was not read")
          .contains("200 usage_refused");
      assertThat(exported("log")).contains("usage_refused").contains("\"bytes\":0");
      assertThat(exported("failed")).contains("\"reason\":\"wish\"").hasLineCount(1);
    }
    assertThat(sent).hasValue(0);
    assertThat(left).hasValue(1);
  }

  @Test
  void what_robots_txt_refuses_is_not_asked_and_queue_and_why_say_by_what() {
    try (Site site =
        Site.open()
            .robots("User-agent: *", "Content-Signal: search=yes, ai-train=no", "Allow: /")
            .page("/", "Home", "/a")) {
      Said said = crawl(site.url("/"), "--purpose", "search,train-ai");
      assertThat(said.lastLine()).contains("0 pages, 1 URL denied by a wish of its site");
      assertThat(site.asked()).containsExactly("/robots.txt");
      assertThat(run("queue").out())
          .contains("1 of the denied URLs by a wish of their site, the others by robots.txt");
      assertThat(run("queue", "--json").out()).contains("\"denied_by_wish\":1");
      assertThat(run("why", site.url("/")).out())
          .contains(
              "wish: robots.txt says \"Content-Signal: ai-train=no\", which refuses the purpose"
                  + " train-ai; it was not asked");
      assertThat(run("why", site.url("/"), "--json").out())
          .contains("\"wish\":{\"purpose\":\"train-ai\",\"in\":\"robots.txt\"");
      assertThat(run("domain", "127.0.0.1:" + site.port()).out())
          .contains("0 denied by robots.txt, 1 by a wish");
      assertThat(exported("failed"))
          .contains("\"reason\":\"wish\"")
          .contains("Content-Signal: ai-train=no")
          .hasLineCount(1);
    }
  }

  @Test
  void a_page_that_refuses_keeps_its_links_and_loses_its_content() {
    try (Site site =
        Site.open()
            .reply(
                "/",
                Replies.html(
                    "<meta name=robots content=noai><title>Secret</title><p>words"
                        + "<a href=/a>a</a>"))
            .page("/a", "A")) {
      Said said = crawl(site.url("/"), "--purpose", "train-ai", "--text");
      assertThat(said.lastLine())
          .contains("2 pages (2 × 200), 1 page without content by a wish of its site");
      assertThat(site.asked()).contains("/a");
      String pages = exported("pages");
      assertThat(pages)
          .doesNotContain("Secret")
          .contains("\"title\":\"A\"")
          .contains("[\\\"page: robots: noai\\\"]");
      assertThat(run("why", site.url("/")).out())
          .contains("its title, text and body were not kept");
    }
  }

  @Test
  void the_usual_purpose_is_research_and_another_is_another_run() {
    try (Site site =
        Site.open()
            .reply(
                "/", Replies.html("<meta name=robots content=noindex,noai><title>Kept</title>"))) {
      assertThat(crawl(site.url("/")).out()).doesNotContain("Purpose");
      assertThat(exported("pages")).contains("\"title\":\"Kept\"");
    }
    Said wrong = run("crawl", "http://127.0.0.1:1/", "--purpose", "profit");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("'profit' is none of search, archive, research, ai-input, train-ai");
  }

  @Test
  void a_host_that_wants_to_be_paid_is_blocked_with_its_price() {
    Site site = Site.open().page("/", "Home", "/1", "/2", "/3", "/4", "/5", "/6", "/7");
    try (site) {
      for (int page = 1; page <= 7; page++) {
        site.reply("/" + page, Replies.status("402 Payment Required", "crawler-price: USD 0.01"));
      }
      Said said = crawl(site.url("/"));
      assertThat(said.lastLine())
          .contains("5 × 402")
          .contains("1 domain closed (payment_required)");
      assertThat(site.asked()).hasSize(7);
      assertThat(run("why", "127.0.0.1:" + site.port()).out())
          .contains("it wants to be paid for its pages: USD 0.01");
      assertThat(exported("domains")).contains("USD 0.01");
      assertThat(exported("log")).contains("its price is USD 0.01");
    }
  }

  @Test
  void what_tdmrep_json_reserves_is_not_asked_and_the_request_for_it_is_no_page() {
    try (Site site =
        Site.open()
            .reply(
                "/.well-known/tdmrep.json",
                Replies.ok(
                    "application/json",
                    "[{\"location\":\"/art\",\"tdm-reservation\":1}]"
                        .getBytes(StandardCharsets.UTF_8)))
            .page("/", "Home", "/art/1")
            .page("/art/1", "Art")) {
      Said said = crawl(site.url("/"), "--purpose", "research");
      assertThat(said.lastLine()).contains("1 page (1 × 200), 1 URL denied by a wish of its site");
      assertThat(site.asked()).containsExactly("/robots.txt", "/.well-known/tdmrep.json", "/");
      assertThat(run("why", site.url("/art/1")).out())
          .contains(
              "wish: tdmrep.json says \"tdm-reservation: 1\", which refuses the purpose research;"
                  + " it was not asked");
      assertThat(exported("log")).contains("\"kind\":\"tdmrep\"").hasLineCount(3);
      assertThat(exported("pages")).hasLineCount(1);
      assertThat(run("doctor").code()).isZero();
    }
  }

  @Test
  void a_crawl_whose_purpose_is_not_named_asks_for_no_tdmrep_json() {
    try (Site site = Site.open().page("/", "Home")) {
      crawl(site.url("/"));
      assertThat(site.asked()).containsExactly("/robots.txt", "/");
    }
  }

  private Said crawl(String... arguments) {
    return run(and(arguments, "crawl", "--delay", "0", "--concurrency", "1"));
  }

  private static String[] and(String[] more, String... first) {
    String[] all = new String[first.length + more.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return all;
  }

  private String exported(String what) {
    Path file = home.resolve(what + ".jsonl");
    assertThat(run("export", what, "--out", file.toString()).code()).isZero();
    return text(file);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private String file(String name) {
    return home.resolve(name).toString();
  }

  private Said run(String... arguments) {
    return Commands.run(and(new String[] {"--data", file("data")}, arguments));
  }
}
