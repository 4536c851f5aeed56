package dev.comity.core.port;

import java.util.OptionalLong;

/**
 * The run that a process works on.
 *
 * @param continued whether it was begun earlier
 * @param pages pages it had settled when this process joined
 * @param superseded the unfinished run on other terms that was closed for this one
 */
public record Run(long id, boolean continued, long pages, OptionalLong superseded) {}
