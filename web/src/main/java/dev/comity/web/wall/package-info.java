/**
 * Walls that answer with a page: something to log in with, a captcha, a firewall's excuse. {@link
 * dev.comity.web.wall.WallDetector} knows them by signs in the headers and the first part of the
 * page. It errs on the side of the site: a wall that is taken for a page costs a page, a page that
 * is taken for a wall may close a domain.
 */
@NullMarked
package dev.comity.web.wall;

import org.jspecify.annotations.NullMarked;
