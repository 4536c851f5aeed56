package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;

/**
 * What is known of the sub-domains of one name.
 *
 * @param leftOut links to further ones that were not kept
 */
public record SubdomainRecord(String owner, long known, long leftOut) {
  static SubdomainRecord read(ResultRow row) {
    return new SubdomainRecord(row.text("owner"), row.number("known"), row.number("left_out"));
  }
}
