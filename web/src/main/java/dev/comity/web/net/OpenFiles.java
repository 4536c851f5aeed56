package dev.comity.web.net;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** File descriptors of this process: how many it may have and how many it has. */
public final class OpenFiles {
  /** The system names no limit. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  private static final File OPEN = new File("/proc/self/fd");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String LINE = "Max open files";

  /** A look-up of a name takes a few. */
  private static final int NONE_LEFT = 3;

  private static final long LIMIT = readLimit();

  private OpenFiles() {}

  /** How many there may be; only Linux tells. */
  public static long limit() {
    return LIMIT;
  }

  private static long readLimit() {
    try {
      return Files.readAllLines(LIMITS).stream()
          .filter(line -> line.startsWith(LINE))
          .map(line -> line.substring(LINE.length()).strip().replaceFirst("\\s.*", ""))
          .filter(number -> !number.equals("unlimited"))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(NO_LIMIT);
    } catch (IOException | NumberFormatException _) {
      return NO_LIMIT;
    }
  }

  /** How many more can be opened now. */
  public static long left() {
    if (LIMIT == NO_LIMIT) {
      return NO_LIMIT;
    }
    String[] open = OPEN.list();
    // Listing them takes one itself.
    return open == null ? 0 : LIMIT - open.length + 1;
  }

  /** Whether something failed because no more can be opened, by what the system said of it. */
  public static boolean ranOut(Throwable failure) {
    String message = failure.getMessage();
    if (message != null && message.toLowerCase(Locale.ROOT).contains("too many open files")) {
      return true;
    }
    return (failure.getCause() != null && ranOut(failure.getCause()))
        || Arrays.stream(failure.getSuppressed()).anyMatch(OpenFiles::ranOut);
  }

  /** Whether hardly anything can be opened now; a failed look-up does not say why. */
  static boolean areNoneLeft() {
    return LIMIT != NO_LIMIT && left() <= NONE_LEFT;
  }
}
