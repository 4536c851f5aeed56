package dev.comity.app.command.report;

import dev.comity.app.text.Table;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code comity domain-status}: the domains with pages, images and yield, whatever they have. */
@Command(
    name = "domain-status",
    description = "List the domains with their pages, images and yield, and how they stand.")
public final class DomainStatusCommand extends DomainsCommand {
  @Override
  Table table(List<DomainRecord> domains, StoreReader reader) {
    return images(domains, reader);
  }
}
