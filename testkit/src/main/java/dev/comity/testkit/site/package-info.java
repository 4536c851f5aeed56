/**
 * A web in memory: sites that answer by script, in virtual time, and keep a log of who asked when.
 */
@NullMarked
package dev.comity.testkit.site;

import org.jspecify.annotations.NullMarked;
