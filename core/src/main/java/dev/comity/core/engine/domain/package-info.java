/**
 * The worker of one claimed domain and its parts. {@link
 * dev.comity.core.engine.domain.DomainWorker} has a virtual thread of its own, which alone reads
 * and writes the domain's state. It asks the policy for its turn and takes a URL from the frontier.
 * The request runs in another virtual thread. When the response arrives, the policy decides and the
 * store settles. All parts are confined to the worker's thread, except the inbox and methods
 * documented as thread-safe.
 */
@NullMarked
package dev.comity.core.engine.domain;

import org.jspecify.annotations.NullMarked;
