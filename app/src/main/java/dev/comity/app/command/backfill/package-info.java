/**
 * Commands that take over what other programs crawled: {@code backfill} from a log, {@code import}
 * from the state of another crawler. Both gather first and write then.
 */
@NullMarked
package dev.comity.app.command.backfill;

import org.jspecify.annotations.NullMarked;
