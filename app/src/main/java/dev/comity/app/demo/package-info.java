/** A small web inside the process, so that a newcomer can watch a crawl without a network. */
@NullMarked
package dev.comity.app.demo;

import org.jspecify.annotations.NullMarked;
