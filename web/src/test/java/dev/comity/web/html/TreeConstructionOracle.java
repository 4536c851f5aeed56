package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.TreeCase.Element;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/**
 * Our reader against trees made by the HTML standard: a sample of ours, and html5lib's
 * tree-construction tests where {@code -Dcomity.html5lib=DIR} says where they are.
 */
class TreeConstructionOracle {
  /** Shows how what comes after it is read: as HTML, as SVG or MathML, or as text. */
  private static final String PROBE =
      "<a href=/in></a><style><a href=/style></style><a href=/after>";

  /** In these jsoup keeps to other rules than the standard does today. */
  private static final List<String> OTHER_RULES =
      List.of("<script", "<template", "<select", "<frameset", "<noscript");

  private static List<TreeCase> sample() throws IOException, URISyntaxException {
    return TreeCase.in(
        Path.of(
            Objects.requireNonNull(TreeConstructionOracle.class.getResource("foreign-content.dat"))
                .toURI()));
  }

  private static List<TreeCase> given() throws IOException {
    List<TreeCase> cases = new ArrayList<>();
    String directory = System.getProperty("comity.html5lib", "");
    if (!directory.isEmpty()) {
      try (Stream<Path> files = Files.walk(Path.of(directory))) {
        for (Path file : files.filter(one -> one.toString().endsWith(".dat")).sorted().toList()) {
          cases.addAll(TreeCase.in(file));
        }
      }
      assertThat(cases).isNotEmpty();
    }
    return cases;
  }

  @Test
  void a_page_has_the_links_the_images_and_the_title_of_its_tree() throws Exception {
    List<TreeCase> cases = sample();
    assertThat(cases).hasSizeGreaterThan(25);
    cases.addAll(given());
    assertThat(cases)
        .allSatisfy(
            one -> {
              Extraction page = Pages.read(one.html());
              assertThat(texts(page.links())).as(one.html()).isEqualTo(links(one));
              assertThat(page.images().stream().map(image -> image.url().toString()))
                  .as(one.html())
                  .containsExactlyInAnyOrderElementsOf(
                      resolved(one, element -> attribute(element, "img", "src")));
              assertThat(page.title().orElse("")).as(one.html()).isEqualTo(title(one));
            });
  }

  private static Set<String> links(TreeCase one) {
    return resolved(
        one,
        element ->
            switch (element.name()) {
              case "a", "area" -> attribute(element, element.name(), "href");
              case "frame", "iframe" -> attribute(element, element.name(), "src");
              case "svg a", "math a" ->
                  attribute(element, element.name(), "href")
                      .or(() -> attribute(element, element.name(), "xlink href"));
              default -> Optional.empty();
            });
  }

  private static Optional<String> attribute(Element element, String name, String attribute) {
    return element.name().equals(name)
        ? Optional.ofNullable(element.attributes().get(attribute))
        : Optional.empty();
  }

  private static Set<String> resolved(TreeCase one, Function<Element, Optional<String>> reference) {
    return resolved(one.elements().stream().flatMap(element -> reference.apply(element).stream()));
  }

  private static Set<String> resolved(Stream<String> references) {
    return references
        .map(Pages.PAGE::resolve)
        .filter(url -> url instanceof CrawlUrl && !url.equals(Pages.PAGE))
        .map(Object::toString)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> texts(List<CrawlUrl> links) {
    return links.stream().map(CrawlUrl::toString).collect(Collectors.toCollection(TreeSet::new));
  }

  private static String title(TreeCase one) {
    return one.elements().stream()
        .filter(element -> element.name().equals("title"))
        .findFirst()
        .map(element -> element.text().toString().strip().replaceAll("\\s+", " "))
        .orElse("");
  }

  @Test
  void links_put_anywhere_into_a_page_are_read_as_the_tree_would_have_them() throws Exception {
    assertThat(differing(sample())).isEmpty();
    List<TreeCase> given = given();
    List<String> differing = differing(given);
    // jsoup is not the standard either.
    assertThat(differing).hasSizeLessThanOrEqualTo(given.size() / 200);
    if (!given.isEmpty()) {
      System.out.println(
          given.size()
              + " documents given; with links put into them "
              + differing.size()
              + " are read otherwise than by jsoup: "
              + differing);
    }
  }

  private static List<String> differing(List<TreeCase> cases) {
    List<String> differing = new ArrayList<>();
    for (TreeCase one : cases) {
      String html = one.html();
      if (OTHER_RULES.stream().noneMatch(html.toLowerCase(Locale.ROOT)::contains)) {
        for (int at = 0; at >= 0; at = html.indexOf('<', at + 1)) {
          compare(html.substring(0, at) + PROBE + html.substring(at), differing);
        }
        compare(html + PROBE, differing);
      }
    }
    return differing;
  }

  private static void compare(String html, List<String> differing) {
    if (!texts(Pages.read(html).links()).equals(linksByJsoup(html))) {
      differing.add(html);
    }
  }

  private static Set<String> linksByJsoup(String html) {
    return resolved(
        Jsoup.parse(html).getAllElements().stream()
            .flatMap(element -> referenceByJsoup(element).stream()));
  }

  private static Optional<String> referenceByJsoup(org.jsoup.nodes.Element element) {
    boolean foreign = !element.tag().namespace().endsWith("xhtml");
    return switch (element.normalName()) {
      case "a" ->
          attribute(element, "href")
              .or(() -> foreign ? attribute(element, "xlink:href") : Optional.empty());
      case "area" -> foreign ? Optional.empty() : attribute(element, "href");
      case "frame", "iframe" -> foreign ? Optional.empty() : attribute(element, "src");
      default -> Optional.empty();
    };
  }

  private static Optional<String> attribute(org.jsoup.nodes.Element element, String name) {
    return element.hasAttr(name) ? Optional.of(element.attr(name)) : Optional.empty();
  }
}
