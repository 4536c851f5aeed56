package dev.comity.store;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words in which the two databases differ. Statements that both understand name such a word in
 * braces, such as <code>${url}</code>. In them {@code f} is a row of {@code domain_frontier}, and
 * {@code r} one of {@code crawl_runs}.
 */
public enum SqlDialect {
  SQLITE,
  POSTGRES;

  private static final Pattern WORD = Pattern.compile("\\$\\{([^}]*)}");

  /** The statement as this database understands it. */
  public String of(String sql) {
    return sql.indexOf("${") < 0
        ? sql
        : WORD.matcher(sql).replaceAll(found -> Matcher.quoteReplacement(word(found.group(1))));
  }

  private String word(String name) {
    boolean server = this == POSTGRES;
    return switch (name) {
      // In SQLite a URL is its authority's number and the rest; on a server it is whole.
      case "url" -> server ? "f.url" : "a.authority || f.target";
      case "authority" -> server ? "" : "JOIN " + AUTHORITY;
      case "authority if any" -> server ? "" : "LEFT JOIN " + AUTHORITY;
      case "authorities in order" -> server ? "authority" : "number";
      case "greatest" -> server ? "greatest" : "max";
      case "least" -> server ? "least" : "min";
      case "same as" -> server ? "IS NOT DISTINCT FROM" : "IS";
      case "other than" -> server ? "IS DISTINCT FROM" : "IS NOT";
      case "taken" -> server ? "TRUE" : "taken = 1";
      // Pages of workers that are up are not in the run's row yet.
      case "pages of lanes" -> server ? LANES : "0";
      case "worker columns" -> server ? WORKER : LOCAL_WORKER;
      case "by claims" -> server ? "" : "INDEXED BY domains_claims";
      case "as they lie" -> server ? "" : "NOT INDEXED";
      // Columns of SQLite take any value.
      case "type of" -> server ? "pg_typeof" : "typeof";
      case "begin to write" -> server ? "BEGIN" : "BEGIN IMMEDIATE";
      // A worker may note a URL while its claim is ended; a sweep takes such notes out.
      case "left behind" -> server ? LEFT_BEHIND : "i.taken = 1 AND d.claimed_by IS NULL";
      case "by status" -> server ? "" : "INDEXED BY domains_status";
      default -> throw new IllegalArgumentException("no such word in SQL: " + name);
    };
  }

  private static final String AUTHORITY =
      "authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no";

  private static final String WORKER =
      "w.host AS its_host, w.run_id AS its_run, w.state AS its_state";

  private static final String LOCAL_WORKER =
      "'' AS its_host, NULL AS its_run, CASE WHEN w.ended_at IS NULL THEN 'up'"
          + " WHEN w.unclean = 1 THEN 'lost' ELSE 'ended' END AS its_state";

  private static final String LEFT_BEHIND =
      "d.claimed_by IS DISTINCT FROM i.worker AND i.taken_at < comity_millis() - 60000";

  private static final String LANES =
      "coalesce((SELECT sum(l.pages) FROM lanes l WHERE l.run_id = r.id), 0)";
}
