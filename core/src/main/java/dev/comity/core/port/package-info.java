/**
 * What the engine needs from the world, as interfaces. Adapters implement them; a contract suite
 * per port says what every implementation must do.
 */
@NullMarked
package dev.comity.core.port;

import org.jspecify.annotations.NullMarked;
