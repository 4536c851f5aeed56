package dev.comity.core.port;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.Authority;
import java.time.Instant;
import java.util.Optional;

/**
 * What an authority's robots.txt was when it was last read.
 *
 * @param file what was served; empty where there is no file
 * @param allowed whether everything may be asked where there is no file
 */
public record RobotsCopy(
    Authority authority, Optional<Body> file, boolean allowed, Instant fetchedAt) {}
