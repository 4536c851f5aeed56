/**
 * The URLs to start from: arguments, text files, CSV and JSON lines. A file is read as a stream,
 * since a list may be longer than memory. A wrong argument is an error; a wrong line among many is
 * counted and named. Before the first request each seed is checked against the address guard.
 */
@NullMarked
package dev.comity.app.seeds;

import org.jspecify.annotations.NullMarked;
