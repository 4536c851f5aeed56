/**
 * How refusals and successes move the learned delay of one domain. Read the essay before {@link
 * dev.comity.core.policy.learning.DelayLearning} first: it names the four meanings of a 429. A
 * search narrows the delay between one that was refused and one that held. Noise is told from a
 * limit by comparing how often two delays are refused. The result is one immutable {@link
 * dev.comity.core.policy.learning.LearnedDelay}, part of the domain's state.
 */
@NullMarked
package dev.comity.core.policy.learning;

import org.jspecify.annotations.NullMarked;
