/**
 * Rows on a server that several parts of its store write: when domains may be claimed, which pages
 * are due, the paces of sources, images and their sightings.
 */
@NullMarked
package dev.comity.store.postgres.rows;

import org.jspecify.annotations.NullMarked;
