/** Commands about sources, and the one that adds single URLs. */
@NullMarked
package dev.comity.app.command.source;

import org.jspecify.annotations.NullMarked;
