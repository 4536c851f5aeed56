package dev.comity.store.postgres;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.Settlement;
import dev.comity.store.crawl.FrontierCodes;
import dev.comity.store.crawl.FrontierCodes.FateCode;
import dev.comity.store.crawl.Settlements.Settling;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.sql.RequestLog;
import dev.comity.store.sql.StateColumns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changes the rows of settled URLs, those of a whole group with one statement. */
final class SettledUrls {
  private static final String MOVE =
      """
      UPDATE domain_frontier AS f SET state = u.state, due_at = u.due_at, asked = f.asked + u.asks,
        tries_spent = f.tries_spent + u.tries, place = f.place + u.later,
        kind = CASE WHEN u.links = 1 THEN 0 ELSE f.kind END,
        etag = CASE WHEN u.answered = 1 THEN u.etag ELSE f.etag END,
        last_modified = CASE WHEN u.answered = 1 THEN u.last_modified ELSE f.last_modified END,
        content_hash = CASE WHEN u.answered = 1 THEN u.content_hash ELSE f.content_hash END
      FROM unnest(?::bigint[], ?::bigint[], ?::int[], ?::int[], ?::bigint[], ?::int[], ?::int[],
          ?::int[], ?::int[], ?::int[], ?::text[], ?::text[], ?::bytea[])
        AS u(domain_id, id, before, state, due_at, asks, tries, later, links, answered, etag,
          last_modified, content_hash)
      WHERE f.domain_id = u.domain_id AND f.id = u.id AND f.state = 0 AND f.asked = u.before
      RETURNING f.id
      """;

  private SettledUrls() {}

  /** A settlement and the id of its domain. */
  record Member(long domain, Settling settling) {
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
          tx.numbers(changed.stream().map(one -> ending(one.settling()).state).toList()),
          tx.numbers(columns.due),
          tx.numbers(columns.asks),
          tx.numbers(columns.tries),
          tx.numbers(columns.later),
          tx.numbers(columns.links),
          tx.numbers(columns.answered),
          tx.texts(columns.etag),
          tx.texts(columns.lastModified),
          tx.bytes(columns.contentHash));
    }
    return moved;
  }

  /** What changes in each row. */
  private static final class Columns {
    final List<@Nullable Long> due = new ArrayList<>();
    final List<Integer> asks = new ArrayList<>();
    final List<Integer> tries = new ArrayList<>();
    final List<Integer> later = new ArrayList<>();
    final List<Integer> links = new ArrayList<>();
    final List<Integer> answered = new ArrayList<>();
    final List<@Nullable String> etag = new ArrayList<>();
    final List<@Nullable String> lastModified = new ArrayList<>();
    final List<byte @Nullable []> contentHash = new ArrayList<>();

    void add(Member one) {
      Settlement settlement = one.settlement();
      int asked = settlement.attempt().isPresent() ? 1 : 0;
      asks.add(asked);
      boolean retried = settlement.lasting() instanceof Fate.Retry;
      boolean linking = !retried && settlement.entry().kind() == Kind.LINKS;
      if (settlement.lasting() instanceof Fate.Retry(var at, var spends)) {
        due.add(StateColumns.ceilMillis(at));
        tries.add(spends ? asked : 0);
        later.add(
            one.settling().waiting().place() < FrontierCodes.TRIED / 2
                ? asked * FrontierCodes.TRIED
                : 0);
      } else {
        due.add(null);
        tries.add(0);
        later.add(0);
      }
      links.add(linking ? 1 : 0);
      answered.add(retried || linking ? 0 : 1);
      Headers headers = headers(settlement);
      etag.add(headers.first("etag").map(RequestLog::stored).orElse(null));
      lastModified.add(headers.first("last-modified").map(RequestLog::stored).orElse(null));
      contentHash.add(one.settling().contentHash().map(Body::bytes).orElse(null));
    }

    private static Headers headers(Settlement settlement) {
      return settlement.fetched().map(Fetched::outcome).orElse(null) instanceof Success page
          ? page.headers()
          : Headers.NONE;
    }
  }
}
