package dev.comity.store.refresh;

import dev.comity.core.schedule.ChangeHistory;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.HintTrust;
import dev.comity.core.schedule.RefreshPrice;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a domain's refreshes, as its row has it: a line of numbers, and a line for each
 * template.
 */
public final class RefreshText {
  private RefreshText() {}

  /** A text that is missing or cannot be read tells nothing: the domain begins anew. */
  public static DomainRefresh read(@Nullable String text, Instant now) {
    if (text == null) {
      return DomainRefresh.first(now);
    }
    try {
      List<String> lines = text.lines().toList();
      double[] first = numbers(lines.getFirst());
      Map<String, ChangeHistory> templates = new LinkedHashMap<>();
      for (String line : lines.subList(1, lines.size())) {
        int space = line.indexOf(' ');
        double[] sums = numbers(line.substring(space + 1));
        templates.put(
            line.substring(0, space), new ChangeHistory(sums[0], sums[1], sums[2], sums[3]));
      }
      return new DomainRefresh(
          new RefreshPrice(first[0], Instant.ofEpochSecond((long) first[1])),
          new HintTrust(first[3], first[4], first[5]),
          templates,
          Instant.ofEpochSecond((long) first[2]));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException _) {
      return DomainRefresh.first(now);
    }
  }

  private static double[] numbers(String line) {
    String[] words = line.split(" ", -1);
    double[] numbers = new double[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = Double.parseDouble(words[i]);
    }
    return numbers;
  }

  /** As {@link #read} reads it. */
  public static String of(DomainRefresh domain) {
    StringBuilder text = new StringBuilder();
    HintTrust trust = domain.trust();
    write(text, domain.price().days());
    text.append(' ').append(domain.price().setAt().getEpochSecond());
    text.append(' ').append(domain.refreshedAt().getEpochSecond());
    write(text, trust.alarms(), trust.found(), trust.expected());
    domain
        .templates()
        .forEach(
            (template, sums) -> {
              text.append('\n').append(template);
              write(text, sums.unchangedDays(), sums.changes(), sums.changedDays(), sums.dated());
            });
    return text.toString();
  }

  private static void write(StringBuilder text, double... numbers) {
    for (double number : numbers) {
      text.append(text.isEmpty() ? "" : " ").append(String.format(Locale.ROOT, "%.6g", number));
    }
  }
}
