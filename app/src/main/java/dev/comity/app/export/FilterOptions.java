package dev.comity.app.export;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import dev.comity.store.report.RowFilter;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The rows that an export takes. */
public final class FilterOptions {
  @Option(names = "--run", paramLabel = "N", description = "Only of this run; `comity runs` has N.")
  private @Nullable Long run;

  @Option(
      names = "--domain",
      paramLabel = "NAME",
      description = "Only of this domain. Can be given several times.")
  private List<String> domains = new ArrayList<>();

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only with this status of HTTP: 200, or 4xx for all of them.")
  private @Nullable String status;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only what was asked from then on: 2026-11-18 or 2026-11-18T12:00:00Z, in UTC.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Only what was asked before then.")
  private @Nullable String until;

  /**
   * The filter that these make.
   *
   * @param of what is filtered: domains know no request
   * @throws WrongSetting if one cannot be read, or does not fit
   */
  public RowFilter filter(ExportTable of) {
    if (of == ExportTable.IMAGES && !(run == null && status == null)) {
      throw new WrongSetting(
          "images are found in many runs, so --run and --status do not choose among them: use"
              + " --domain, --since or --until");
    }
    if (of == ExportTable.DOMAINS && !(run == null && status == null && isAnyTime())) {
      throw new WrongSetting(
          "domains are no requests, so only --domain can choose among them: leave out --run,"
              + " --status, --since and --until");
    }
    return new RowFilter(
        run == null ? OptionalLong.empty() : OptionalLong.of(run),
        domains.stream().map(FilterOptions::domain).toList(),
        Optional.ofNullable(status).map(FilterOptions::range),
        Optional.ofNullable(since).map(text -> time("since", text)),
        Optional.ofNullable(until).map(text -> time("until", text)));
  }

  /** Refuses every filter. */
  public void requireNone() {
    if (run != null || status != null || !domains.isEmpty() || !isAnyTime()) {
      throw new WrongSetting(
          "shards hold every kept image: leave out --run, --domain, --status, --since and --until");
    }
  }

  private boolean isAnyTime() {
    return since == null && until == null;
  }

  private static String domain(String given) {
    return switch (DomainName.parse(given)) {
      case DomainName domain -> domain.name();
      case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
    };
  }

  private static RowFilter.StatusRange range(String text) {
    String given = text.toLowerCase(Locale.ROOT);
    if (given.matches("[1-5]xx")) {
      int first = (given.charAt(0) - '0') * 100;
      return new RowFilter.StatusRange(first, first + 99);
    }
    if (given.matches("[1-9][0-9]{2}")) {
      int code = Integer.parseInt(given);
      return new RowFilter.StatusRange(code, code);
    }
    throw new WrongSetting(
        "status is %s, but must be one like 200, or 4xx for all of them"
            .formatted(Printable.text(text)));
  }

  private static Instant time(String name, String text) {
    try {
      return text.length() == 10
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeParseException _) {
      throw new WrongSetting(
          "%s is %s, but must be a day like 2026-11-18 or a time like 2026-11-18T12:00:00Z"
              .formatted(name, Printable.text(text)));
    }
  }
}
