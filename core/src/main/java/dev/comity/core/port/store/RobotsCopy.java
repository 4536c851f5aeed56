package dev.comity.core.port.store;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.Authority;
import java.time.Instant;
import java.util.Optional;

/**
 * A stored copy of an authority's robots.txt.
 *
 * @param file the body of the response; empty where there is no file
 * @param allowed without a file, whether everything may be fetched. If not, another domain keeps
 *     the file and did not deliver it
 */
public record RobotsCopy(
    Authority authority, Optional<Body> file, boolean allowed, Instant fetchedAt) {}
