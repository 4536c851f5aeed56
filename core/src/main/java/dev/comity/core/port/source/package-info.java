/**
 * Sources: named sets of URLs, each with a pace of its own beside those of its domains. A request
 * for a URL of a source takes the source's turn in the store just before it starts.
 */
@NullMarked
package dev.comity.core.port.source;

import org.jspecify.annotations.NullMarked;
