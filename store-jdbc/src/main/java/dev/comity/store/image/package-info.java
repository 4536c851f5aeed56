/**
 * Images: their files, their rows and their sightings. A file is named by the hash of its bytes and
 * by its true type, and is there before its row is.
 */
@NullMarked
package dev.comity.store.image;

import org.jspecify.annotations.NullMarked;
