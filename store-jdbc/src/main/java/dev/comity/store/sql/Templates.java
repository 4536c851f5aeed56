package dev.comity.store.sql;

import dev.comity.core.trap.TemplateSketch;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapReason;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows that say what is known of a domain's templates. */
public final class Templates {
  private static final String BY_DOMAIN =
      "SELECT t.* FROM url_templates t JOIN domains d ON d.id = t.domain_id"
          + " WHERE d.domain = ? ORDER BY t.template";

  private Templates() {}

  public static void write(Statements sql, long domain, TemplateStats stats) {
    Optional<TemplateStats.Suppression> suppressed = stats.suppressed();
    sql.update(
        """
        INSERT INTO url_templates (domain_id, template, pages, barren, left_out, suppressed_since,
          reason, lifted, found_on, memory)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (domain_id, template) DO UPDATE SET pages = excluded.pages,
          barren = excluded.barren, left_out = excluded.left_out,
          suppressed_since = excluded.suppressed_since, reason = excluded.reason,
          lifted = excluded.lifted, found_on = excluded.found_on, memory = excluded.memory
        """,
        domain,
        stats.template(),
        stats.pages(),
        stats.barren(),
        stats.leftOut(),
        suppressed.map(one -> one.since().toEpochMilli()).orElse(null),
        suppressed.map(one -> one.reason().code()).orElse(null),
        stats.lifted() ? 1 : 0,
        stats.foundOn(),
        bytes(stats.sketch().written()));
  }

  public static Stored<List<TemplateStats>> of(Statements sql, String domain) {
    return Stored.of(
        "what is known of its templates cannot be read",
        () -> sql.list(BY_DOMAIN, Templates::read, domain));
  }

  /** Those that can be read. */
  public static List<TemplateStats> readable(Statements sql, String domain) {
    return sql.list(BY_DOMAIN, row -> Stored.of("", () -> read(row)).value(), domain).stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /** Forgets those that cannot be read. */
  public static void mend(Statements sql, String domain) {
    List<String> broken =
        sql
            .list(
                BY_DOMAIN,
                row ->
                    Stored.of("", () -> read(row)).value().isPresent()
                        ? Optional.<String>empty()
                        : Optional.of(row.text("template")),
                domain)
            .stream()
            .flatMap(Optional::stream)
            .toList();
    for (String template : broken) {
      sql.update(
          "DELETE FROM url_templates WHERE template = ? AND domain_id ="
              + " (SELECT id FROM domains WHERE domain = ?)",
          template,
          domain);
    }
  }

  private static TemplateStats read(ResultRow row) {
    return new TemplateStats(
        row.text("template"),
        row.number("pages"),
        (int) row.number("barren"),
        row.number("left_out"),
        row.optionalTime("suppressed_since").map(since -> suppression(row, since)),
        row.isSet("lifted"),
        row.number("found_on"),
        TemplateSketch.read(row.optionalBytes("memory").map(Templates::longs).orElse(new long[0])));
  }

  private static TemplateStats.Suppression suppression(ResultRow row, Instant since) {
    return new TemplateStats.Suppression(since, TrapReason.of(row.text("reason")));
  }

  private static byte[] bytes(long[] longs) {
    ByteBuffer buffer = ByteBuffer.allocate(longs.length * Long.BYTES);
    buffer.asLongBuffer().put(longs);
    return buffer.array();
  }

  private static long[] longs(byte[] bytes) {
    LongBuffer buffer = ByteBuffer.wrap(bytes).asLongBuffer();
    long[] longs = new long[buffer.remaining()];
    buffer.get(longs);
    return longs;
  }
}
