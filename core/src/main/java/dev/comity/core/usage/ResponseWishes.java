package dev.comity.core.usage;

import dev.comity.core.usage.Wish.FoundIn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Collects the wishes that come with one response: in its header, and in the meta elements of its
 * page. One per response; not thread-safe.
 */
public final class ResponseWishes {
  /** More lines of one name are not read. */
  private static final int MOST_LINES = 16;

  /** More meta elements about mining are not read. */
  private static final int MOST_METAS = 16;

  private static final String RESERVATION = "tdm-reservation";
  private static final String POLICY = "tdm-policy";
  private static final String ROBOTS = "x-robots-tag";
  private static final String USAGE = "content-usage";
  private static final String SIGNAL = "content-signal";

  /** The names of the header lines that state wishes. */
  public static final Set<String> LINES = Set.of(ROBOTS, USAGE, SIGNAL, RESERVATION, POLICY);

  private final RobotsDirectives robots;
  private final List<Wish> wishes = new ArrayList<>(0);
  private int metas;

  /**
   * @param robotsToken the name we go by: directives may be for it alone
   * @param now pages may expire
   */
  public ResponseWishes(String robotsToken, Instant now) {
    this.robots = new RobotsDirectives(robotsToken, now);
  }

  /**
   * What the header alone says: known before a byte of the body is read.
   *
   * @param headers every value of a header line, by its name
   */
  public static Wishes ofHeader(
      Function<String, List<String>> headers, String robotsToken, Instant now) {
    ResponseWishes read = new ResponseWishes(robotsToken, now);
    read.header(headers);
    return read.wishes();
  }

  /**
   * The lines of the response header.
   *
   * @param headers every value of a header line, by its name
   */
  public void header(Function<String, List<String>> headers) {
    headers.apply(ROBOTS).forEach(robots::header);
    for (String line : lines(headers, USAGE)) {
      wishes.addAll(UsageLines.contentUsage(line, FoundIn.HEADER));
    }
    for (String line : lines(headers, SIGNAL)) {
      wishes.addAll(UsageLines.contentSignal(line, FoundIn.HEADER));
    }
    for (String line : lines(headers, RESERVATION)) {
      wishes.add(UsageLines.tdmReservation(line, FoundIn.HEADER));
    }
    for (String line : lines(headers, POLICY)) {
      wishes.add(UsageLines.tdmPolicy(line, FoundIn.HEADER));
    }
  }

  private static List<String> lines(Function<String, List<String>> headers, String name) {
    List<String> lines = headers.apply(name);
    return lines.size() <= MOST_LINES ? lines : lines.subList(0, MOST_LINES);
  }

  /** One meta element of the page. */
  public void meta(String name, String content) {
    robots.meta(name, content);
    if (metas == MOST_METAS || !name.regionMatches(true, 0, "tdm-", 0, 4)) {
      return;
    }
    metas++;
    if (name.equalsIgnoreCase(RESERVATION)) {
      wishes.add(UsageLines.tdmReservation(content, FoundIn.META));
    } else if (name.equalsIgnoreCase(POLICY)) {
      wishes.add(UsageLines.tdmPolicy(content, FoundIn.META));
    }
  }

  /** Whether the page has not expired. Title and text of an expired page are not kept. */
  public boolean mayKeep() {
    return robots.mayKeep();
  }

  /** Whether the page's links may be followed. */
  public boolean mayFollow() {
    return robots.mayFollow();
  }

  /** All of them so far. */
  public Wishes wishes() {
    if (robots.wishes().isEmpty()) {
      return Wishes.of(wishes);
    }
    List<Wish> all = new ArrayList<>(robots.wishes());
    all.addAll(wishes);
    return Wishes.of(all);
  }
}
