package dev.comity.store.postgres.rows;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.image.SightingColumns;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.sql.StateColumns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the images of a group and their sightings, set by set. A sighting has its image once the
 * image is settled, whichever comes first and whichever worker writes it: sightings lock the rows
 * of image URLs that are not settled. Images count for the domains whose pages show them, by
 * credits that only the holders of those domains fold.
 *
 * @param naming the domain of a URL
 * @param isRefresh whether the run is a refresh
 */
public record SightedImages(Function<CrawlUrl, DomainName> naming, BooleanSupplier isRefresh) {
  private static final String SIGHT =
      "INSERT INTO provenance AS p (image_id, image_url, image_key, url_id, page_url_id,"
          + " source_domain, first_seen_at, last_seen_at, "
          + SightingColumns.NAMES
          + """
          )
          SELECT u.image_id, u.image_url, u.image_key, u.url_id, u.page, u.source, u.at, u.at,
            u.found_in, u.descriptor, u.alt, u.title, u.caption, u.text_before, u.text_after,
            u.width, u.height, u.link_target, u.license_url, u.credit, u.lang, u.page_title,
            u.signals, u.type
          FROM unnest(?::bigint[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[],
              ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
              ?::text[], ?::int[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
              ?::text[], ?::text[])
            AS u(image_id, image_url, image_key, url_id, page, source, at, found_in, descriptor, alt,
              title, caption, text_before, text_after, width, height, link_target, license_url,
              credit, lang, page_title, signals, type)
          ON CONFLICT (page_url_id, image_key) WHERE page_url_id IS NOT NULL DO UPDATE SET
            last_seen_at = excluded.last_seen_at, url_id = coalesce(excluded.url_id, p.url_id),
            image_id = coalesce(excluded.image_id, p.image_id), signals = excluded.signals
          """;

  /** Where width and height stand among the values of a sighting. */
  private static final Set<Integer> NUMBERS = Set.of(0, 2, 3, 4, 6, 14, 15);

  /**
   * A settled URL that says something of images.
   *
   * @param domain the row of its domain
   * @param url its own row
   */
  public record ImageNews(long domain, DomainName name, long url, Settlement settlement) {
    /** Whether anything is to be written of it. */
    public boolean isAny() {
      return (!settlement.images().sightings().isEmpty() && settlement.isPage()) || isAskedImage();
    }

    private boolean isAskedImage() {
      return settlement.entry().kind() == Kind.IMAGE && settlement.attempt().isPresent();
    }
  }

  /** Writes what a group says of images, after the URLs that it found were added. */
  public void write(PostgresSession tx, long run, List<ImageNews> news) {
    if (news.isEmpty()) {
      return;
    }
    List<ImageNews> pages = new ArrayList<>();
    List<ImageNews> asked = new ArrayList<>();
    for (ImageNews one : news) {
      (one.isAskedImage() ? asked : pages).add(one);
    }
    Map<Long, Long> settled = taken(tx, asked);
    list(tx, asked);
    Map<CrawlUrl, ImageEntries.ImageEntry> entries = new ImageEntries(tx, naming).of(wanted(news));
    ImageEntries.ask(tx, run, entries.values());
    settled.putAll(moved(tx, asked, entries));
    ImageCredits credits = new ImageCredits(tx);
    List<@Nullable Object[]> sightings = sightings(tx.now(), pages, entries, credits);
    credits.ofSightings(settled);
    credits.write();
    if (!sightings.isEmpty()) {
      tx.sql.update(SIGHT, columns(tx, sightings));
    }
    give(tx, settled);
  }

  /** The URLs whose entries answer for images: those asked for, and targets of redirects. */
  private static Set<CrawlUrl> wanted(List<ImageNews> news) {
    Set<CrawlUrl> wanted = new HashSet<>();
    for (ImageNews one : news) {
      boolean moved = one.isAskedImage() && one.settlement().location().isPresent();
      for (QueuedUrl found : one.settlement().found()) {
        if (moved || found.kind() == Kind.IMAGE) {
          wanted.add(found.url());
        }
      }
    }
    return wanted;
  }

  /** Inserts images once by content; returns the image of each URL. */
  private static Map<Long, Long> taken(PostgresSession tx, List<ImageNews> asked) {
    Map<Long, ImageFacts> facts = new LinkedHashMap<>();
    asked.forEach(
        one -> one.settlement().images().taken().ifPresent(image -> facts.put(one.url(), image)));
    return ImageCredits.insert(tx, facts);
  }

  /** An image that no page showed has a sighting, too. */
  private static void list(PostgresSession tx, List<ImageNews> asked) {
    for (ImageNews one : asked) {
      if (one.settlement().entry().referrer().isEmpty()) {
        list(tx, one.url(), one.name(), one.settlement().entry().url());
      }
    }
  }

  private static void list(PostgresSession tx, long id, DomainName domain, CrawlUrl url) {
    tx.sql.update(
        """
        INSERT INTO provenance (image_url, image_key, url_id, source_domain, found_in,
          discovery_type, first_seen_at, last_seen_at)
        SELECT ?, ?, u.id, ?, 'list', 'list', ?, ? FROM (SELECT ?::bigint AS id) u
        WHERE NOT EXISTS (SELECT 1 FROM provenance p WHERE p.url_id = u.id AND p.found_in = 'list')
        """,
        url.toString(),
        UrlHash.of(url).getMostSignificantBits(),
        domain.name(),
        tx.now(),
        tx.now(),
        id);
  }

  /** Keeps what lists say of images, before they are asked. Of several captions the last counts. */
  public void describe(PostgresSession tx, long run, Map<CrawlUrl, String> captions) {
    Map<CrawlUrl, ImageEntries.ImageEntry> entries =
        new ImageEntries(tx, naming).of(captions.keySet());
    ImageEntries.ask(tx, run, entries.values());
    ImageCredits credits = new ImageCredits(tx);
    entries.forEach(
        (url, entry) ->
            entry
                .image()
                .ifPresent(image -> credits.add(entry.domain(), naming.apply(url), image)));
    credits.write();
    entries.forEach(
        (url, entry) -> {
          list(tx, entry.id(), naming.apply(url), url);
          tx.sql.update(
              "UPDATE provenance SET caption = ?, image_id = coalesce(?, image_id)"
                  + " WHERE url_id = ? AND found_in = 'list'",
              SightingColumns.text(captions.getOrDefault(url, "")),
              SightingColumns.number(entry.image()),
              entry.id());
        });
  }

  /** Redirects of images lead to other entries; returns the images that those have already. */
  private static Map<Long, Long> moved(
      PostgresSession tx, List<ImageNews> asked, Map<CrawlUrl, ImageEntries.ImageEntry> entries) {
    Map<Long, Long> images = new HashMap<>();
    for (ImageNews one : asked) {
      if (one.settlement().location().isEmpty()) {
        continue;
      }
      for (QueuedUrl target : one.settlement().found()) {
        Optional<ImageEntries.ImageEntry> to =
            Optional.ofNullable(entries.get(target.url())).filter(entry -> entry.id() != one.url());
        if (to.isPresent()) {
          tx.sql.update(
              "INSERT INTO image_moves (from_id, to_id) VALUES (?, ?)"
                  + " ON CONFLICT (from_id) DO UPDATE SET to_id = excluded.to_id",
              one.url(),
              to.get().id());
          tx.sql.update(
              "UPDATE provenance SET url_id = ? WHERE url_id = ?", to.get().id(), one.url());
          to.get().image().ifPresent(image -> images.put(to.get().id(), image));
        }
      }
    }
    return images;
  }

  /** Each page and image URL on it once. */
  private List<@Nullable Object[]> sightings(
      long now,
      List<ImageNews> pages,
      Map<CrawlUrl, ImageEntries.ImageEntry> entries,
      ImageCredits credits) {
    record Place(long page, CrawlUrl image) {}
    Map<Place, @Nullable Object[]> rows = new LinkedHashMap<>();
    for (ImageNews one : pages) {
      Set<CrawlUrl> asked = new HashSet<>();
      for (QueuedUrl found : one.settlement().found()) {
        if (found.kind() == Kind.IMAGE) {
          asked.add(found.url());
        }
      }
      for (ImageSighting sighting : one.settlement().images().sightings()) {
        Optional<ImageEntries.ImageEntry> entry =
            asked.contains(sighting.url())
                ? Optional.ofNullable(entries.get(sighting.url()))
                : Optional.empty();
        @Nullable Long image =
            entry.map(ImageEntries.ImageEntry::image).map(SightingColumns::number).orElse(null);
        if (image != null) {
          credits.add(one.domain(), one.name(), image);
        }
        rows.putIfAbsent(
            new Place(one.url(), sighting.url()),
            StateColumns.and(
                new @Nullable Object[] {
                  image,
                  sighting.url().toString(),
                  UrlHash.of(sighting.url()).getMostSignificantBits(),
                  entry.map(ImageEntries.ImageEntry::id).orElse(null),
                  one.url(),
                  one.name().name(),
                  now
                },
                SightingColumns.of(sighting, one.settlement(), isRefresh.getAsBoolean())));
      }
    }
    return List.copyOf(rows.values());
  }

  private static @Nullable Object[] columns(PostgresSession tx, List<@Nullable Object[]> rows) {
    @Nullable Object[] columns = new @Nullable Object[rows.getFirst().length];
    for (int column = 0; column < columns.length; column++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (@Nullable Object[] row : rows) {
        values.add(row[column]);
      }
      columns[column] = NUMBERS.contains(column) ? tx.numbers(values) : tx.texts(values);
    }
    return columns;
  }

  /** The sightings of these entries have these images. */
  private static void give(PostgresSession tx, Map<Long, Long> images) {
    if (!images.isEmpty()) {
      tx.sql.update(
          """
          UPDATE provenance p SET image_id = u.image FROM unnest(?::bigint[], ?::bigint[])
            AS u(url, image) WHERE p.url_id = u.url AND p.image_id IS DISTINCT FROM u.image
          """,
          tx.longs(images.keySet()),
          tx.longs(images.values()));
    }
  }

  /** Pages are as they were: their images are still there. Those that are locked are seen, too. */
  public static void seenAgain(PostgresSession tx, List<Long> pages) {
    if (pages.isEmpty()) {
      return;
    }
    tx.sql.update(
        """
        WITH seen AS (UPDATE provenance SET last_seen_at = ? WHERE page_url_id = ANY (?)
            RETURNING image_id),
          shown AS (SELECT i.id FROM images i WHERE i.id IN (SELECT image_id FROM seen)
            FOR NO KEY UPDATE SKIP LOCKED)
        UPDATE images SET last_seen_at = greatest(last_seen_at, ?) FROM shown
        WHERE images.id = shown.id
        """,
        tx.now(),
        tx.longs(pages),
        tx.now());
  }
}
