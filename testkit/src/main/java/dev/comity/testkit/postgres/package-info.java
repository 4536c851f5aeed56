/**
 * PostgreSQL servers for tests, from what the machine has or what Maven brings. A {@link
 * dev.comity.testkit.postgres.PostgresServer} is fast and forgets at a crash. A {@link
 * dev.comity.testkit.postgres.PostgresNode} keeps what it has acknowledged, has a synchronous
 * standby where one is wanted, and can be stopped, crashed and promoted.
 */
@NullMarked
package dev.comity.testkit.postgres;

import org.jspecify.annotations.NullMarked;
