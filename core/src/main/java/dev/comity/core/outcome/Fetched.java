package dev.comity.core.outcome;

import java.time.Duration;
import java.util.Optional;

/**
 * One finished attempt as it was on the wire.
 *
 * @param firstByte from the start of the request to the first byte of the response, where one came
 * @param total from asking to the end, connecting included
 * @param bytes what was read of the body, before decoding
 */
public record Fetched(
    FetchOutcome outcome, Optional<Duration> firstByte, Duration total, long bytes) {}
