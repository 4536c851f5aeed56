package dev.comity.app.seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a table of seeds has its URLs and its ranks.
 *
 * @param separator what stands between two cells
 * @param url the column of URLs or hosts, from 0
 * @param rank that of ranks; below 0 where there is none
 */
record SeedColumns(char separator, int url, int rank) {
  /** What such columns are called, the likeliest first. */
  private static final List<String> URLS =
      List.of("url", "domain", "host", "hostname", "site", "website", "origin");

  private static final List<String> RANKS = List.of("globalrank", "rank", "priority", "position");

  private static final char[] SEPARATORS = {',', ';', '\t'};

  /** A table that says in its first line what its columns are, as Majestic's list does. */
  static Optional<SeedColumns> ofHeader(String line) {
    char separator = separator(line);
    List<String> names =
        cells(line, separator).stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList();
    int url = first(URLS, names);
    return url < 0
        ? Optional.empty()
        : Optional.of(new SeedColumns(separator, url, first(RANKS, names)));
  }

  /** A table without a heading: a rank and a site, as Tranco's list has them, or the reverse. */
  static Optional<SeedColumns> ofRow(String line) {
    char separator = separator(line);
    List<String> cells = cells(line, separator);
    if (cells.size() == 2 && isNumber(cells.getFirst())) {
      return Optional.of(new SeedColumns(separator, 1, 0));
    }
    // A comma and a number can as well be the end of a URL.
    boolean isHost = cells.size() == 2 && cells.getFirst().indexOf('/') < 0;
    return isHost && isNumber(cells.getLast())
        ? Optional.of(new SeedColumns(separator, 0, 1))
        : Optional.empty();
  }

  /** The only column there is. */
  static SeedColumns single() {
    return new SeedColumns(',', 0, -1);
  }

  private static int first(List<String> wanted, List<String> names) {
    return wanted.stream().mapToInt(names::indexOf).filter(at -> at >= 0).findFirst().orElse(-1);
  }

  private static boolean isNumber(String text) {
    return text.strip().matches("[0-9]{1,18}");
  }

  private static char separator(String line) {
    for (char separator : SEPARATORS) {
      if (line.indexOf(separator) >= 0) {
        return separator;
      }
    }
    return SEPARATORS[0];
  }

  /** A cell in quotes may have separators in it, and quotes written twice. */
  List<String> cells(String line) {
    return cells(line, separator);
  }

  private static List<String> cells(String line, char separator) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < line.length(); at++) {
      char next = line.charAt(at);
      if (next == '"') {
        boolean twice = quoted && at + 1 < line.length() && line.charAt(at + 1) == '"';
        if (twice) {
          cell.append('"');
          at++;
        } else {
          quoted = !quoted;
        }
      } else if (next == separator && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(next);
      }
    }
    cells.add(cell.toString());
    return cells;
  }
}
