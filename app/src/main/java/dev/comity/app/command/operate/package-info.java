/**
 * Commands that check, change or prune a data directory, beside a running crawl too. {@link
 * dev.comity.app.command.operate.OperatorCommand} is what commands about one domain share.
 */
@NullMarked
package dev.comity.app.command.operate;

import org.jspecify.annotations.NullMarked;
