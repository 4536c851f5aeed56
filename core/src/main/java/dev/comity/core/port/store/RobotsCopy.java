package dev.comity.core.port.store;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.Authority;
import java.time.Instant;
import java.util.Optional;

/**
 * What an authority's robots.txt was when it was last read.
 *
 * @param file what was served; empty where there is no file
 * @param allowed where there is no file, whether everything may be asked; if not, the file is kept
 *     by another domain that could not be asked for it
 */
public record RobotsCopy(
    Authority authority, Optional<Body> file, boolean allowed, Instant fetchedAt) {}
