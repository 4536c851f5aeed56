/** The files of {@code deploy} against the program that they start. */
@NullMarked
package dev.comity.app.deploy;

import org.jspecify.annotations.NullMarked;
