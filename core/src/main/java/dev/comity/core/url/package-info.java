@NullMarked
package dev.comity.core.url;

import org.jspecify.annotations.NullMarked;
