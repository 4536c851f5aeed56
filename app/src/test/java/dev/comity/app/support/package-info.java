/** Sites, settings and processes in which the tests run the commands. */
@NullMarked
package dev.comity.app.support;

import org.jspecify.annotations.NullMarked;
