package dev.comity.core.scope;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Types of documents that count as pages beside HTML, such as {@code application/pdf}, {@code
 * text/*} or {@code *}{@code /*}. Images are none: they have a way of their own.
 */
public record AcceptedTypes(Set<String> types) {
  /** Only HTML is a page. */
  public static final AcceptedTypes NONE = new AcceptedTypes(Set.of());

  private static final String ANY = "*/*";

  private static final String TYPE = "[a-z0-9!#$&^_.+-]{1,64}/([a-z0-9!#$&^_.+-]{1,64}|\\*)";

  /** The types of endings that are skipped otherwise; every other such ending needs {@code *}. */
  private static final Map<String, String> ENDINGS =
      Map.ofEntries(
          Map.entry("pdf", "application/pdf"),
          Map.entry("ps", "application/postscript"),
          Map.entry("eps", "application/postscript"),
          Map.entry("doc", "application/msword"),
          Map.entry("dot", "application/msword"),
          Map.entry(
              "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
          Map.entry("xls", "application/vnd.ms-excel"),
          Map.entry("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
          Map.entry("ppt", "application/vnd.ms-powerpoint"),
          Map.entry(
              "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
          Map.entry("odt", "application/vnd.oasis.opendocument.text"),
          Map.entry("ods", "application/vnd.oasis.opendocument.spreadsheet"),
          Map.entry("odp", "application/vnd.oasis.opendocument.presentation"),
          Map.entry("rtf", "application/rtf"),
          Map.entry("epub", "application/epub+zip"),
          Map.entry("csv", "text/csv"),
          Map.entry("vcf", "text/vcard"),
          Map.entry("ics", "text/calendar"),
          Map.entry("css", "text/css"),
          Map.entry("js", "text/javascript"),
          Map.entry("mjs", "text/javascript"),
          Map.entry("zip", "application/zip"),
          Map.entry("gz", "application/gzip"),
          Map.entry("tgz", "application/gzip"),
          Map.entry("mp3", "audio/mpeg"),
          Map.entry("ogg", "audio/ogg"),
          Map.entry("wav", "audio/wav"),
          Map.entry("mp4", "video/mp4"),
          Map.entry("webm", "video/webm"));

  /** Endings of images, which no type accepts. */
  private static final Set<String> IMAGES =
      Set.of(
          "jpg", "jpeg", "png", "gif", "webp", "avif", "bmp", "ico", "tif", "tiff", "svg", "svgz",
          "heic", "jxl", "psd", "djvu");

  public AcceptedTypes {
    types = Set.copyOf(types);
  }

  /**
   * Types as a user writes them.
   *
   * @throws IllegalArgumentException if one is no type, or one of images
   */
  public static AcceptedTypes of(Collection<String> written) {
    Set<String> types = new LinkedHashSet<>();
    for (String one : written) {
      String type = one.strip().toLowerCase(Locale.ROOT);
      if (!type.equals(ANY) && !type.matches(TYPE)) {
        throw new IllegalArgumentException(
            "accept is %s, but a type looks like application/pdf, text/* or */*".formatted(one));
      }
      if (type.startsWith("image/")) {
        throw new IllegalArgumentException(
            "accept is %s, but images are no documents: they are kept with --images"
                .formatted(one));
      }
      types.add(type);
    }
    return types.isEmpty() ? NONE : new AcceptedTypes(types);
  }

  public boolean isEmpty() {
    return types.isEmpty();
  }

  /** Whether a document of this type, in lower case and without parameters, is a page. */
  public boolean accepts(String type) {
    if (types.isEmpty() || type.startsWith("image/")) {
      return false;
    }
    int slash = type.indexOf('/');
    return types.contains(type)
        || types.contains(ANY)
        || (slash > 0 && types.contains(type.substring(0, slash) + "/*"));
  }

  /** Whether a file with this ending, in lower case, is asked for. */
  boolean acceptsEnding(String ending) {
    if (types.isEmpty()) {
      return false;
    }
    String type = ENDINGS.get(ending);
    return type == null ? types.contains(ANY) && !IMAGES.contains(ending) : accepts(type);
  }
}
