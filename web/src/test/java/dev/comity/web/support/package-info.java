/** Servers and lines on loopback that the tests of several packages use. */
@NullMarked
package dev.comity.web.support;

import org.jspecify.annotations.NullMarked;
