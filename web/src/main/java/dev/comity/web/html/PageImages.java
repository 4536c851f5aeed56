package dev.comity.web.html;

import dev.comity.core.port.fetch.ImageRef.Source;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlScanner.Piece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The images of a page with what the page says about them, in one pass of the scanner. Crawls that
 * collect no images never start it.
 */
final class PageImages {
  /** In characters: enough for a caption, too little for an article. */
  static final int LONGEST_TEXT = 500;

  /** In characters: two sentences on each side. */
  static final int SURROUNDINGS = 200;

  private static final int LONGEST_SIZE = 5;

  private static final Set<String> ENDINGS =
      Set.of("avif", "bmp", "gif", "heic", "jpeg", "jpg", "jxl", "png", "tif", "tiff", "webp");

  private final TextDraft text = new TextDraft(HtmlReader.LONGEST_TEXT);
  private final List<ImageDraft> drafts = new ArrayList<>();
  private final ImageRights rights = new ImageRights();
  private final Map<Integer, TextDraft> captions = new HashMap<>();
  private Optional<String> base = Optional.empty();
  private Optional<ImageDraft> picture = Optional.empty();
  private Optional<ImageDraft> card = Optional.empty();
  private Optional<ImageDraft> linked = Optional.empty();
  private Optional<String> link = Optional.empty();
  private Optional<TextDraft> caption = Optional.empty();
  private int templates;
  private int figures;
  private int figure;
  private boolean inTitle;
  private String language = "";

  private PageImages() {}

  /** Each URL once, in the order of the page; a thousand at most. */
  static List<ImageSighting> read(CrawlUrl url, String html) {
    PageImages images = new PageImages();
    images.page(new HtmlScanner(html));
    return images.sightings(url);
  }

  private void page(HtmlScanner scanner) {
    while (true) {
      switch (scanner.next()) {
        case Piece.TEXT -> text(scanner);
        case Piece.START -> start(scanner);
        case Piece.END -> end(scanner);
        case Piece.NOTHING -> {
          return;
        }
      }
    }
  }

  private void text(HtmlScanner scanner) {
    if (templates > 0 || inTitle || scanner.foreignDepth() > 0) {
      return;
    }
    scanner.appendTo(caption.orElse(text));
    rights.text(scanner);
  }

  private void start(HtmlScanner scanner) {
    Tag tag = scanner.tag();
    inTitle = tag == Tag.TITLE;
    part(tag);
    if (scanner.isForeign()) {
      return;
    }
    templates += tag == Tag.TEMPLATE ? 1 : 0;
    if (templates > 0) {
      return;
    }
    rights.start(scanner, text.length(), figure);
    switch (tag) {
      case HTML -> language = language.isEmpty() ? PageHead.language(scanner).orElse("") : language;
      case BASE -> base = base.or(() -> scanner.attribute("href"));
      case META -> meta(scanner);
      case PICTURE -> picture = add(Source.PICTURE);
      case SOURCE -> source(scanner);
      case IMG -> image(scanner);
      case A, AREA -> link(scanner);
      case FIGURE -> figure = ++figures;
      case FIGCAPTION -> caption();
      default -> {}
    }
  }

  private void end(HtmlScanner scanner) {
    Tag tag = scanner.tag();
    inTitle = false;
    part(tag);
    rights.end();
    switch (tag) {
      case TEMPLATE -> templates -= templates > 0 && !scanner.isForeign() ? 1 : 0;
      case PICTURE -> picture = Optional.empty();
      case A -> {
        link = Optional.empty();
        linked = Optional.empty();
      }
      case FIGCAPTION -> caption = Optional.empty();
      case FIGURE -> {
        caption = Optional.empty();
        figure = 0;
      }
      default -> {}
    }
  }

  private void part(Tag tag) {
    if (tag.partsWords()) {
      text.part();
      caption.ifPresent(TextDraft::part);
    }
  }

  private void caption() {
    if (figure > 0) {
      caption = Optional.of(captions.computeIfAbsent(figure, _ -> new TextDraft(LONGEST_TEXT)));
    }
  }

  private void image(HtmlScanner scanner) {
    Optional<ImageDraft> draft = picture.or(() -> add(Source.IMG));
    draft.ifPresent(image -> describe(image, scanner));
    picture = Optional.empty();
  }

  private void describe(ImageDraft image, HtmlScanner scanner) {
    image.alt = line(scanner, "alt");
    image.title = line(scanner, "title");
    image.width = size(scanner.attribute("width"));
    image.height = size(scanner.attribute("height"));
    image.linkTarget = link;
    scanner.attribute("srcset").ifPresent(srcset -> image.candidates(srcset, Source.SRCSET));
    // Pages that load images late keep the real reference in one of these.
    scanner.attribute("data-srcset").ifPresent(srcset -> image.candidates(srcset, Source.SRCSET));
    scanner.attribute("data-src").ifPresent(image::reference);
    scanner.attribute("src").ifPresent(image::reference);
    linked.filter(target -> target.alt.isEmpty()).ifPresent(target -> target.alt = image.alt);
  }

  private void source(HtmlScanner scanner) {
    picture.ifPresent(
        image -> {
          scanner.attribute("srcset").ifPresent(set -> image.candidates(set, Source.PICTURE));
          scanner.attribute("data-srcset").ifPresent(set -> image.candidates(set, Source.PICTURE));
        });
  }

  private void link(HtmlScanner scanner) {
    link = scanner.attribute("href");
    linked = Optional.empty();
    if (link.filter(PageImages::isImageFile).isPresent()) {
      linked = add(Source.LINK);
      linked.ifPresent(
          image -> {
            image.title = line(scanner, "title");
            image.reference(link.get());
          });
    }
  }

  private void meta(HtmlScanner scanner) {
    Optional<String> content = scanner.attribute("content");
    String name =
        scanner
            .attribute("property")
            .or(() -> scanner.attribute("name"))
            .filter(value -> value.length() <= LONGEST_TEXT)
            .map(value -> value.strip().toLowerCase(Locale.ROOT))
            .orElse("");
    if (content.isEmpty()) {
      return;
    }
    switch (name) {
      case "og:image", "og:image:url", "og:image:secure_url" ->
          card(Source.OPEN_GRAPH, content.get());
      case "twitter:image", "twitter:image:src" -> card(Source.TWITTER_CARD, content.get());
      case "og:image:alt", "twitter:image:alt" ->
          card.ifPresent(image -> image.alt = line(content.get()));
      case "og:image:width" -> card.ifPresent(image -> image.width = size(content));
      case "og:image:height" -> card.ifPresent(image -> image.height = size(content));
      default -> {}
    }
  }

  private void card(Source source, String reference) {
    card = add(source);
    card.ifPresent(image -> image.reference(reference));
  }

  /** Empty once there are too many; later images do not count. */
  private Optional<ImageDraft> add(Source source) {
    if (drafts.size() == PageWalk.MOST_IMAGES) {
      return Optional.empty();
    }
    ImageDraft draft = new ImageDraft(source, text.length(), figure);
    drafts.add(draft);
    return Optional.of(draft);
  }

  private static boolean isImageFile(String reference) {
    int query = reference.indexOf('?');
    int fragment = reference.indexOf('#');
    int end = reference.length();
    end = query < 0 ? end : Math.min(end, query);
    end = fragment < 0 ? end : Math.min(end, fragment);
    int dot = reference.lastIndexOf('.', end - 1);
    return dot >= 0
        && end - dot <= LONGEST_SIZE + 1
        && ENDINGS.contains(reference.substring(dot + 1, end).strip().toLowerCase(Locale.ROOT));
  }

  private static String line(HtmlScanner scanner, String attribute) {
    return scanner.attribute(attribute).map(PageImages::line).orElse("");
  }

  private static String line(String value) {
    TextDraft line = new TextDraft(LONGEST_TEXT);
    line.append(value, 0, value.length(), false);
    return line.toString();
  }

  /** Whole pixels; shares and other units say nothing about the image. */
  private static OptionalInt size(Optional<String> attribute) {
    String value = attribute.map(String::strip).orElse("");
    String digits = value.endsWith("px") ? value.substring(0, value.length() - 2) : value;
    boolean whole =
        !digits.isEmpty()
            && digits.length() <= LONGEST_SIZE
            && digits.chars().allMatch(each -> each >= '0' && each <= '9');
    return whole ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
  }

  private List<ImageSighting> sightings(CrawlUrl url) {
    Base counted = Base.of(url, base);
    String all = text.toString();
    Map<CrawlUrl, ImageSighting> found = new LinkedHashMap<>();
    int room = PageLinks.MOST_CHARACTERS;
    for (ImageDraft draft : drafts) {
      Optional<CrawlUrl> target = first(counted, draft.references());
      // An empty reference leads to the page itself, which is no image.
      if (target.filter(image -> !image.equals(url) && !found.containsKey(image)).isPresent()) {
        room -= target.get().toString().length();
        if (room < 0) {
          break;
        }
        found.put(target.get(), sighting(target.get(), draft, all, counted));
      }
    }
    return List.copyOf(found.values());
  }

  private ImageSighting sighting(CrawlUrl target, ImageDraft draft, String all, Base counted) {
    int at = Math.min(draft.textOffset, all.length());
    TextDraft caption = captions.getOrDefault(draft.figure, new TextDraft(0));
    return new ImageSighting(
        target,
        draft.source,
        draft.descriptor(),
        draft.alt,
        draft.title,
        draft.figure == 0 ? "" : caption.toString(),
        Cut.end(all, at, SURROUNDINGS),
        Cut.beginning(all, at, SURROUNDINGS),
        draft.width,
        draft.height,
        draft.linkTarget.flatMap(reference -> first(counted, List.of(reference))),
        rights.licence(draft).flatMap(reference -> first(counted, List.of(reference))),
        rights.credit(draft),
        language);
  }

  private static Optional<CrawlUrl> first(Base base, List<String> references) {
    for (String reference : references) {
      if (base.resolve(reference) instanceof CrawlUrl target) {
        return Optional.of(target);
      }
    }
    return Optional.empty();
  }
}
