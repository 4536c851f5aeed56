/**
 * Image files, read as bytes and never decoded: what type they are, how large, and what they say
 * about their use. Every byte is foreign: reading is bounded and never throws.
 */
@NullMarked
package dev.comity.web.image;

import org.jspecify.annotations.NullMarked;
