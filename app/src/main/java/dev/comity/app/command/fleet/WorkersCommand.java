package dev.comity.app.command.fleet;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Terminal;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Table;
import dev.comity.app.text.Table.Heading;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.util.Printable;
import dev.comity.store.fleet.Fleet;
import dev.comity.store.fleet.WorkerRecord;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity workers}: which workers there are, and what they do. */
@Command(
    name = "workers",
    description = {
      "List the workers: name, machine, version, run, claims, and when they were last seen.",
      "",
      "A worker shows every few seconds that it is alive. The claims of one that was killed end"
          + " with their lease."
    })
public final class WorkersCommand extends DataCommand {
  @Option(names = "--all", description = "List workers that have ended, too.")
  private boolean all;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "List at most this many (default: ${DEFAULT-VALUE}).")
  private int limit = 100;

  @Override
  protected int answer(DataOption data) {
    requirePositive("limit", limit);
    List<WorkerRecord> workers = Fleet.workers(data.existing(), all, limit);
    if (inJson()) {
      workers.forEach(worker -> say(fields(worker)));
    } else if (workers.isEmpty()) {
      say("no worker is up");
    } else {
      show(workers);
    }
    return Exit.DONE;
  }

  private void show(List<WorkerRecord> workers) {
    Table table =
        new Table(
            List.of(
                Heading.left("WORKER"),
                Heading.left("HOST"),
                Heading.left("VERSION"),
                Heading.left("STATE"),
                Heading.right("RUN"),
                Heading.right("CLAIMS"),
                Heading.left("STARTED"),
                Heading.left("LAST SEEN")),
            Set.of("STARTED"));
    for (WorkerRecord worker : workers) {
      table.row(
          List.of(
              Printable.text(worker.id()),
              Printable.text(worker.host()),
              Printable.text(worker.version()),
              Printable.text(worker.state()),
              worker.run().isPresent() ? Long.toString(worker.run().getAsLong()) : "",
              Long.toString(worker.claims()),
              Timestamps.second(worker.startedAt()),
              Timestamps.second(worker.lastSeenAt())),
          worker.flags().isEmpty() ? List.of() : List.of("off: " + Printable.text(worker.flags())));
    }
    say(table.lines(Terminal.columns()));
    say(Words.count(workers.size(), "worker"));
  }

  private static Fields fields(WorkerRecord worker) {
    Fields fields =
        Fields.none()
            .and("worker", worker.id())
            .and("name", worker.name())
            .and("host", worker.host())
            .and("version", worker.version())
            .and("flags", worker.flags())
            .and("state", worker.state());
    if (worker.run().isPresent()) {
      fields.and("run", worker.run().getAsLong());
    }
    fields.and("claims", worker.claims());
    worker.firstExpiry().ifPresent(at -> fields.and("earliest_expiry", at));
    fields.and("started_at", worker.startedAt()).and("last_seen_at", worker.lastSeenAt());
    worker.endedAt().ifPresent(at -> fields.and("ended_at", at));
    return fields;
  }
}
