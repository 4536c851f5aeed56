package dev.comity.content.support;

import java.util.ArrayList;
import java.util.List;

/**
 * Forty pages: eight contents of different kinds, each in five frames as sites build them. Words of
 * navigation start with {@code Nav}, so they are told apart from content.
 */
public final class SavedPages {
  private static final String FILLER =
      "The harbour was built in three years, and the town grew along its quays, because ships"
          + " brought timber, grain and people from the north. ";

  private static final List<String> CONTENTS =
      List.of(
          "<h1>The harbour</h1><p>%1$s%1$s</p><h2>Its beginning</h2><p>%1$s<a href='/quay'>the"
              + " quay</a></p><h3>Timber</h3><p>%1$s</p>",
          "<h1>Parsing</h1><p>Call <code>parse()</code>. %1$s</p><h2>Example</h2><pre><code"
              + " class='language-java'>int a = b * c;\nif (a &lt; 1) {\n  return;\n}</code></pre>"
              + "<h2>Errors</h2><p>%1$s</p>",
          "<h1>Units</h1><p>%1$s%1$s</p><h2>Table of"
              + " units</h2><table><thead><tr><th>Unit</th><th>Size</th></tr></thead><tbody><tr><td>metre</td><td>1"
              + " | 0</td></tr><tr><td>mile</td><td>1609</td></tr></tbody></table>",
          "<h1>Checklist</h1><p>%1$s%1$s</p><h2>Before</h2><ul><li>Ropes<ul><li>Short</li><li>Long</li></ul></li><li>Maps</li></ul><h2>After</h2><ol"
              + " start='3'><li>Wash</li><li>Rest</li></ol>",
          "<h1>How do I moor?</h1><p>%1$s</p><h2>Answer 1</h2><blockquote><p>%1$s</p></blockquote>"
              + "<h2>Answer 2</h2><p>%1$s</p>",
          "<h1>Fish soup</h1><p>%1$s%1$s</p><h2>Ingredients</h2><ul><li>Fish</li><li>Salt</li></ul>"
              + "<h2>Steps</h2><ol><li>Boil it. %1$s</li><li>Eat it.</li></ol>",
          "<h1>Gallery</h1><p>%1$s%1$s</p><h2>Boats</h2><figure><img src='boat.jpg' alt='A [red]"
              + " boat'><figcaption>A boat in spring</figcaption></figure><h2>Nets</h2><p>%1$s</p>",
          "<h1>\u6e2f</h1><p>\u6e2f\u306f\u4e09\u5e74\u3067\u5efa\u3066\u3089\u308c\u307e\u3057\u305f\u3002%1$s%1$s</p><h2>\u8239</h2><p>\u8239\u304c\u6765\u307e\u3057\u305f\u3002%1$s</p>");

  private static final List<String> FRAMES =
      List.of(
          // As the standard would have it.
          "<header><a href=/>NavHome</a><nav><ul><li><a href=/a>NavOne</a><li><a"
              + " href=/b>NavTwo</ul>"
              + "</nav></header><main>%s</main><aside><h2>NavRelated</h2></aside>"
              + "<footer>NavImprint</footer>",
          "<nav><a href=/a>NavOne</a> <a href=/b>NavTwo</a></nav><article>%s"
              + "<footer><a href=/tags>NavTags</a></footer></article><footer>NavImprint</footer>",
          // By roles.
          "<div role=navigation><a href=/a>NavOne</a></div><div role=main>%s</div>"
              + "<div role=contentinfo>NavImprint</div>",
          // By class names only.
          "<div class=navbar><ul><li><a href=/a>NavOne</a></li><li><a href=/b>NavTwo</a></li></ul>"
              + "</div><div class=sidebar><a href=/c>NavThree</a></div><div class='content post'>%s"
              + "</div><div class=footer><a href=/d>NavImprint</a></div>",
          // Without any mark but the navigation's own.
          "<nav><a href=/a>NavOne</a></nav>%s<footer>NavImprint</footer>");

  private SavedPages() {}

  /**
   * A page and what is in it.
   *
   * @param content the part that is the page's own
   */
  public record SavedPage(String html, String content) {}

  public static List<SavedPage> all() {
    List<SavedPage> pages = new ArrayList<>();
    for (String content : CONTENTS) {
      String filled = content.formatted(FILLER);
      for (String frame : FRAMES) {
        String body = frame.formatted(filled);
        pages.add(
            new SavedPage(
                "<!doctype html><html lang=en><head><title>Page</title></head><body>"
                    + body
                    + "</body></html>",
                filled));
      }
    }
    return pages;
  }
}
