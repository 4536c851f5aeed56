/**
 * Workers of one fleet as processes, with faults. {@link dev.comity.app.chaos.FleetChaosIT} starts
 * a PostgreSQL server, an origin and workers, and breaks them in an order that a seed decides. A
 * {@link dev.comity.app.chaos.ChaosHistory} is what the origin and the database tell of it
 * afterwards; {@link dev.comity.app.chaos.HistoryChecker} says what must not be in it.
 */
@NullMarked
package dev.comity.app.chaos;

import org.jspecify.annotations.NullMarked;
