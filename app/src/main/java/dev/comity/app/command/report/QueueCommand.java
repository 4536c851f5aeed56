package dev.comity.app.command.report;

import dev.comity.app.process.Terminal;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Table;
import dev.comity.app.text.Table.Heading;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.util.Printable;
import dev.comity.store.report.QueueRecord;
import dev.comity.store.report.QueueRecord.Urls;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity queue}: how much there is to do, and which workers hold claims. */
@Command(
    name = "queue",
    aliases = "queue-status",
    description = "Show what is queued, deferred and in flight, and which workers hold claims.")
public final class QueueCommand extends ReportCommand {
  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Show this many domains, those with most to do first (default: ${DEFAULT-VALUE}).")
  private int limit = 20;

  @Override
  void report(StoreReader reader) {
    requirePositive("limit", limit);
    Instant now = Instant.now();
    QueueRecord queue = reader.queue(now);
    List<Urls> domains = reader.queues(now, limit);
    if (inJson()) {
      say(fields(queue, domains));
    } else {
      show(queue, domains);
    }
  }

  private void show(QueueRecord queue, List<Urls> domains) {
    Table table =
        new Table(
            List.of(
                Heading.left("DOMAIN"),
                Heading.right("QUEUED"),
                Heading.right("DEFERRED"),
                Heading.right("IN FLIGHT"),
                Heading.right("DONE"),
                Heading.right("FAILED"),
                Heading.right("DENIED"),
                Heading.right("SET ASIDE"),
                Heading.right("IN TRAPS"),
                Heading.right("OVER CAP")),
            Set.of("DONE", "FAILED", "DENIED", "SET ASIDE", "IN TRAPS", "OVER CAP"));
    domains.forEach(one -> row(table, one.domain().orElse(""), one));
    row(table, "in all", queue.urls());
    say(table.lines(Terminal.columns()));
    queue
        .urls()
        .firstDue()
        .ifPresent(at -> say("the first deferred URL is due at " + Timestamps.second(at)));
    if (queue.urls().refused() > 0) {
      say(
          "%d of the denied URLs by a wish of their site, the others by robots.txt"
              .formatted(queue.urls().refused()));
    }
    if (queue.claims().isEmpty()) {
      say("no claim is held");
    }
    for (QueueRecord.WorkerClaims worker : queue.claims()) {
      say(
          "%s holds %s, the first until %s"
              .formatted(
                  Printable.text(worker.worker()),
                  Words.count(worker.domains(), "domain"),
                  Timestamps.second(worker.earliestExpiry())));
    }
    if (queue.expiredClaims() > 0) {
      say(
          Words.count(queue.expiredClaims(), "claim is", "claims are")
              + " left of a process that is gone; the next crawl takes over");
    }
    queue
        .waiting()
        .forEach((status, number) -> say(Words.count(number, status + " domain") + " not held"));
  }

  private static void row(Table table, String name, Urls urls) {
    table.row(
        List.of(
            name,
            Long.toString(urls.queued()),
            Long.toString(urls.deferred()),
            Long.toString(urls.inFlight()),
            Long.toString(urls.done()),
            Long.toString(urls.failed()),
            Long.toString(urls.denied()),
            Long.toString(urls.setAside()),
            Long.toString(urls.suppressed()),
            Long.toString(urls.overCap())),
        List.of());
  }

  private static Fields fields(QueueRecord queue, List<Urls> domains) {
    Fields waiting = Fields.none();
    for (var status : queue.waiting().entrySet()) {
      waiting = waiting.and(status.getKey(), status.getValue());
    }
    return fields(queue.urls())
        .and(
            "claims",
            queue.claims().stream()
                .map(
                    worker ->
                        Fields.none()
                            .and("worker", worker.worker())
                            .and("domains", worker.domains())
                            .and("earliest_expiry", worker.earliestExpiry()))
                .toList())
        .and("expired_claims", queue.expiredClaims())
        .and("waiting", waiting)
        .and("domains", domains.stream().map(QueueCommand::fields).toList());
  }

  private static Fields fields(Urls urls) {
    return Fields.none()
        .and("domain", urls.domain())
        .and("queued", urls.queued())
        .and("deferred", urls.deferred())
        .and("first_due_at", urls.firstDue())
        .and("in_flight", urls.inFlight())
        .and("done", urls.done())
        .and("failed", urls.failed())
        .and("denied", urls.denied())
        .and("denied_by_wish", urls.refused())
        .and("set_aside", urls.setAside())
        .and("suppressed", urls.suppressed())
        .and("skipped", urls.skipped())
        .and("over_cap", urls.overCap());
  }
}
