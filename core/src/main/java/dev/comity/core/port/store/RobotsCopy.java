package dev.comity.core.port.store;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.url.Authority;
import java.time.Instant;
import java.util.Optional;

/**
 * A stored copy of an authority's robots.txt or tdmrep.json.
 *
 * @param kind which of the two
 * @param file the body of the response; empty where there is no file
 * @param allowed without a file, whether everything may be fetched. If not, another domain keeps
 *     the file and did not deliver it
 */
public record RobotsCopy(
    Kind kind, Authority authority, Optional<Body> file, boolean allowed, Instant fetchedAt) {

  /** A copy of a robots.txt. */
  public RobotsCopy(Authority authority, Optional<Body> file, boolean allowed, Instant fetchedAt) {
    this(Kind.ROBOTS, authority, file, allowed, fetchedAt);
  }

  /** A copy of a tdmrep.json. */
  public static RobotsCopy ofTdmRep(Authority authority, Optional<Body> file, Instant fetchedAt) {
    return new RobotsCopy(Kind.TDMREP, authority, file, true, fetchedAt);
  }

  /** The key of a copy among all: its authority, or the URL of its tdmrep.json. */
  public static String key(Kind kind, Authority authority) {
    return kind == Kind.TDMREP ? authority.tdmRep().toString() : authority.toString();
  }
}
