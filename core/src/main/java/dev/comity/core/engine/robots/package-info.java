/**
 * The robots.txt files of a crawl. Files that were read are cached for the run, by authority. A
 * domain asks for its file before its first page and follows a redirect to another domain's file.
 * Another domain is never fetched from here: its own worker is asked to fetch the file at its own
 * pace.
 */
@NullMarked
package dev.comity.core.engine.robots;

import org.jspecify.annotations.NullMarked;
