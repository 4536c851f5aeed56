package dev.comity.app.command.report;

import dev.comity.app.output.DomainFields;
import dev.comity.app.output.TrapFields;
import dev.comity.app.process.Terminal;
import dev.comity.app.text.Table;
import dev.comity.app.text.Table.Heading;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.util.Durations;
import dev.comity.store.report.DomainOrder;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity domains}: which domains there are and how they stand. */
@Command(
    name = "domains",
    description = "List the domains a data directory knows, and how they stand.")
public sealed class DomainsCommand extends ReportCommand permits DomainStatusCommand {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only those that are pending, active, exhausted, blocked or unreachable.")
  private @Nullable DomainStatus status;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most this many (default: ${DEFAULT-VALUE}).")
  private int limit = 50;

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      description =
          "By name, recent, pages, errors, queued, yield, priority or delay (default: recent).")
  private DomainOrder order = DomainOrder.RECENT;

  @Override
  void report(StoreReader reader) {
    requirePositive("limit", limit);
    List<DomainRecord> domains = reader.domains(Optional.ofNullable(status), order, limit);
    if (inJson()) {
      domains.forEach(domain -> say(DomainFields.of(domain)));
    } else {
      show(domains, reader);
    }
  }

  private void show(List<DomainRecord> domains, StoreReader reader) {
    Map<DomainStatus, Long> all = reader.statuses();
    if (!domains.isEmpty()) {
      say(table(domains, reader).lines(Terminal.columns()));
    }
    long matching =
        status == null
            ? all.values().stream().mapToLong(Long::longValue).sum()
            : all.getOrDefault(status, 0L);
    if (matching > domains.size()) {
      say(
          "%d more; --limit %d shows them all, --status and --sort show others first"
              .formatted(matching - domains.size(), matching));
    }
    say(totals(all));
  }

  /** The domains with their images and how many each page brings. */
  static Table images(List<DomainRecord> domains, StoreReader reader) {
    return table(domains, reader, true, false);
  }

  /** Images have columns where there are any. */
  Table table(List<DomainRecord> domains, StoreReader reader) {
    boolean images = domains.stream().anyMatch(domain -> domain.counts().imagesStored() > 0);
    return table(domains, reader, images, true);
  }

  private static Table table(
      List<DomainRecord> domains, StoreReader reader, boolean images, boolean delays) {
    List<Heading> headings = new ArrayList<>();
    headings.add(Heading.left("DOMAIN"));
    headings.add(Heading.left("STATUS"));
    headings.add(Heading.right("PAGES"));
    if (delays) {
      headings.add(Heading.right("DELAY"));
    }
    if (images) {
      headings.add(Heading.right("IMAGES"));
      headings.add(Heading.right("YIELD"));
    }
    headings.add(Heading.left("LAST CRAWLED"));
    Table table =
        new Table(headings, delays ? Set.of("DELAY", "LAST CRAWLED") : Set.of("LAST CRAWLED"));
    for (DomainRecord domain : domains) {
      List<String> cells = new ArrayList<>();
      cells.add(domain.name());
      cells.add(Words.of(domain.standing().status()));
      long discovered = domain.counts().discovered() - reader.imageUrls(domain);
      cells.add(domain.counts().pages() + "/" + discovered);
      if (delays) {
        cells.add(Durations.seconds(DomainFields.delay(domain)));
      }
      if (images) {
        cells.add(Long.toString(domain.counts().imagesStored()));
        cells.add(
            domain
                .counts()
                .imageYield()
                .map(rate -> String.format(Locale.ROOT, "%.2f", rate))
                .orElse("-"));
      }
      cells.add(domain.times().lastCrawled().map(Timestamps::minute).orElse("never"));
      table.row(cells, below(domain));
    }
    return table;
  }

  private static List<String> below(DomainRecord domain) {
    List<String> lines = new ArrayList<>();
    Words.closed(domain).ifPresent(why -> lines.add("reason: " + why));
    TrapFields.spoken(domain.counts().suppressed(), domain.counts().linksSuppressed())
        .ifPresent(
            trapped ->
                lines.add(
                    "traps: %s left alone (comity domain %s lists them)"
                        .formatted(trapped, domain.name())));
    if (domain.terms().paused()) {
      lines.add(Words.paused(domain.name()));
    }
    Words.setAside(domain).ifPresent(why -> lines.add("set aside as damaged: " + why));
    if (domain.resetByHand()) {
      lines.add(Words.RESET_BY_HAND);
    }
    return lines;
  }

  private static String totals(Map<DomainStatus, Long> all) {
    long sum = all.values().stream().mapToLong(Long::longValue).sum();
    String parts =
        all.entrySet().stream()
            .map(one -> one.getValue() + " " + Words.of(one.getKey()))
            .collect(Collectors.joining(", "));
    return Words.count(sum, "domain") + (parts.isEmpty() ? "" : ": " + parts);
  }
}
