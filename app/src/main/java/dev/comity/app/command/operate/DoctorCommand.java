package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.RunSettings;
import dev.comity.app.settings.Settings;
import dev.comity.app.text.DurationConverter;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Printable;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.doctor.Finding;
import dev.comity.store.fleet.JoinableRun;
import dev.comity.store.image.ImageDirectory;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code comity doctor}: checks that a data directory is consistent. */
@Command(
    name = "doctor",
    description = {
      "Check that a data directory or a database is consistent: its file or tables, rows, times,"
          + " runs, workers, claims, states, spacing, rests, budgets, frontiers and counters."
          + " Changes nothing, and works beside a running crawl."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:something is wrong, and was named",
      "2:invalid command line"
    })
public final class DoctorCommand extends DataCommand {
  /** How many runs may have rules that this process has not. */
  private static final int RUNS = 100;

  @Override
  protected int answer(DataOption data) {
    List<Examination> all =
        doctor(data)
            .examine(
                examination -> {
                  if (inJson()) {
                    say(fields(examination));
                  } else {
                    show(examination);
                  }
                });
    return all.stream().allMatch(Examination::isSound) ? Exit.DONE : Exit.FAILED;
  }

  private Doctor doctor(DataOption data) {
    Settings settings = settings();
    Map<String, Long> budgets = budgets(settings);
    // Runs on a server have rules of their own, of the crawls that began them.
    List<RunSettings> runs =
        data.server().map(server -> JoinableRun.settings(server, RUNS)).orElse(List.of()).stream()
            .map(RunSettings::read)
            .toList();
    runs.forEach(
        run -> run.budgets().forEach((domain, most) -> budgets.merge(domain, most, Math::max)));
    Duration longest =
        runs.stream()
            .flatMap(run -> run.value("learning-cap").stream())
            .map(new DurationConverter()::convert)
            .reduce(settings.policy().learning().longest(), DoctorCommand::longer);
    Doctor doctor = new Doctor(data.existing(), longest, budgets, Instant.now());
    return data.server().isPresent() && ImageDirectory.isIn(data.directory())
        ? doctor.withImagesIn(data.directory())
        : doctor;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private static Map<String, Long> budgets(Settings settings) {
    Map<String, Long> budgets = new HashMap<>();
    settings
        .domains()
        .forEach(
            (domain, terms) ->
                terms.maxPages().ifPresent(most -> budgets.put(domain.name(), most)));
    return budgets;
  }

  private void show(Examination examination) {
    say(
        "%-5s  %-9s  %s%s"
            .formatted(
                examination.isSound() ? "ok" : "WRONG",
                examination.check(),
                examination.rule(),
                examination.invariant() == 0
                    ? ""
                    : " (invariant " + examination.invariant() + ")"));
    for (Finding finding : examination.findings()) {
      String subject = finding.subject().isEmpty() ? "" : finding.subject() + ": ";
      say("       - " + Printable.text(subject + finding.words() + "; " + finding.fix()));
    }
    if (examination.more() > 0) {
      say("       - and " + examination.more() + " more");
    }
  }

  private static Fields fields(Examination examination) {
    return Fields.none()
        .and("check", examination.check())
        .and("invariant", examination.invariant())
        .and("rule", examination.rule())
        .and("sound", examination.isSound())
        .and(
            "findings",
            examination.findings().stream()
                .map(
                    finding ->
                        Fields.none()
                            .and("subject", finding.subject())
                            .and("finding", finding.words())
                            .and("fix", finding.fix()))
                .toList())
        .and("more", examination.more());
  }
}
