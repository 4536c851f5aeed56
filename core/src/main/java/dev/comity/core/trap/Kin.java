package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;

/** Which URLs are, for a template, its own: those of the same path, with any parameters. */
final class Kin {
  private static final String WILD = "**";

  private final String template;
  private final boolean isSession;
  private final boolean isDirectory;

  /** The path they have, or begin with. */
  private final String path;

  private final PathWriter writer = new PathWriter();

  Kin(String template) {
    this.template = template;
    isSession = template.startsWith(UrlTemplate.SESSIONS);
    isDirectory = template.endsWith("/" + WILD);
    int query = template.indexOf('?');
    path =
        isDirectory
            ? template.substring(0, template.length() - WILD.length())
            : query < 0 ? template : template.substring(0, query);
  }

  boolean has(UrlTemplate other) {
    if (isSession || other.path().startsWith(UrlTemplate.SESSIONS)) {
      return template.equals(other.path());
    }
    return isDirectory ? other.path().startsWith(path) : other.path().equals(path);
  }

  /** The same of a URL that has no parameters, and so no session. */
  boolean hasPlain(CrawlUrl url) {
    if (isSession) {
      return false;
    }
    String text = url.toString();
    writer.path(text, url.targetStart(), text.length());
    return isDirectory ? writer.wroteBelow(path) : writer.wrote(path);
  }
}
