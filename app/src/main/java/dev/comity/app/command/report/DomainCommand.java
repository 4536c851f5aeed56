package dev.comity.app.command.report;

import dev.comity.app.command.operate.DomainSetCommand;
import dev.comity.app.output.DomainFields;
import dev.comity.app.output.TrapFields;
import dev.comity.app.settings.WrongSetting;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.QueueRecord;
import dev.comity.store.report.RequestRecord;
import dev.comity.store.report.StoreReader;
import dev.comity.store.report.TransitionRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comity domain NAME}: all that is known of one. */
@Command(
    name = "domain",
    aliases = "domain-info",
    description = {
      "Show all that is known of one domain, what happened to it and what was asked.",
      "",
      "`comity domain set NAME` changes how it is crawled."
    },
    subcommands = DomainSetCommand.class)
public final class DomainCommand extends ReportCommand {
  private static final int AUTHORITIES = 10;

  // Optional for the sake of `set`; without that, a report needs it.
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The domain, in any spelling of its host.")
  private @Nullable String name;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Show at most this many changes and requests (default: ${DEFAULT-VALUE}).")
  private int limit = 10;

  @Override
  void report(StoreReader reader) {
    requirePositive("limit", limit);
    if (name == null) {
      throw new WrongSetting("NAME is missing: `comity domains` lists the domains that are known");
    }
    DomainRecord domain = known(reader, name);
    QueueRecord.Urls queue = reader.queue(domain.id(), Instant.now());
    List<String> authorities = reader.authorities(domain.id(), AUTHORITIES);
    List<TransitionRecord> changes = reader.transitions(domain.id(), limit);
    List<RequestRecord> requests = reader.requests(domain.id(), limit);
    if (inJson()) {
      say(
          DomainFields.of(domain)
              .and("queued", queue.queued())
              .and("deferred", queue.deferred())
              .and("in_flight", queue.inFlight())
              .and("image_urls", reader.imageUrls(domain))
              .and("authorities", authorities)
              .and("traps", TrapFields.fields(reader, domain))
              .and("changes", changes.stream().map(DomainFields::of).toList())
              .and("requests_made", requests.stream().map(DomainFields::of).toList()));
    } else {
      say(
          DomainPage.of(
              domain,
              queue,
              reader.imageUrls(domain),
              authorities,
              changes,
              requests,
              TrapFields.words(reader, domain)));
    }
  }
}
