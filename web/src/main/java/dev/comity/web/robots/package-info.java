/**
 * robots.txt by RFC 9309, for one robots token.
 *
 * <p>{@link dev.comity.web.robots.RobotsTxt} reads lines and sorts them into the group that names
 * us and the group for everyone; a {@link dev.comity.web.robots.RobotsGroup} answers for a URL by
 * its longest matching {@link dev.comity.web.robots.PathPattern}. Patterns and URLs are compared in
 * one {@link dev.comity.web.robots.RobotsPath spelling}, as octets. Whatever a site writes costs
 * time in proportion to its length.
 */
@NullMarked
package dev.comity.web.robots;

import org.jspecify.annotations.NullMarked;
