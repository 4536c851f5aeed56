package dev.comity.store.postgres;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.NextLook;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.crawl.FrontierCodes.FateCode;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.refresh.VisitColumns;
import dev.comity.store.sql.StateColumns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes the rows of settled URLs, those of a whole group with one statement. */
final class SettledUrls {
  /** The values of {@link VisitColumns#of}. */
  private static final int VISIT = 8;

  private static final int RETRIED = 0;
  private static final int LINKED = 1;
  private static final int DATED = 2;
  private static final int FINISHED = 3;

  /** A page that was asked for its links keeps the date that it had, or gets the usual one. */
  private static final String MOVE =
      """
      UPDATE domain_frontier AS f SET state = u.state,
        due_at = CASE u.how WHEN 1 THEN (f.visited_at::bigint + 1209600) * 1000 ELSE u.due_at END,
        asked = f.asked + u.asks, tries_spent = f.tries_spent + u.tries, place = f.place + u.later,
        kind = CASE u.how WHEN 1 THEN 0 ELSE f.kind END,
        visited_at = CASE u.how WHEN 2 THEN u.visited_at ELSE f.visited_at END,
        fingerprint = CASE u.how WHEN 2 THEN u.fingerprint ELSE f.fingerprint END,
        changes = CASE u.how WHEN 2 THEN u.changes ELSE f.changes END,
        missing_since = CASE u.how WHEN 2 THEN u.missing_since ELSE f.missing_since END,
        etag = CASE u.how WHEN 2 THEN u.etag ELSE f.etag END,
        last_modified = CASE u.how WHEN 2 THEN u.last_modified ELSE f.last_modified END,
        due_why = CASE u.how WHEN 2 THEN u.due_why ELSE f.due_why END,
        hint = CASE u.how WHEN 2 THEN NULL ELSE f.hint END,
        content_hash = CASE u.how WHEN 3 THEN u.content_hash ELSE f.content_hash END
      FROM unnest(?::bigint[], ?::bigint[], ?::int[], ?::int[], ?::int[], ?::int[], ?::int[],
          ?::int[], ?::bytea[], ?::bigint[], ?::int[], ?::bigint[], ?::bigint[], ?::int[],
          ?::text[], ?::text[], ?::smallint[])
        AS u(domain_id, id, before, how, state, asks, tries, later, content_hash, due_at,
          visited_at, fingerprint, changes, missing_since, etag, last_modified, due_why)
      WHERE f.domain_id = u.domain_id AND f.id = u.id AND f.state = 0 AND f.asked = u.before
      RETURNING f.id
      """;

  private SettledUrls() {}

  /** A settlement, the id of its domain, and when its URL is looked at again. */
  record Member(long domain, Settling settling, Optional<NextLook> look) {
    Settlement settlement() {
      return settling.settlement();
    }
  }

  static FateCode ending(Settling member) {
    return FateCode.of(member.settlement().lasting());
  }

  /**
   * Changes each row that is as it was when its URL was taken; returns their ids. So a repeated
   * settlement changes nothing.
   */
  static Set<Long> move(PostgresSession tx, List<Member> members) {
    Set<Long> moved = new HashSet<>();
    List<Member> returned = new ArrayList<>();
    List<Member> changed = new ArrayList<>();
    for (Member one : members) {
      (one.settlement().lasting() instanceof Fate.Returned ? returned : changed).add(one);
    }
    if (!returned.isEmpty()) {
      tx.sql.each(
          """
          SELECT f.id FROM unnest(?::bigint[], ?::bigint[], ?::int[]) AS u(domain_id, id, before)
          JOIN domain_frontier f ON f.domain_id = u.domain_id AND f.id = u.id
          WHERE f.state = 0 AND f.asked = u.before
          """,
          row -> moved.add(row.getLong(1)),
          tx.longs(returned.stream().map(Member::domain).toList()),
          tx.longs(returned.stream().map(one -> one.settling().waiting().id()).toList()),
          tx.numbers(returned.stream().map(one -> one.settlement().entry().asked()).toList()));
    }
    if (!changed.isEmpty()) {
      Columns columns = new Columns();
      changed.forEach(columns::add);
      tx.sql.each(
          MOVE,
          row -> moved.add(row.getLong(1)),
          tx.longs(changed.stream().map(Member::domain).toList()),
          tx.longs(changed.stream().map(one -> one.settling().waiting().id()).toList()),
          tx.numbers(changed.stream().map(one -> one.settlement().entry().asked()).toList()),
          tx.numbers(columns.how),
          tx.numbers(changed.stream().map(one -> ending(one.settling()).state).toList()),
          tx.numbers(columns.asks),
          tx.numbers(columns.tries),
          tx.numbers(columns.later),
          tx.bytes(columns.contentHash),
          tx.numbers(columns.visit(0)),
          tx.numbers(columns.visit(1)),
          tx.numbers(columns.visit(2)),
          tx.numbers(columns.visit(3)),
          tx.numbers(columns.visit(4)),
          tx.texts(columns.visit(5)),
          tx.texts(columns.visit(6)),
          tx.numbers(columns.visit(7)));
    }
    return moved;
  }

  /** What changes in each row. */
  private static final class Columns {
    final List<Integer> how = new ArrayList<>();
    final List<Integer> asks = new ArrayList<>();
    final List<Integer> tries = new ArrayList<>();
    final List<Integer> later = new ArrayList<>();
    final List<byte @Nullable []> contentHash = new ArrayList<>();
    private final List<@Nullable Object[]> visits = new ArrayList<>();

    void add(Member one) {
      Settlement settlement = one.settlement();
      int asked = settlement.attempt().isPresent() ? 1 : 0;
      asks.add(asked);
      @Nullable Object[] visit = new @Nullable Object[VISIT];
      if (settlement.lasting() instanceof Fate.Retry(var at, var spends)) {
        how.add(RETRIED);
        visit[0] = StateColumns.ceilMillis(at);
        tries.add(spends ? asked : 0);
        later.add(
            one.settling().waiting().place() < FrontierCodes.TRIED / 2
                ? asked * FrontierCodes.TRIED
                : 0);
      } else {
        boolean linked = settlement.entry().kind() == Kind.LINKS;
        how.add(linked ? LINKED : one.look().isPresent() ? DATED : FINISHED);
        visit = one.look().map(VisitColumns::of).orElse(visit);
        tries.add(0);
        later.add(0);
      }
      visits.add(visit);
      contentHash.add(
          settlement.isImage() ? one.settling().contentHash().map(Body::bytes).orElse(null) : null);
    }

    List<@Nullable Object> visit(int column) {
      List<@Nullable Object> values = new ArrayList<>();
      visits.forEach(one -> values.add(one[column]));
      return values;
    }
  }
}
