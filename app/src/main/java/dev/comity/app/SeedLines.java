package dev.comity.app;

import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where to start, gathered from the command line and from files of one URL or host a line. A wrong
 * argument is a mistake to be corrected; a wrong line among many is named, and the others count.
 */
final class SeedLines {
  /** Standard input as a file. */
  static final String STANDARD_INPUT = "-";

  /** No line that long is a URL; what is beyond is not even kept while it is read. */
  static final int LONGEST_LINE = 40_000;

  /** More complaints than this help nobody. */
  private static final int MOST_COMPLAINTS = 20;

  private static final String MARK = "\ufeff";

  private final Set<Seed> seeds = new LinkedHashSet<>();
  private final List<String> complaints = new ArrayList<>();
  private long bad;

  private SeedLines() {}

  /**
   * @throws WrongSetting if an argument is no seed, a file cannot be read, or there is no seed at
   *     all
   */
  static SeedLines gather(List<String> arguments, List<String> files, InputStream in) {
    SeedLines lines = new SeedLines();
    arguments.forEach(lines::argument);
    files.forEach(file -> lines.file(file, in));
    if (lines.seeds.isEmpty()) {
      throw new WrongSetting(
          files.isEmpty()
              ? "nowhere to start: name a URL, or a file of them with --seeds"
              : lines.words() + "no line of " + String.join(", ", files) + " is a URL or a host");
    }
    return lines;
  }

  List<Seed> seeds() {
    return List.copyOf(seeds);
  }

  boolean hasBadLines() {
    return bad > 0;
  }

  /** A line for each bad one, as far as they are worth it. */
  List<String> complaints() {
    if (bad <= complaints.size()) {
      return List.copyOf(complaints);
    }
    List<String> all = new ArrayList<>(complaints);
    all.add("and " + Words.count(bad - complaints.size(), "bad line") + " more");
    return all;
  }

  private String words() {
    return complaints().stream()
        .map(line -> line + System.lineSeparator())
        .reduce("", String::concat);
  }

  private void argument(String text) {
    switch (Seed.parse(text)) {
      case Seed seed -> seeds.add(seed);
      case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
    }
  }

  private void file(String name, InputStream in) {
    if (name.equals(STANDARD_INPUT)) {
      try {
        read("standard input", in);
      } catch (IOException failed) {
        throw new WrongSetting("standard input cannot be read: " + failed.getMessage());
      }
      return;
    }
    try {
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new WrongSetting("seeds: " + name + " is a directory; name a file in it");
      }
      try (InputStream bytes = Files.newInputStream(path)) {
        read(name, bytes);
      }
    } catch (IOException | InvalidPathException failed) {
      throw new WrongSetting(
          "seeds: "
              + Visible.text(name)
              + " cannot be read ("
              + failed.getClass().getSimpleName()
              + ")");
    }
  }

  private void read(String name, InputStream bytes) throws IOException {
    InputStream in = new BufferedInputStream(bytes);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long number = 1;
    long length = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        line(name, number++, line, length);
        line.reset();
        length = 0;
      } else {
        if (length++ < LONGEST_LINE) {
          line.write(b);
        }
      }
    }
    line(name, number, line, length);
  }

  private void line(String name, long number, ByteArrayOutputStream bytes, long length) {
    String text = bytes.toString(StandardCharsets.UTF_8);
    String line = (number == 1 && text.startsWith(MARK) ? text.substring(1) : text).strip();
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    if (length > LONGEST_LINE) {
      complain(name, number, "a line of " + length + " bytes is no URL");
    } else if (line.indexOf('\0') >= 0) {
      complain(name, number, "it has NUL characters, so it is not text in UTF-8");
    } else {
      switch (Seed.parse(line)) {
        case Seed seed -> seeds.add(seed);
        case UrlRefusal refusal -> complain(name, number, refusal.message());
      }
    }
  }

  private void complain(String name, long number, String why) {
    bad++;
    if (complaints.size() < MOST_COMPLAINTS) {
      complaints.add(name + ":" + number + ": " + why);
    }
  }
}
