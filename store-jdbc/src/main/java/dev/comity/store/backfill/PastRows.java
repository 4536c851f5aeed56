package dev.comity.store.backfill;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Reads rows of {@code crawl_log} and {@code provenance}. Names become canonical here, by the same
 * reader that reads a seed. A row that cannot be read is named and left out.
 */
public final class PastRows {
  /** A longer value is no URL, and no number. */
  private static final int LONGEST = 10_000;

  /** What is read of both tables, where it is there. */
  static final List<String> COLUMNS =
      List.of(
          "domain",
          "page_url",
          "url",
          "status",
          "status_code",
          "images_found",
          "crawled_at",
          "source_domain",
          "image_id");

  /** Either has the status of the answer. */
  private static final List<String> STATUS = List.of("status", "status_code");

  private static final int PROGRESS = 10_000;

  /** Bytes that are no UTF-8 were read as this. */
  private static final char REPLACED = '\ufffd';

  /** The first site of the web is from that day: an earlier time stands for none. */
  private static final Instant FIRST_SITE = Instant.parse("1991-08-06T00:00:00Z");

  /** No crawler puts a look off for longer. */
  private static final Duration LATEST_LOOK = Duration.ofDays(3650);

  private final StagedHistory staged;
  private final Grouping grouping;
  private final LeftOutRows leftOut;
  private final LongConsumer progress;
  private final Instant now;
  private long read;

  /**
   * @param progress hears now and then how many rows were read
   * @param now a request of a later time is taken to be of this one
   */
  public PastRows(
      StagedHistory staged,
      Grouping grouping,
      LeftOutRows leftOut,
      LongConsumer progress,
      Instant now) {
    this.staged = staged;
    this.grouping = grouping;
    this.leftOut = leftOut;
    this.progress = progress;
    this.now = now;
  }

  /** Whether a table with these columns is a log. */
  static boolean isLog(Set<String> columns) {
    return STATUS.stream().anyMatch(columns::contains)
        && Stream.of("domain", "page_url", "url").anyMatch(columns::contains);
  }

  /** Whether a table with these columns says which images were kept. */
  public static boolean isProvenance(Set<String> columns) {
    return columns.contains("image_id") && columns.contains("source_domain");
  }

  public long read() {
    return read;
  }

  /** Takes a row of the log, by the names of its columns. */
  public void request(String origin, long row, Map<String, String> values) {
    count();
    try {
      Optional<CrawlUrl> url = url(values).filter(text -> !text.isBlank()).map(PastRows::read);
      String name = values.getOrDefault("domain", "");
      DomainName domain = url.isPresent() ? grouping.domainOf(url.get()) : domain(name);
      if (!name.isBlank()) {
        staged.spelling(bounded(name), domain);
      }
      visit(
          new PastVisit(
              domain,
              url,
              true,
              time(values.getOrDefault("crawled_at", "")),
              status(values),
              Math.max(0, number(values.getOrDefault("images_found", "")).orElse(0)),
              Optional.empty()));
    } catch (WrongRow wrong) {
      leftOut.add(origin, row, String.valueOf(wrong.getMessage()));
    }
  }

  /** Takes a row of the table of images. */
  public void image(String origin, long row, Map<String, String> values) {
    count();
    try {
      String image = bounded(values.getOrDefault("image_id", "")).strip();
      if (!image.isEmpty()) {
        staged.image(domain(values.getOrDefault("source_domain", "")), image);
      }
    } catch (WrongRow wrong) {
      leftOut.add(origin, row, String.valueOf(wrong.getMessage()));
    }
  }

  /** Takes a URL that another program listed; its domain follows from it. */
  public void listed(String origin, long row, String url, ListedUrl listed) {
    count();
    try {
      CrawlUrl read = read(url);
      visit(listed.visit(grouping.domainOf(read), read));
    } catch (WrongRow wrong) {
      leftOut.add(origin, row, String.valueOf(wrong.getMessage()));
    }
  }

  /** Leaves out a row that cannot be read. */
  public void unreadable(String origin, long row, String why) {
    count();
    leftOut.add(origin, row, why);
  }

  /** What is known of a listed URL. */
  @FunctionalInterface
  public interface ListedUrl {
    PastVisit visit(DomainName domain, CrawlUrl url);
  }

  /** Times that cannot be are put where they can. */
  private void visit(PastVisit visit) {
    staged.visit(
        visit.at(
            visit.at().filter(at -> at.isAfter(FIRST_SITE)).map(at -> at.isAfter(now) ? now : at),
            visit
                .due()
                .filter(due -> due.isAfter(FIRST_SITE))
                .map(due -> due.isAfter(now.plus(LATEST_LOOK)) ? now.plus(LATEST_LOOK) : due)));
  }

  private void count() {
    read++;
    if (read % PROGRESS == 0) {
      progress.accept(read);
    }
  }

  private static Optional<String> url(Map<String, String> values) {
    return Optional.ofNullable(values.get("page_url"))
        .or(() -> Optional.ofNullable(values.get("url")));
  }

  private static CrawlUrl read(String text) {
    return switch (CrawlUrl.parse(bounded(text))) {
      case CrawlUrl url -> url;
      case UrlRefusal refusal -> throw new WrongRow(refusal.message());
    };
  }

  private DomainName domain(String text) {
    if (text.isBlank()) {
      throw new WrongRow("it names neither a URL nor a domain");
    }
    return switch (DomainName.parse(bounded(text))) {
      case DomainName name ->
          grouping == Grouping.BY_REGISTRABLE_DOMAIN ? name.registrable() : name;
      case UrlRefusal refusal -> throw new WrongRow(refusal.message());
    };
  }

  private static OptionalInt status(Map<String, String> values) {
    String text =
        STATUS.stream()
            .map(values::get)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow(() -> new WrongRow("it has no status"));
    OptionalInt status = number(text);
    return status.isPresent() && status.getAsInt() > 999 ? OptionalInt.of(999) : status;
  }

  /** Whole numbers, and whole numbers that a spreadsheet wrote with a fraction. */
  private static OptionalInt number(String text) {
    String told = bounded(text).strip();
    if (told.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of((int) Double.parseDouble(told));
    } catch (NumberFormatException _) {
      throw new WrongRow("a number is needed, not " + Printable.quoted(Printable.cut(told)));
    }
  }

  private static Optional<Instant> time(String text) {
    try {
      return PastTime.read(bounded(text));
    } catch (DateTimeException _) {
      throw new WrongRow("crawled_at is " + Printable.quoted(Printable.cut(text)) + ", no time");
    }
  }

  private static String bounded(String text) {
    if (text.length() > LONGEST) {
      throw new WrongRow(
          "a value has %d characters, but the most are %d".formatted(text.length(), LONGEST));
    }
    if (text.indexOf(REPLACED) >= 0) {
      throw new WrongRow(
          "%s has bytes that are not UTF-8".formatted(Printable.quoted(Printable.cut(text))));
    }
    return text;
  }

  /** Why a row is left out. */
  private static final class WrongRow extends RuntimeException {
    private static final long serialVersionUID = 1;

    WrongRow(String why) {
      super(why, null, false, false);
    }
  }
}
