package dev.comity.app.command.fleet;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Printable;
import dev.comity.store.ServerDatabase;
import dev.comity.store.fleet.Fleet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code comity drain}: lets a worker give its claims back and end. */
@Command(
    name = "drain",
    description = {
      "Let a worker of a database give its claims back and end, within seconds.",
      "",
      "It asks for nothing more, settles what is under way, and leaves the rest to the others."
    })
public final class DrainCommand extends DataCommand {
  @Parameters(
      paramLabel = "WORKER",
      description =
          "Its id, or a name: then all workers of that name. `comity workers` lists them.")
  private String worker = "";

  @Override
  protected int answer(DataOption data) {
    List<String> told = Fleet.drain(server(data), worker, actor());
    if (told.isEmpty()) {
      throw new WrongSetting(
          "worker is %s, but none of that id or name is up; `comity workers` lists them"
              .formatted(Printable.text(worker)));
    }
    for (String id : told) {
      if (inJson()) {
        say(Fields.none().and("worker", id).and("state", "draining"));
      } else {
        say(Printable.text(id) + " gives its claims back and ends");
      }
    }
    return Exit.DONE;
  }

  /** The database, which this command needs. */
  static ServerDatabase server(DataOption data) {
    return data.server()
        .orElseThrow(
            () ->
                new WrongSetting(
                    "db is not set: a data directory has one crawl, which Ctrl-C or SIGTERM ends;"
                        + " name the database of several workers with --db"));
  }

  /** The name for the audit. */
  static String actor() {
    return System.getProperty("user.name", "operator");
  }
}
