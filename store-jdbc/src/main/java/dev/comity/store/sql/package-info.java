/**
 * JDBC, the schema, and how values are stored. Statements are prepared once per connection. One
 * thread owns the writing connection and commits what has gathered as one group. A domain's state
 * is one JSON text that decides, beside columns for queries. A value that cannot be read is data,
 * not an exception: the domain is set aside until a reset repairs it. Columns that several packages
 * use are defined here once.
 */
@NullMarked
package dev.comity.store.sql;

import org.jspecify.annotations.NullMarked;
