package dev.comity.app.output;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.util.Printable;
import dev.comity.keep.Keep;
import dev.comity.keep.KeepTerms;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** What is kept of pages, beside their titles. */
public final class ContentOptions {
  @Option(
      names = "--keep",
      paramLabel = "PART",
      split = ",",
      description =
          "Keep of each page: html (the body as received), text, markdown (of the main content),"
              + " links (with their words), meta (language, description, canonical URL, headers;"
              + " kept with every other part, too). Several with commas.")
  private List<Keep> keep = List.of();

  @Option(
      names = "--select",
      paramLabel = "NAME=CSS",
      description =
          "Keep a field of each page: the text of what this CSS selector finds, or with"
              + " NAME=CSS@ATTRIBUTE an attribute. May be given several times.")
  private List<String> select = List.of();

  /**
   * What the options say.
   *
   * @param text whether the text is asked for by its own option
   * @throws WrongSetting if a selector is none
   */
  public KeepTerms terms(boolean text) {
    Set<Keep> parts = EnumSet.noneOf(Keep.class);
    parts.addAll(keep);
    if (text) {
      parts.add(Keep.TEXT);
    }
    try {
      return new KeepTerms(parts, fields());
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(Printable.text(String.valueOf(wrong.getMessage())));
    }
  }

  private Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String one : select) {
      int equals = one.indexOf('=');
      if (equals < 1) {
        throw new WrongSetting(
            "select is %s, but has no name before a = sign: write it like --select 'price=.price'"
                .formatted(Printable.text(one)));
      }
      if (fields.put(one.substring(0, equals).strip(), one.substring(equals + 1).strip()) != null) {
        throw new WrongSetting(
            "select names the field %s twice: give each field a name of its own"
                .formatted(Printable.text(one.substring(0, equals))));
      }
    }
    return fields;
  }
}
