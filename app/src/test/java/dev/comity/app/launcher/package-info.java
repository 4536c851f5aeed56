/**
 * The launcher as a user meets it: a real shell runs it, in directories made for the test, with
 * nothing in the environment but what the test puts there. Where only its choices matter, Java and
 * Maven are small scripts that tell how they were called.
 */
@NullMarked
package dev.comity.app.launcher;

import org.jspecify.annotations.NullMarked;
