package dev.comity.testkit.wire;

import dev.comity.core.url.CrawlUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/**
 * Sitemaps made to hurt who reads them. Each plays on a connection whose request was read already,
 * and lists {@code page} first, where it lists anything at all.
 */
public final class HostileSitemaps {
  private static final int MEBIBYTE = 1 << 20;

  private HostileSitemaps() {}

  /** Wants a DTD, entities and a parameter entity fetched from there, and a file read. */
  public static Script externalEntities(CrawlUrl page, CrawlUrl outside) {
    return serving(
        """
        <?xml version="1.0"?>
        <!DOCTYPE urlset SYSTEM "%1$s" [
          <!ENTITY file SYSTEM "file:///etc/hostname">
          <!ENTITY web SYSTEM "%1$s">
          <!ENTITY %% parameter SYSTEM "%1$s"> %%parameter;
        ]>
        <urlset><url><loc>%2$s</loc></url>
        <url><loc>&file;</loc></url><url><loc>&web;</loc></url></urlset>
        """
            .formatted(outside, page));
  }

  /** Nine entities, each ten times the one before. */
  public static Script billionLaughs(CrawlUrl page) {
    StringBuilder laughs = new StringBuilder("<!DOCTYPE urlset [<!ENTITY lol0 \"lol\">");
    for (int level = 1; level < 10; level++) {
      String ten = ("&lol" + (level - 1) + ";").repeat(10);
      laughs.append("<!ENTITY lol").append(level).append(" \"").append(ten).append("\">");
    }
    laughs.append("]><urlset><url><loc>").append(page).append("</loc></url>");
    return serving(laughs.append("<url><loc>&lol9;</loc></url></urlset>").toString());
  }

  /** A list without end, each entry of it another. */
  public static Script endless(CrawlUrl page) {
    return wire -> {
      wire.send(Replies.head("200 OK", "Content-Type: text/xml") + "<urlset>" + entry(page));
      for (long number = 0; true; number++) {
        wire.send("<url><loc>" + page + "?" + number + "</loc></url>\n");
      }
    };
  }

  /** A hundred megabytes of blanks, packed as the file itself and not by the server. */
  public static Script packedBomb(CrawlUrl page) {
    byte[] blanks = new byte[MEBIBYTE];
    Arrays.fill(blanks, (byte) ' ');
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(("<urlset>" + entry(page)).getBytes(StandardCharsets.UTF_8));
      for (int count = 0; count < 100; count++) {
        gzip.write(blanks);
      }
    } catch (IOException cannotBe) {
      throw new UncheckedIOException(cannotBe);
    }
    return wire -> wire.send(Replies.ok("application/gzip", packed.toByteArray()));
  }

  private static String entry(CrawlUrl page) {
    return "<url><loc>" + page + "</loc></url>";
  }

  private static Script serving(String file) {
    byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
    return wire -> wire.send(Replies.ok("text/xml", bytes));
  }
}
