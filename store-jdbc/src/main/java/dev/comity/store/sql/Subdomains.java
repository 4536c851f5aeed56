package dev.comity.store.sql;

import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import java.sql.SQLException;

/**
 * How many domains links have opened under one name. A site that makes up sub-domains would
 * otherwise be as many sites as it likes, each with a pace and a budget of its own. Runs in the
 * writer's thread.
 */
public record Subdomains(Statements sql) {

  /** Whether links may open no more domains beside this one. */
  public boolean isFull(DomainName name) throws SQLException {
    return isSubdomain(name)
        && sql.number(
                "SELECT coalesce((SELECT known FROM subdomains WHERE owner = ?), 0)", name.owner())
            >= StoreLimits.MOST_SUBDOMAINS;
  }

  public void entered(DomainName name) throws SQLException {
    if (isSubdomain(name)) {
      sql.update(
          "INSERT INTO subdomains (owner, known) VALUES (?, 1)"
              + " ON CONFLICT (owner) DO UPDATE SET known = known + 1",
          name.owner());
    }
  }

  public void leftOut(DomainName name, int links) throws SQLException {
    sql.update(
        "INSERT INTO subdomains (owner, known, left_out) VALUES (?, 0, ?)"
            + " ON CONFLICT (owner) DO UPDATE SET left_out = left_out + excluded.left_out",
        name.owner(),
        links);
  }

  private static boolean isSubdomain(DomainName name) {
    return !name.name().equals(name.owner());
  }
}
