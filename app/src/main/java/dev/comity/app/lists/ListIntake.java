package dev.comity.app.lists;

import dev.comity.app.seeds.SeedOrigin;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedIntake;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Queues the URLs of a list in batches. Taken in again after a kill, URLs that are known change
 * nothing. Only the names of hosts are kept in memory.
 */
public final class ListIntake {
  /** The column of a list without a header. */
  static final String URL = "url";

  /** The usual columns of captions, in img2dataset's examples and in LAION's lists. */
  private static final List<String> CAPTIONS = List.of("caption", "text");

  /** As much as is kept of a page's words about an image. */
  private static final int LONGEST_CAPTION = 500;

  private static final int BATCH = 1_000;
  private static final int MOST_COMPLAINTS = 5;

  private final Path list;
  private final String origin;
  private final Optional<String> column;
  private final Optional<String> captionColumn;
  private final boolean images;
  private final Grouping grouping;
  private final Consumer<Authority> newAuthority;
  private final Set<DomainName> domains = new HashSet<>();
  private final Set<Authority> authorities = new HashSet<>();
  private final List<String> complaints = new ArrayList<>();
  private final List<QueuedUrl> batch = new ArrayList<>(BATCH);
  private final Map<CrawlUrl, String> captions = new LinkedHashMap<>();
  private long urls;
  private long entered;
  private long bad;

  /**
   * @param column the name of the column with the URLs; by default {@code url} in any case
   * @param captionColumn the name of the column with captions of images; by default {@code caption}
   *     or {@code text} in any case
   * @param images whether the URLs are images, and not pages
   * @param newAuthority hears of each scheme, host and port before its first URL is queued
   */
  public ListIntake(
      Path list,
      Optional<String> column,
      Optional<String> captionColumn,
      boolean images,
      Grouping grouping,
      Consumer<Authority> newAuthority) {
    this.list = list;
    origin = SeedOrigin.file(list.toString());
    this.column = column;
    this.captionColumn = captionColumn;
    this.images = images;
    this.grouping = grouping;
    this.newAuthority = newAuthority;
  }

  /**
   * Takes in the whole list.
   *
   * @throws WrongSetting if it has no such column or no URL
   */
  public void take(SeedIntake store, Instant now) {
    try {
      ListFormat.of(list)
          .reader()
          .read(
              list,
              (number, row) -> {
                Optional<Seed> seed = seed(number, row);
                seed.ifPresent(one -> add(one, row));
                if (batch.size() == BATCH) {
                  pass(store, now);
                }
              });
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the list " + list + " cannot be read", unreadable);
    }
    pass(store, now);
    if (urls == 0) {
      throw new WrongSetting("the list %s has no URL".formatted(list));
    }
  }

  private Optional<Seed> seed(long number, Map<String, String> row) {
    Optional<String> text = value(number, row).filter(value -> !value.isBlank());
    if (text.isEmpty()) {
      return complain(number, "no URL");
    }
    if (text.get().indexOf('\ufffd') >= 0) {
      return complain(number, "it has bytes that are not UTF-8");
    }
    return switch (Seed.parse(text.get().strip())) {
      case Seed seed -> Optional.of(seed);
      case UrlRefusal refusal -> complain(number, refusal.message());
    };
  }

  private Optional<String> value(long number, Map<String, String> row) {
    Optional<String> name =
        column.or(() -> row.keySet().stream().filter(URL::equalsIgnoreCase).findFirst());
    if (number <= 2 && !row.isEmpty() && name.filter(row::containsKey).isEmpty()) {
      throw new WrongSetting(
          "the list has no column %s, but %s; name it with --url-column"
              .formatted(
                  Printable.text(column.orElse(URL)),
                  Printable.text(Printable.cut(String.join(", ", row.keySet())))));
    }
    return name.map(row::get);
  }

  /** What the list says of an image, in one line and no longer than a page's words. */
  private Optional<String> caption(Map<String, String> row) {
    Optional<String> name =
        captionColumn.or(
            () ->
                CAPTIONS.stream()
                    .flatMap(usual -> row.keySet().stream().filter(usual::equalsIgnoreCase))
                    .findFirst());
    if (captionColumn.isPresent() && !row.containsKey(captionColumn.get())) {
      throw new WrongSetting(
          "the list has no column %s, but %s; name it with --caption-column"
              .formatted(
                  Printable.text(captionColumn.get()),
                  Printable.text(Printable.cut(String.join(", ", row.keySet())))));
    }
    return name.map(row::get)
        .map(text -> text.replaceAll("\\s+", " ").strip())
        .filter(text -> !text.isEmpty())
        .map(text -> text.length() <= LONGEST_CAPTION ? text : text.substring(0, LONGEST_CAPTION));
  }

  private Optional<Seed> complain(long number, String why) {
    bad++;
    if (complaints.size() < MOST_COMPLAINTS) {
      complaints.add("%s, row %d: %s".formatted(list.getFileName(), number, why));
    }
    return Optional.empty();
  }

  private void add(Seed seed, Map<String, String> row) {
    urls++;
    if (images) {
      caption(row).ifPresent(caption -> captions.put(seed.url(), caption));
    }
    domains.add(grouping.domainOf(seed.url()));
    if (authorities.add(seed.url().authority())) {
      newAuthority.accept(seed.url().authority());
    }
    batch.add(
        images ? QueuedUrl.seedImage(seed.url()) : QueuedUrl.seed(seed.url(), seed.fallback()));
  }

  private void pass(SeedIntake store, Instant now) {
    if (!batch.isEmpty()) {
      entered += store.add(List.copyOf(batch), now);
      if (!captions.isEmpty()) {
        store.describe(captions, now);
      }
      Map<DomainName, String> origins = new HashMap<>();
      batch.forEach(entry -> origins.put(grouping.domainOf(entry.url()), origin));
      store.keepOrigins(origins);
      batch.clear();
      captions.clear();
    }
  }

  /** The domains of its URLs. */
  public Set<DomainName> domains() {
    return domains;
  }

  /** The schemes, hosts and ports of its URLs. */
  public Set<Authority> authorities() {
    return authorities;
  }

  /** Whether some rows have no URL. */
  public boolean hasBadRows() {
    return bad > 0;
  }

  /** What is wrong with the first rows that have no URL. */
  public List<String> complaints() {
    return complaints;
  }

  /** {@code pages.csv: 20000 URLs on 200 domains, 20000 of them new, 3 rows without one}. */
  public String words() {
    return "%s: %d URLs on %d domains, %d of them new%s"
        .formatted(
            Printable.text(String.valueOf(list.getFileName())),
            urls,
            domains.size(),
            entered,
            bad == 0 ? "" : ", " + bad + " rows without one");
  }
}
