package dev.comity.app.seeds;

import dev.comity.app.text.Words;
import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.SitemapReader.Listed;
import dev.comity.core.port.fetch.SitemapReader.Tally;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import dev.comity.web.sitemap.SitemapFiles;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;

/**
 * Reads one file of seeds in any format and passes each seed on at once: a list may be longer than
 * memory.
 */
public final class SeedReader {
  /** A longer line is no URL; the rest of it is not kept while it is read. */
  static final int LONGEST_LINE = 40_000;

  private static final int MOST_BYTES_OF_A_SITEMAP = 50 << 20;
  private static final int LOOK_AHEAD = 4096;
  private static final String MARK = "\ufeff";

  private final SeedFormat format;
  private final Taker taker;

  /** The columns, once the first line has told them. */
  private Optional<SeedColumns> columns = Optional.empty();

  private boolean begun;

  /** Receives what is in the file. */
  public interface Taker {
    /**
     * One more seed.
     *
     * @param number of its line; 0 in a file without lines
     */
    void seed(long number, GivenSeed seed);

    /**
     * What is no seed.
     *
     * @param number of the line; 0 for the file as a whole
     * @param count how many lines or entries it is about
     */
    void bad(long number, long count, String why);
  }

  SeedReader(SeedFormat format, Taker taker) {
    this.format = format;
    this.taker = taker;
  }

  void read(InputStream bytes) throws IOException {
    BufferedInputStream in = unpacked(bytes);
    boolean isSitemap =
        format == SeedFormat.SITEMAP || (format == SeedFormat.AUTO && startsWithTag(in));
    if (isSitemap) {
      sitemap(in);
    } else {
      lines(in);
    }
  }

  private static BufferedInputStream unpacked(InputStream bytes) throws IOException {
    BufferedInputStream in = new BufferedInputStream(bytes);
    in.mark(2);
    byte[] magic = in.readNBytes(2);
    in.reset();
    boolean packed = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
    return packed ? new BufferedInputStream(new GZIPInputStream(in)) : in;
  }

  private static boolean startsWithTag(BufferedInputStream in) throws IOException {
    in.mark(LOOK_AHEAD);
    String start = new String(in.readNBytes(LOOK_AHEAD), StandardCharsets.UTF_8);
    in.reset();
    return start.replace(MARK, "").stripLeading().startsWith("<");
  }

  private void sitemap(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_BYTES_OF_A_SITEMAP);
    Tally tally = new SitemapFiles().read(Body.of(bytes), this::listed);
    if (tally.unreadable() > 0) {
      taker.bad(
          0,
          tally.unreadable(),
          Words.count(tally.unreadable(), "entry is", "entries are") + " no URL");
    }
    if (!tally.whole() || in.read() >= 0) {
      taker.bad(0, 1, "only the first %s of it were read".formatted(tally.listed()));
    }
  }

  private void listed(Listed listed) {
    switch (listed) {
      case Listed.SitemapPage(CrawlUrl url, _) ->
          taker.seed(0, GivenSeed.of(new Seed(url, Optional.empty())));
      case Listed.Sitemap(CrawlUrl url) ->
          taker.seed(0, GivenSeed.of(new Seed(url, Optional.empty())).asSitemap());
      case Listed.Image _ -> {}
    }
  }

  private void lines(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long number = 1;
    long length = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        line(number++, line, length);
        line.reset();
        length = 0;
      } else {
        if (length++ < LONGEST_LINE) {
          line.write(b);
        }
      }
    }
    line(number, line, length);
  }

  private void line(long number, ByteArrayOutputStream bytes, long length) {
    String text = bytes.toString(StandardCharsets.UTF_8);
    String line = (number == 1 && text.startsWith(MARK) ? text.substring(1) : text).strip();
    if (line.startsWith("#") || (line.isEmpty() && length <= LONGEST_LINE)) {
      return;
    }
    if (length > LONGEST_LINE) {
      taker.bad(number, 1, "a line of " + length + " bytes is no URL");
    } else if (line.indexOf('\0') >= 0) {
      taker.bad(number, 1, "it has NUL characters, so it is not text in UTF-8");
    } else if (!isUtf8(bytes.toByteArray())) {
      // What is put in place of such bytes would make it another URL.
      taker.bad(number, 1, "it has bytes that are not UTF-8; write the file in UTF-8");
    } else if (begun || !isHeading(line)) {
      row(number, line);
    }
  }

  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }

  /** The first line that counts sets the columns, and may be a header only. */
  private boolean isHeading(String line) {
    begun = true;
    if (format == SeedFormat.LINES) {
      return false;
    }
    columns = SeedColumns.ofHeader(line);
    if (columns.isPresent()) {
      return true;
    }
    columns = SeedColumns.ofRow(line);
    if (columns.isEmpty() && format == SeedFormat.CSV) {
      columns = Optional.of(SeedColumns.single());
    }
    return false;
  }

  private void row(long number, String line) {
    if (columns.isEmpty()) {
      seed(number, line, OptionalLong.empty());
      return;
    }
    SeedColumns table = columns.get();
    List<String> cells = table.cells(line);
    if (cells.size() <= Math.max(table.url(), table.rank())) {
      taker.bad(number, 1, "it has fewer columns than the first line promises");
      return;
    }
    String rank = table.rank() < 0 ? "" : cells.get(table.rank()).strip();
    if (!rank.isEmpty() && !rank.matches("0*[1-9][0-9]{0,17}")) {
      taker.bad(
          number,
          1,
          "its rank is \"%s\", but must be a whole number from 1 on"
              .formatted(Printable.text(rank)));
      return;
    }
    seed(
        number,
        cells.get(table.url()).strip(),
        rank.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(rank)));
  }

  private void seed(long number, String text, OptionalLong rank) {
    switch (Seed.parse(text)) {
      case Seed seed -> taker.seed(number, GivenSeed.of(seed).ranked(rank));
      case UrlRefusal refusal -> taker.bad(number, 1, refusal.message());
    }
  }
}
