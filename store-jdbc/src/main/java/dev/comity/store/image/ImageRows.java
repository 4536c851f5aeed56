package dev.comity.store.image;

import dev.comity.core.outcome.Kind;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes images and their sightings, in the transaction of the settlement that brings them. A
 * sighting has its image once the image is settled, whichever comes first. Images count for the
 * domains whose pages show them; those domains add the credits to their counters themselves. Runs
 * in the writer's thread.
 */
public final class ImageRows {
  /** Redirects that are followed from one image. */
  private static final int MOST_MOVES = 5;

  /** The frontier's code of an image, and its state of a URL that is skipped by its ending. */
  private static final int IMAGE = 3;

  private static final int SKIPPED = 6;

  private static final String SIGHT =
      "INSERT INTO provenance (image_id, image_url, image_key, url_id, page_url_id, source_domain, "
          + SightingColumns.NAMES
          + """
          , first_seen_at, last_seen_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (page_url_id, image_key) WHERE page_url_id IS NOT NULL DO UPDATE SET
            last_seen_at = excluded.last_seen_at, url_id = coalesce(excluded.url_id, url_id),
            image_id = coalesce(excluded.image_id, image_id), signals = excluded.signals
          """;

  private final Statements sql;
  private final Function<CrawlUrl, @Nullable Long> rows;
  private final ToLongFunction<CrawlUrl> keys;
  private final Set<List<Long>> hosts = new HashSet<>();
  private final Set<Long> waking = new LinkedHashSet<>();

  /**
   * @param rows finds the row id of a known URL; null for an unknown one
   */
  public ImageRows(
      Statements sql, Function<CrawlUrl, @Nullable Long> rows, ToLongFunction<CrawlUrl> keys) {
    this.sql = sql;
    this.rows = rows;
    this.keys = keys;
  }

  /** Adds the credits of a domain to its counters. */
  public static void fold(Statements sql, long domain) {
    long stored =
        sql.number(
            "SELECT coalesce(sum(images_stored), 0) FROM credits WHERE domain_id = ?", domain);
    if (stored > 0) {
      sql.update(
          "UPDATE domains SET images_stored = images_stored + ?, version = version + 1"
              + " WHERE id = ?",
          stored,
          domain);
      sql.update("DELETE FROM credits WHERE domain_id = ?", domain);
    }
  }

  /** An entry of the frontier. */
  private record Entry(long id, long domain, int kind, int state, OptionalLong image) {
    boolean isQueued() {
      return kind == IMAGE && state == 0;
    }
  }

  /**
   * Writes what a settlement says of images, after the URLs it found were added.
   *
   * @param run the run that asks for them
   * @param id the row of the settled URL
   */
  public void settled(
      long run, long domain, DomainName source, long id, Settlement settlement, long now) {
    String name = source.name();
    if (!settlement.images().sightings().isEmpty() && settlement.isPage()) {
      sighted(run, domain, name, id, settlement, now);
    }
    if (settlement.entry().kind() != Kind.IMAGE || settlement.attempt().isEmpty()) {
      return;
    }
    if (settlement.entry().referrer().isEmpty()) {
      list(id, name, settlement.entry().url(), now);
    }
    settlement.images().taken().ifPresent(image -> taken(id, image, now));
    if (settlement.location().isPresent()) {
      settlement.found().forEach(target -> moved(run, id, target));
    }
  }

  private void sighted(
      long run, long domain, String name, long page, Settlement settlement, long now) {
    boolean isRefresh = sql.exists("SELECT 1 FROM crawl_runs WHERE id = ? AND refresh = 1", run);
    Set<CrawlUrl> asked = new HashSet<>();
    for (QueuedUrl found : settlement.found()) {
      if (found.kind() == Kind.IMAGE) {
        asked.add(found.url());
      }
    }
    for (ImageSighting one : settlement.images().sightings()) {
      Optional<Entry> entry = asked.contains(one.url()) ? entry(run, one.url()) : Optional.empty();
      OptionalLong image = entry.map(Entry::image).orElse(OptionalLong.empty());
      if (image.isPresent()) {
        credit(domain, name, image.getAsLong());
      }
      sql.update(
          SIGHT,
          StateColumns.and(
              new @Nullable Object[] {
                SightingColumns.number(image),
                one.url().toString(),
                keys.applyAsLong(one.url()),
                entry.map(Entry::id).orElse(null),
                page,
                name
              },
              StateColumns.and(SightingColumns.of(one, settlement, isRefresh), now, now)));
    }
  }

  /** The entry that answers for an image URL: its own, or that of its redirects' end. */
  private Optional<Entry> entry(long run, CrawlUrl url) {
    Long id = rows.apply(url);
    for (int move = 0; id != null && move < MOST_MOVES; move++) {
      Optional<Long> next =
          sql.first("SELECT to_id FROM image_moves WHERE from_id = ?", row -> row.getLong(1), id);
      if (next.isEmpty()) {
        break;
      }
      id = next.get();
    }
    return id == null ? Optional.empty() : read(id).map(entry -> queued(run, entry));
  }

  private Optional<Entry> read(long id) {
    return sql.first(
        """
        SELECT f.id, f.domain_id, f.kind, f.state, i.id FROM domain_frontier f
        LEFT JOIN images i ON i.sha256 = f.content_hash AND f.kind = 3 AND f.state = 1
        WHERE f.id = ?
        """,
        row ->
            new Entry(
                row.getLong(1),
                row.getLong(2),
                row.getInt(3),
                row.getInt(4),
                row.optionalNumber(5)),
        id);
  }

  /**
   * The run asks the entry's domain for images. A URL that a crawl without images skipped by its
   * ending is queued as an image.
   */
  private Entry queued(long run, Entry entry) {
    boolean skipped = entry.kind() == 0 && entry.state() == SKIPPED;
    if (skipped
        && sql.update(
                "UPDATE domain_frontier SET state = 0, kind = 3 WHERE id = ? AND state = 6"
                    + " AND asked = 0",
                entry.id())
            == 1) {
      sql.update(
          "INSERT INTO arrivals (domain_id, discovered, over_cap, skipped) VALUES (?, 1, 0, -1)",
          entry.domain());
      waking.add(entry.domain());
    }
    if (skipped || entry.isQueued()) {
      ask(run, entry.domain());
    }
    return entry;
  }

  private void ask(long run, long domain) {
    if (hosts.add(List.of(run, domain))) {
      sql.update(
          "INSERT INTO crawl_run_image_hosts (run_id, domain_id) VALUES (?, ?)"
              + " ON CONFLICT DO NOTHING",
          run,
          domain);
    }
    waking.add(domain);
  }

  /**
   * Makes domains claimable whose images are asked for, after all settlements of a group.
   *
   * @param wake makes a domain claimable whose pages are not spent
   */
  public void wake(LongConsumer wake) {
    for (long domain : waking) {
      wake.accept(domain);
      sql.update(
          "UPDATE domains SET claimable_at ="
              + Readiness.SQL
              + ", version = version + 1 WHERE id = ? AND claimed_by IS NULL"
              + " AND claimable_at IS NULL AND spent_run_id IS NOT NULL",
          domain);
    }
    waking.clear();
  }

  /** An image that no page showed has a sighting, too. */
  private void list(long id, String name, CrawlUrl url, long now) {
    if (!sql.exists("SELECT 1 FROM provenance WHERE url_id = ? AND found_in = 'list'", id)) {
      sql.update(
          """
          INSERT INTO provenance (image_url, image_key, url_id, source_domain, found_in,
            discovery_type, first_seen_at, last_seen_at)
          VALUES (?, ?, ?, ?, 'list', 'list', ?, ?)
          """,
          url.toString(),
          keys.applyAsLong(url),
          id,
          name,
          now,
          now);
    }
  }

  /**
   * Keeps what a list says of an image, before it is asked. Of several captions the last counts.
   *
   * @param name the domain of its URL
   */
  public void listed(long run, String name, CrawlUrl url, String caption, long now) {
    Optional<Entry> entry = entry(run, url);
    if (entry.isEmpty()) {
      return;
    }
    list(entry.get().id(), name, url, now);
    entry.get().image().ifPresent(image -> credit(entry.get().domain(), name, image));
    sql.update(
        "UPDATE provenance SET caption = ?, image_id = coalesce(?, image_id)"
            + " WHERE url_id = ? AND found_in = 'list'",
        SightingColumns.text(caption),
        SightingColumns.number(entry.get().image()),
        entry.get().id());
  }

  private void taken(long id, ImageFacts facts, long now) {
    long image =
        sql.first(
                """
                INSERT INTO images (sha256, media_type, ending, bytes, width, height, dhash,
                  signals, kept, first_seen_at, last_seen_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (sha256) DO UPDATE SET last_seen_at = excluded.last_seen_at,
                  kept = max(kept, excluded.kept), dhash = coalesce(dhash, excluded.dhash)
                RETURNING id
                """,
                row -> row.getLong(1),
                facts.sha256().bytes(),
                facts.mediaType(),
                facts.ending(),
                facts.bytes(),
                SightingColumns.number(facts.width()),
                SightingColumns.number(facts.height()),
                SightingColumns.number(facts.dhash()),
                SignalTexts.json(facts.wishes()),
                facts.kept() ? 1 : 0,
                now,
                now)
            .orElseThrow();
    give(id, image);
  }

  /** The sightings of this entry have this image; it counts once for each of their domains. */
  private void give(long id, long image) {
    record Source(long id, String name) {}
    List<Source> sources =
        sql.list(
            """
            SELECT d.id, d.domain FROM domains d WHERE d.domain IN (
              SELECT source_domain FROM provenance WHERE url_id = ? AND image_id IS NOT ?)
            """,
            row -> new Source(row.getLong(1), row.getString(2)),
            id,
            image);
    sources.forEach(source -> credit(source.id(), source.name(), image));
    sql.update(
        "UPDATE provenance SET image_id = ?1 WHERE url_id = ?2 AND image_id IS NOT ?1", image, id);
  }

  private void credit(long domain, String name, long image) {
    if (!sql.exists(
        "SELECT 1 FROM provenance WHERE image_id = ? AND source_domain = ?", image, name)) {
      sql.update(
          "INSERT INTO credits (domain_id, images_found, images_stored) VALUES (?, 0, 1)", domain);
    }
  }

  /** The redirect of an image leads to another entry, which answers for its sightings. */
  private void moved(long run, long from, QueuedUrl target) {
    Optional<Entry> to = entry(run, target.url()).filter(entry -> entry.id() != from);
    if (to.isEmpty()) {
      return;
    }
    sql.update(
        "INSERT INTO image_moves (from_id, to_id) VALUES (?, ?)"
            + " ON CONFLICT (from_id) DO UPDATE SET to_id = excluded.to_id",
        from,
        to.get().id());
    sql.update("UPDATE provenance SET url_id = ? WHERE url_id = ?", to.get().id(), from);
    if (to.get().image().isPresent()) {
      give(to.get().id(), to.get().image().getAsLong());
    }
  }

  /** A transaction was undone. */
  public void rolledBack() {
    hosts.clear();
    waking.clear();
  }

  /** A page is as it was: its images are still there. */
  public void seenAgain(long page, long now) {
    sql.update("UPDATE provenance SET last_seen_at = ? WHERE page_url_id = ?", now, page);
    sql.update(
        """
        UPDATE images SET last_seen_at = ? WHERE id IN
          (SELECT image_id FROM provenance WHERE page_url_id = ? AND image_id IS NOT NULL)
        """,
        now,
        page);
  }
}
