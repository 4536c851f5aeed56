/**
 * Commands that show what a data directory holds. {@link
 * dev.comity.app.command.report.ReportCommand} is what they share; none of them writes.
 */
@NullMarked
package dev.comity.app.command.report;

import org.jspecify.annotations.NullMarked;
