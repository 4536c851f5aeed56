package dev.comity.testkit.gen;

import java.util.List;

/**
 * Pages as nobody should write them: tags that are never closed or closed twice, quotes left open,
 * comments in scripts and scripts in comments, references cut off, characters that are none.
 */
public final class HostileHtml implements Generator<String> {
  private static final List<String> NAMES =
      List.of(
          "a",
          "a",
          "a",
          "A",
          "area",
          "p",
          "div",
          "b",
          "table",
          "td",
          "svg",
          "math",
          "template",
          "script",
          "style",
          "title",
          "textarea",
          "select",
          "option",
          "base",
          "link",
          "meta",
          "img",
          "iframe",
          "noscript",
          "br",
          "foreignObject",
          "x-y",
          "h1",
          "li",
          "form",
          "body",
          "head",
          "html",
          "frameset",
          "frame",
          "source",
          "picture",
          "plaintext",
          "xmp",
          "a\0b",
          "aé");
  private static final List<String> ATTRIBUTES =
      List.of(
          "href",
          "href",
          "href",
          "HREF",
          "src",
          "srcset",
          "rel",
          "content",
          "name",
          "http-equiv",
          "charset",
          "property",
          "alt",
          "=",
          "\"",
          "a<b",
          "x=y",
          "é",
          "\0");
  private static final List<String> VALUES =
      List.of(
          "/a",
          "b",
          "../c?d=1&amp;e=2",
          "?copy=1&copy=2",
          "#f",
          "",
          " /g ",
          "//h.example/i",
          "javascript:x()",
          "data:text/html,<a href=/j>",
          "http://[",
          "/k\nl",
          "/\u202e\u0000m",
          "nofollow",
          "next",
          "canonical",
          "robots",
          "noindex, nofollow",
          "refresh",
          "0;url=/n",
          "utf-8",
          "utf-7",
          "og:image",
          "o.png 1x, p.png 2x",
          "&#xD800;&#0;",
          "%zz%41%",
          "/q'r\"s",
          "\ud800",
          "http://user:pass@t.example:99999/",
          "/" + "u".repeat(300));
  private static final List<String> PIECES =
      List.of(
          "text",
          " ",
          "\n",
          "&amp;",
          "&notit;",
          "&#",
          "&#x110000;",
          "&nosuch;",
          "<",
          "< a",
          "</",
          "</>",
          "</ a>",
          "<!",
          "<!-",
          "<!--",
          "-->",
          "--!>",
          "<!-->",
          "<![CDATA[",
          "]]>",
          "<?php",
          "?>",
          "<!doctype html>",
          "<!--<script>",
          "</script",
          "</script>",
          "</style >",
          "</title\n>",
          "</textarea/>",
          "</svg>",
          "</template>",
          "\0",
          "\ufeff",
          "\u202e",
          "\ud83d\ude00",
          "\udfff",
          "\u0085",
          "\r",
          "\f",
          ">",
          "\"",
          "'",
          "=",
          "/>");

  private static final List<String> TAME_NAMES =
      List.of("a", "A", "area", "p", "div", "b", "i", "x-y", "h1", "li", "em", "span", "br");
  private static final List<String> TAME_VALUES =
      VALUES.stream()
          .filter(value -> !value.contains("&#") && !value.contains("\0"))
          .filter(value -> !value.contains("\ud800"))
          .toList();
  private static final List<String> TAME_PIECES =
      List.of(
          "text",
          " ",
          "\n",
          "&amp;",
          "&notit;",
          "&#65;",
          "&nosuch;",
          "< a",
          "<!-- > -->",
          "<!-->",
          "<!x>",
          "<?y>",
          "<script>'<a href=/no>'</script>",
          "<style><a href=/no></style>",
          "é",
          "<textarea><a href=/no></textarea>",
          "<!--a--!>",
          "</ x>",
          "\ud83d\ude00");

  /** The same pages with nothing in them but what is well-formed by itself. */
  private final boolean tame;

  private HostileHtml(boolean tame) {
    this.tame = tame;
  }

  /** Anything. */
  public static HostileHtml wild() {
    return new HostileHtml(false);
  }

  /**
   * Tags of which each is complete, in any order and never nested right, and only such as every
   * parser leaves in their place: pages to compare two readers by.
   */
  public static HostileHtml tame() {
    return new HostileHtml(true);
  }

  @Override
  public String draw(Draw draw) {
    StringBuilder html = new StringBuilder();
    int pieces = draw.logUniform(200);
    for (int piece = 0; piece < pieces; piece++) {
      switch (draw.below(5)) {
        case 0, 1 -> start(draw, html);
        case 2 -> html.append("</").append(draw.from(tame ? TAME_NAMES : NAMES)).append('>');
        default -> html.append(draw.from(tame ? TAME_PIECES : PIECES));
      }
    }
    return html.toString();
  }

  private void start(Draw draw, StringBuilder html) {
    html.append('<').append(draw.from(tame ? TAME_NAMES : NAMES));
    for (int more = draw.below(4); more > 0; more--) {
      html.append(draw.onceIn(8) ? "\n/" : " ");
      html.append(tame ? draw.from(List.of("href", "HREF", "rel", "id")) : draw.from(ATTRIBUTES));
      String value = draw.from(tame ? TAME_VALUES : VALUES);
      switch (draw.below(4)) {
        case 0 -> html.append('=').append(value.replaceAll("[\\s>\"'=`<]", "")).append(' ');
        case 1 -> html.append(" = '").append(value.replace("'", "")).append('\'');
        case 2 -> html.append("=\"").append(value.replace("\"", "")).append('"');
        default -> html.append(tame ? "" : value);
      }
    }
    html.append(tame || !draw.onceIn(10) ? ">" : "");
  }
}
