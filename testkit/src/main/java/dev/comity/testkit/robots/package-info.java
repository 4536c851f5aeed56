/** Cases by which any reader of robots.txt can be judged, and the runner that judges it. */
@NullMarked
package dev.comity.testkit.robots;

import org.jspecify.annotations.NullMarked;
