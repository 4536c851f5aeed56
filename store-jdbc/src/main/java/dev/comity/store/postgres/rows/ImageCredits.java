package dev.comity.store.postgres.rows;

import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.url.DomainName;
import dev.comity.store.image.SightingColumns;
import dev.comity.store.image.SignalTexts;
import dev.comity.store.postgres.connect.PostgresSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts images, each once for a domain whose pages show it. */
final class ImageCredits {
  private final PostgresSession tx;
  private final Set<Credit> credits = new LinkedHashSet<>();

  ImageCredits(PostgresSession tx) {
    this.tx = tx;
  }

  private record Credit(long domain, String name, long image) {}

  /** Inserts images once by content, in the order of their hashes; returns that of each URL. */
  static Map<Long, Long> insert(PostgresSession tx, Map<Long, ImageFacts> taken) {
    Map<Long, Long> images = new HashMap<>();
    if (taken.isEmpty()) {
      return images;
    }
    TreeMap<String, ImageFacts> once = new TreeMap<>();
    taken.values().forEach(facts -> once.merge(key(facts), facts, ImageCredits::keptOf));
    List<ImageFacts> list = List.copyOf(once.values());
    List<@Nullable Long> width = new ArrayList<>();
    List<@Nullable Long> height = new ArrayList<>();
    List<@Nullable Long> dhash = new ArrayList<>();
    for (ImageFacts facts : list) {
      width.add(SightingColumns.number(facts.width()));
      height.add(SightingColumns.number(facts.height()));
      dhash.add(SightingColumns.number(facts.dhash()));
    }
    Map<String, Long> ids = new HashMap<>();
    tx.sql.each(
        """
        INSERT INTO images AS i (sha256, media_type, ending, bytes, width, height, dhash, signals,
          kept, first_seen_at, last_seen_at)
        SELECT u.*, ?, ? FROM unnest(?::bytea[], ?::text[], ?::text[], ?::bigint[], ?::int[],
          ?::int[], ?::bigint[], ?::text[], ?::int[]) AS u ORDER BY 1
        ON CONFLICT (sha256) DO UPDATE SET last_seen_at = excluded.last_seen_at,
          kept = greatest(i.kept, excluded.kept), dhash = coalesce(i.dhash, excluded.dhash)
        RETURNING encode(sha256, 'hex'), id
        """,
        row -> ids.put(row.getString(1), row.getLong(2)),
        tx.now(),
        tx.now(),
        tx.bytes(list.stream().map(facts -> facts.sha256().bytes()).toList()),
        tx.texts(list.stream().map(ImageFacts::mediaType).toList()),
        tx.texts(list.stream().map(ImageFacts::ending).toList()),
        tx.numbers(list.stream().map(ImageFacts::bytes).toList()),
        tx.numbers(width),
        tx.numbers(height),
        tx.numbers(dhash),
        tx.texts(signals(list)),
        tx.numbers(list.stream().map(facts -> facts.kept() ? 1 : 0).toList()));
    taken.forEach((url, facts) -> images.put(url, ids.getOrDefault(key(facts), 0L)));
    return images;
  }

  private static List<@Nullable String> signals(List<ImageFacts> list) {
    List<@Nullable String> signals = new ArrayList<>();
    list.forEach(facts -> signals.add(SignalTexts.json(facts.wishes())));
    return signals;
  }

  private static String key(ImageFacts facts) {
    return HexFormat.of().formatHex(facts.sha256().bytes());
  }

  private static ImageFacts keptOf(ImageFacts one, ImageFacts other) {
    return one.kept() ? one : other;
  }

  /** Pages of this domain show the image. */
  void add(long domain, DomainName name, long image) {
    credits.add(new Credit(domain, name.name(), image));
  }

  /** The pages that have shown these entries show these images. */
  void ofSightings(Map<Long, Long> images) {
    if (images.isEmpty()) {
      return;
    }
    tx.sql.each(
        """
        SELECT DISTINCT d.id, d.domain, u.image FROM unnest(?::bigint[], ?::bigint[])
          AS u(url, image)
        JOIN provenance p ON p.url_id = u.url AND p.image_id IS DISTINCT FROM u.image
        JOIN domains d ON d.domain = p.source_domain
        """,
        row -> credits.add(new Credit(row.getLong(1), row.getString(2), row.getLong(3))),
        tx.longs(images.keySet()),
        tx.longs(images.values()));
  }

  /**
   * Inserts credits for images that their domains have not shown before. Only for those are images
   * locked: a badge that all sites show would make all workers wait for each other.
   */
  void write() {
    List<Credit> first = unseen(credits);
    if (first.isEmpty()) {
      return;
    }
    tx.sql.each(
        "SELECT id FROM images WHERE id = ANY (?) ORDER BY sha256 FOR NO KEY UPDATE",
        _ -> {},
        tx.longs(first.stream().map(Credit::image).distinct().toList()));
    List<Credit> still = unseen(first);
    if (!still.isEmpty()) {
      tx.sql.update(
          "INSERT INTO credits (domain_id, images_found, images_stored)"
              + " SELECT u.id, 0, count(*) FROM unnest(?::bigint[]) AS u(id) GROUP BY u.id",
          tx.longs(still.stream().map(Credit::domain).toList()));
    }
  }

  private List<Credit> unseen(Collection<Credit> some) {
    List<Credit> list = List.copyOf(some);
    List<Credit> unseen = new ArrayList<>();
    if (!list.isEmpty()) {
      tx.sql.each(
          """
          SELECT u.n FROM unnest(?::text[], ?::bigint[]) WITH ORDINALITY AS u(name, image, n)
          WHERE NOT EXISTS (SELECT 1 FROM provenance p
            WHERE p.image_id = u.image AND p.source_domain = u.name)
          """,
          row -> unseen.add(list.get(row.getInt(1) - 1)),
          tx.texts(list.stream().map(Credit::name).toList()),
          tx.longs(list.stream().map(Credit::image).toList()));
    }
    return unseen;
  }
}
