package dev.comity.app.demo;

import dev.comity.core.outcome.Body;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The demo's gallery: a site whose pictures lie on another host, and some on one that wants to be
 * paid. What may be taken and what may not is listed here, for a count beside the crawl's.
 */
public final class DemoGallery {
  /** Six, since a host is left alone after five. */
  private static final int FOR_SALE = 6;

  private static final Body OAK = DemoPictures.jpeg(320, 240, 1);
  private static final Body ELM = DemoPictures.png(800, 600, 2);
  private static final Body RESERVED = DemoPictures.png(200, 200, 7);

  /** The files of the picture host that the crawl may take. */
  private static final Map<String, Body> OPEN =
      new TreeMap<>(
          Map.of(
              "/oak.jpg",
              OAK,
              "/copy-of-oak.jpg",
              OAK,
              "/oak-small.png",
              DemoPictures.png(160, 120, 1),
              "/elm.png",
              ELM,
              "/ash.gif",
              DemoPictures.gif(100, 100, 3),
              "/fir.png",
              DemoPictures.png(64, 64, 4)));

  /** Files that pose as something else. */
  private static final Map<String, Body> POSING =
      new TreeMap<>(
          Map.of(
              "/poster.jpg",
                  Body.of("<svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'/>"),
              "/bomb.png", DemoPictures.bomb(),
              "/dot.gif", DemoPictures.gif(8, 8, 5),
              "/page.jpg", Body.of("<!doctype html><title>No picture</title>")));

  /** Files whose use the page or the header refuses. */
  private static final List<String> REFUSED =
      List.of("/no-training.png", "/not-in-indexes.png", "/reserved.png");

  private DemoGallery() {}

  /** The gallery, its pictures, and the host that wants to be paid. */
  static List<DemoSite> sites() {
    return List.of(gallery(), pictures(), toll());
  }

  /** The site with the pages. */
  public static DemoSite gallery() {
    return new DemoSite(
        "gallery.example",
        "has pictures, on other hosts",
        visit -> {
          String html = page(visit);
          if (visit.path().equals("/moved.png")) {
            return DemoReply.redirect(picture(visit, "fir.png"));
          }
          return html.isEmpty() ? DemoReply.notFound() : DemoReply.html(html);
        });
  }

  /** The host of its pictures. */
  public static DemoSite pictures() {
    return new DemoSite(
            "pictures.example",
            "serves a gallery's pictures",
            visit -> {
              @Nullable Body file =
                  OPEN.containsKey(visit.path())
                      ? OPEN.get(visit.path())
                      : POSING.get(visit.path());
              if (visit.path().equals("/reserved.png")) {
                return DemoReply.reserved(RESERVED);
              }
              if (REFUSED.contains(visit.path())) {
                return DemoReply.picture(RESERVED);
              }
              return file == null ? DemoReply.notFound() : DemoReply.picture(file);
            })
        .startingAt(List.of());
  }

  /** A host that answers with a price. */
  public static DemoSite toll() {
    return new DemoSite(
            "toll.example",
            "wants to be paid for each picture",
            visit ->
                visit.isForRobots() || visit.path().startsWith("/.well-known/")
                    ? DemoReply.notFound()
                    : DemoReply.of(402, Map.of("crawler-price", "USD 0.01")))
        .startingAt(List.of());
  }

  /** The files that may be taken, by path; two of them are the same. */
  public static Map<String, Body> open() {
    return Map.copyOf(OPEN);
  }

  /** The paths of pictures whose use a page or a header refuses. */
  public static List<String> refused() {
    return REFUSED;
  }

  private static String picture(Visit visit, String name) {
    return "http://pictures.example:" + visit.port() + "/" + name;
  }

  /** The page of a visit; empty if there is none. */
  private static String page(Visit visit) {
    String html =
        switch (visit.path()) {
          case "/" ->
              DemoPage.titled("The gallery", "/room/1", "/reserved", "/private-view", "/shop")
                  .html();
          case "/room/1" ->
              DemoPage.titled("Old trees", "/room/2")
                  .with(
                      "<figure><img src=HOST/oak.jpg alt='An oak' width=320 height=240>"
                          + "<figcaption>By the road</figcaption></figure>"
                          + "<img srcset='HOST/elm-small.png 200w, HOST/elm.png 800w'"
                          + " src=HOST/elm-small.png alt=Elm>")
                  .html();
          case "/room/2" ->
              DemoPage.titled("The same again", "/room/1", "/room/3")
                  .with(
                      "<img src=HOST/copy-of-oak.jpg alt='A copy'><img src=HOST/oak.jpg>"
                          + "<img src=HOST/oak-small.png alt='Smaller'>"
                          + "<a href=HOST/ash.gif>an ash</a>")
                  .html();
          case "/room/3" ->
              DemoPage.titled("What only looks like pictures", "/room/2", "/room/4")
                  .with(
                      "<img src=HOST/poster.jpg><img src=HOST/bomb.png><img src=HOST/dot.gif>"
                          + "<img src=HOST/page.jpg><img src=HOST/gone.png>")
                  .html();
          case "/room/4" ->
              DemoPage.titled("The last room", "/room/3")
                  .with(
                      "<meta property=og:image content=HOST/fir.png>"
                          + "<img src=/moved.png alt='It has moved'><img src=HOST/reserved.png>")
                  .html();
          case "/reserved" ->
              DemoPage.titled("Not for training", "/")
                  .with("<meta name=robots content=noai><img src=HOST/no-training.png>")
                  .html();
          case "/private-view" ->
              DemoPage.titled("A private view", "/")
                  .with("<meta name=robots content=noimageindex><img src=HOST/not-in-indexes.png>")
                  .html();
          case "/shop" -> shop(visit);
          default -> "";
        };
    return html.replace("HOST/", picture(visit, ""));
  }

  private static String shop(Visit visit) {
    StringBuilder pictures = new StringBuilder();
    IntStream.rangeClosed(1, FOR_SALE)
        .forEach(
            number ->
                pictures.append(
                    "<img src=http://toll.example:%d/%d.jpg>".formatted(visit.port(), number)));
    return DemoPage.titled("The shop", "/").with(pictures.toString()).html();
  }
}
