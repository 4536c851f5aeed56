/** Servers on loopback, pages and cases that several tests use. */
@NullMarked
package dev.comity.web.support;

import org.jspecify.annotations.NullMarked;
