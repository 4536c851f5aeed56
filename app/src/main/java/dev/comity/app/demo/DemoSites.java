package dev.comity.app.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The demo's sites: one for each way in which sites treat a crawler. */
public final class DemoSites {
  /** Where a crawler is not welcome anywhere, it takes several pages to find out. */
  private static final int DOORS = 6;

  private DemoSites() {}

  /** All of them, as new. */
  public static List<DemoSite> all() {
    List<DemoSite> all =
        new ArrayList<>(
            List.of(
                lighthouse(),
                limited(),
                patient(),
                forbidden(),
                refused(),
                flapping(),
                slow(),
                calendar(),
                members(),
                moved()));
    all.addAll(DemoGallery.sites());
    return List.copyOf(all);
  }

  /** A site about a lighthouse, with a moved page, a missing one and a corner to be left alone. */
  private static DemoSite lighthouse() {
    Map<String, DemoPage> pages =
        Map.of(
            "/",
                DemoPage.titled(
                    "The lighthouse", "/history", "/keepers", "/visit", "/private/diary"),
            "/history", DemoPage.titled("Two hundred years", "/history/storm", "/old-map", "/"),
            "/history/storm", DemoPage.titled("The great storm", "/keepers", "/history"),
            "/keepers",
                DemoPage.titled(
                    "The keepers",
                    "/keepers/anna",
                    "/keepers/anna#letters",
                    "/keepers/../keepers/anna"),
            "/keepers/anna", DemoPage.titled("Anna, the last keeper", "/keepers", "/boathouse"),
            "/visit", DemoPage.titled("Visit us", "/", "/visit?", "/map"),
            "/map", DemoPage.titled("Map of the island", "/"),
            "/private/diary", DemoPage.titled("The diary that stays closed", "/"));
    return new DemoSite(
        "lighthouse.example",
        "answers at once",
        visit ->
            switch (visit.path()) {
              case "/robots.txt" -> DemoReply.text("User-agent: *\nDisallow: /private/\n");
              case "/old-map" -> DemoReply.redirect("/map");
              default ->
                  pages.containsKey(visit.path())
                      ? DemoReply.html(pages.get(visit.path()).html())
                      : DemoReply.notFound();
            });
  }

  private static DemoSite limited() {
    Bucket bucket = new Bucket(Duration.ofMillis(500), 1);
    return new DemoSite(
        "limited.example",
        "allows 2 requests a second, then 429",
        visit ->
            bucket.takes(visit.at())
                ? shelf(visit, 70)
                : DemoReply.of(429, Map.of("Retry-After", "1")));
  }

  private static DemoSite patient() {
    return new DemoSite(
        "patient.example",
        "asks for 2 s between requests",
        visit ->
            visit.isForRobots()
                ? DemoReply.text("User-agent: *\nCrawl-delay: 2\n")
                : shelf(visit, 20));
  }

  private static DemoSite forbidden() {
    return new DemoSite(
            "forbidden.example",
            "403 whatever is asked",
            visit -> visit.isForRobots() ? DemoReply.notFound() : DemoReply.of(403, Map.of()))
        .startingAt(doors());
  }

  private static DemoSite refused() {
    return new DemoSite("refused.example", "refuses connections", _ -> DemoReply.notFound())
        .startingAt(doors())
        .outOfOrder();
  }

  /** Every so often something behind it falls over for a moment. */
  private static DemoSite flapping() {
    AtomicInteger asked = new AtomicInteger();
    return new DemoSite(
        "flapping.example",
        "503 every tenth time",
        visit ->
            asked.incrementAndGet() % 10 == 0 ? DemoReply.of(503, Map.of()) : shelf(visit, 40));
  }

  private static DemoSite slow() {
    return new DemoSite(
        "slow.example",
        "takes 2 s to answer",
        visit -> {
          Thread.sleep(Duration.ofSeconds(2));
          return shelf(visit, 30);
        });
  }

  /** A month, a link to the next, and so on until the end of time. */
  private static DemoSite calendar() {
    return new DemoSite(
        "calendar.example",
        "has a page for every month there will be",
        visit -> {
          if (!visit.path().startsWith("/month/")) {
            return shelf(visit, 12, "/month/1");
          }
          String month = visit.path().substring("/month/".length());
          return month.matches("\\d{1,6}")
              ? DemoReply.html(
                  DemoPage.titled("Nothing happens", "/month/" + (Integer.parseInt(month) + 1))
                      .html())
              : DemoReply.notFound();
        });
  }

  private static DemoSite members() {
    DemoReply wall =
        DemoReply.html(
            "<!doctype html><html lang=en><title>Log in</title><h1>Members only</h1>"
                + "<form action=/login method=post><input name=user>"
                + "<input type=password name=password><button>Log in</button></form></html>");
    return new DemoSite(
        "members.example",
        "shows everybody a form to log in",
        visit ->
            switch (visit.path()) {
              case "/robots.txt" -> DemoReply.notFound();
              case "/" -> shelf(visit, 12);
              default -> wall;
            });
  }

  private static DemoSite moved() {
    return new DemoSite(
        "moved.example",
        "has moved to another site",
        visit ->
            switch (visit.path()) {
              case "/robots.txt" -> DemoReply.notFound();
              case "/" -> DemoReply.html(DemoPage.titled("We have moved", "/map", "/visit").html());
              default -> DemoReply.redirect("//lighthouse.example:" + visit.port() + visit.path());
            });
  }

  private static List<String> doors() {
    return IntStream.rangeClosed(1, DOORS).mapToObj(door -> "/door/" + door).toList();
  }

  /** A shelf of books: the first page links to each, each to its neighbours. */
  private static DemoReply shelf(Visit visit, int books, String... others) {
    if (visit.path().equals("/")) {
      List<String> links = new ArrayList<>(List.of(others));
      IntStream.rangeClosed(1, books).forEach(book -> links.add("/book/" + book));
      return DemoReply.html(DemoPage.titled("A shelf of " + books + " books", links).html());
    }
    if (!visit.path().matches("/book/\\d{1,4}")) {
      return DemoReply.notFound();
    }
    int book = Integer.parseInt(visit.path().substring("/book/".length()));
    return DemoReply.html(
        DemoPage.titled("Book " + book, "/book/" + Math.max(1, book - 1), "/").html());
  }
}
