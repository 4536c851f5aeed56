package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.text.Fields;
import dev.comity.core.util.Printable;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Examination;
import dev.comity.store.doctor.Finding;
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
      "Check that a data directory is consistent: its file, rows, times, runs, claims,"
          + " states, spacing, rests, budgets, frontiers and counters. Changes nothing, and works"
          + " beside a running crawl."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:something is wrong, and was named",
      "2:invalid command line"
    })
public final class DoctorCommand extends DataCommand {
  @Override
  protected int answer(DataOption data) {
    Settings settings = settings();
    Duration longest = settings.policy().learning().longest();
    List<Examination> all =
        new Doctor(data.existingDirectory(), longest, budgets(settings), Instant.now())
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
