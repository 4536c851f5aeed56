package dev.comity.app.command.report;

import dev.comity.app.output.DomainFields;
import dev.comity.app.process.Terminal;
import dev.comity.store.report.DomainOrder;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity top-domains}: the domains whose pages bring most images. */
@Command(
    name = "top-domains",
    description = "List the domains whose pages bring most images, the best first.")
public final class TopDomainsCommand extends ReportCommand {
  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most this many (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Override
  void report(StoreReader reader) {
    requirePositive("limit", limit);
    List<DomainRecord> domains = reader.domains(Optional.empty(), DomainOrder.YIELD, limit);
    if (inJson()) {
      domains.forEach(domain -> say(DomainFields.of(domain)));
    } else if (!domains.isEmpty()) {
      say(DomainsCommand.images(domains, reader).lines(Terminal.columns()));
    }
  }
}
