package dev.comity.core.scope;

import dev.comity.core.url.CrawlUrl;
import java.util.Locale;
import java.util.Set;

/**
 * Path endings that name a type which is not kept. A link to such a URL is counted and not asked.
 *
 * <p>Only endings are listed that hardly any page has: documents, archives, programs, images,
 * sound, film, fonts, style sheets and scripts. Endings of text that may be a page are not listed
 * ({@code .php}, {@code .asp}, {@code .txt}, {@code .xml}, {@code .json}): the answer decides. A
 * URL with a query is asked as well, because a program makes its answer.
 *
 * <p>Wikis name pages after their subject: {@code /wiki/Node.js} and {@code /wiki/File:Sun.jpg} are
 * pages. So a name directly under {@code /wiki/} and a name with a colon name no type.
 */
public final class SkippedEndings {
  private static final int LONGEST = 5;

  private static final Set<String> ENDINGS =
      Set.of(
          // Documents.
          "pdf",
          "ps",
          "eps",
          "djvu",
          "doc",
          "docx",
          "dot",
          "dotx",
          "xls",
          "xlsx",
          "xlsm",
          "ppt",
          "pptx",
          "pps",
          "ppsx",
          "odt",
          "ods",
          "odp",
          "rtf",
          "epub",
          "mobi",
          "azw3",
          "csv",
          "vcf",
          "ics",
          // Archives and programs.
          "zip",
          "gz",
          "tgz",
          "bz2",
          "tbz2",
          "xz",
          "txz",
          "zst",
          "7z",
          "rar",
          "tar",
          "jar",
          "war",
          "apk",
          "ipa",
          "dmg",
          "iso",
          "img",
          "exe",
          "msi",
          "deb",
          "rpm",
          "pkg",
          "bin",
          "cab",
          // Images.
          "jpg",
          "jpeg",
          "png",
          "gif",
          "webp",
          "avif",
          "bmp",
          "ico",
          "tif",
          "tiff",
          "svg",
          "svgz",
          "heic",
          "jxl",
          "psd",
          // Sound and film.
          "mp3",
          "m4a",
          "aac",
          "ogg",
          "oga",
          "opus",
          "wav",
          "flac",
          "mid",
          "midi",
          "wma",
          "mp4",
          "m4v",
          "webm",
          "ogv",
          "mov",
          "avi",
          "wmv",
          "flv",
          "mkv",
          "mpg",
          "mpeg",
          "3gp",
          "m3u8",
          // Parts of pages.
          "css",
          "js",
          "mjs",
          "woff",
          "woff2",
          "ttf",
          "otf",
          "eot",
          "wasm",
          "swf");

  private SkippedEndings() {}

  /** Whether the path of this URL ends with one of them, and of a type that is not accepted. */
  public static boolean isOn(CrawlUrl url, AcceptedTypes accepted) {
    String text = url.toString();
    int end = url.pathEnd();
    int dot = text.lastIndexOf('.');
    int length = end - dot - 1;
    if (end != text.length() || length < 1 || length > LONGEST) {
      return false;
    }
    int name = text.lastIndexOf('/') + 1;
    String ending = text.substring(dot + 1).toLowerCase(Locale.ROOT);
    return dot > name
        && ENDINGS.contains(ending)
        && !accepted.acceptsEnding(ending)
        && !text.substring(0, name).endsWith("/wiki/")
        && text.indexOf(':', name) < 0;
  }
}
