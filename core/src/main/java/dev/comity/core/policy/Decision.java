package dev.comity.core.policy;

import java.util.List;

/**
 * What one outcome leads to. It is settled as a whole: the URL's fate and the domain's next state
 * in one transaction.
 *
 * @param changes what is worth a log line or a counter, in the order it happened; mostly empty
 */
public record Decision(DomainState state, Fate fate, List<Change> changes) {}
