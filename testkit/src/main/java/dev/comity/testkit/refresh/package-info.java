/**
 * A simulated site whose pages change, for the rule of when to come back. {@link
 * dev.comity.testkit.refresh.ChangingSite} makes the changes, {@link
 * dev.comity.testkit.refresh.RevisitedSite} lets a rule visit the pages, and {@link
 * dev.comity.testkit.refresh.RefreshTable} prints the rules beside each other.
 */
@NullMarked
package dev.comity.testkit.refresh;

import org.jspecify.annotations.NullMarked;
