/**
 * The settings of a crawl. Flags win over the environment, the environment over the file, the file
 * over defaults. Every value knows its origin, so {@code comity config} can show it. An unknown key
 * is an error that names the nearest one. Secrets never appear in a message.
 */
@NullMarked
package dev.comity.app.settings;

import org.jspecify.annotations.NullMarked;
