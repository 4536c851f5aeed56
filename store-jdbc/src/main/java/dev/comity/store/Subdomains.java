package dev.comity.store;

import dev.comity.core.url.DomainName;
import java.sql.SQLException;

/**
 * How many domains links have opened under one name. A site that makes up sub-domains would
 * otherwise be as many sites as it likes, each with a pace and a budget of its own. Runs in the
 * writer's thread.
 */
record Subdomains(Statements sql, int most) {

  /** Whether links may open no more domains beside this one. */
  boolean isFull(DomainName name) throws SQLException {
    return isSubdomain(name)
        && sql.first(
                "SELECT 1 FROM subdomains WHERE owner = ? AND known >= ?",
                _ -> true,
                name.owner(),
                most)
            .isPresent();
  }

  void entered(DomainName name) throws SQLException {
    if (isSubdomain(name)) {
      sql.update(
          "INSERT INTO subdomains (owner, known) VALUES (?, 1)"
              + " ON CONFLICT (owner) DO UPDATE SET known = known + 1",
          name.owner());
    }
  }

  void leftOut(DomainName name, int links) throws SQLException {
    sql.update(
        "UPDATE subdomains SET left_out = left_out + ? WHERE owner = ?", links, name.owner());
  }

  private static boolean isSubdomain(DomainName name) {
    return !name.name().equals(name.owner());
  }
}
