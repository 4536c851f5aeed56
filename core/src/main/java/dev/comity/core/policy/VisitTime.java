package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * The hours of the day at which a robots.txt allows requests, in UTC. They may cross midnight.
 *
 * @param from the first minute since midnight
 * @param to the first minute after it; the same as {@code from} for the whole day
 */
public record VisitTime(int from, int to) {
  private static final int DAY = 24 * 60;

  public VisitTime {
    from = Math.floorMod(from, DAY);
    to = Math.floorMod(to, DAY);
  }

  /** Of two that are asked for, the shorter; of two equally long ones, this. */
  public VisitTime shorter(VisitTime other) {
    return other.minutes() < minutes() ? other : this;
  }

  private int minutes() {
    int minutes = Math.floorMod(to - from, DAY);
    return minutes == 0 ? DAY : minutes;
  }

  /** The first moment from this one on at which a request may start. */
  Instant opensAt(Instant at) {
    LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
    Instant today = day.atStartOfDay(ZoneOffset.UTC).toInstant().plus(Duration.ofMinutes(from));
    Instant opened = today.isAfter(at) ? today.minus(Duration.ofDays(1)) : today;
    boolean open = at.isBefore(opened.plus(Duration.ofMinutes(minutes())));
    return open ? at : opened.plus(Duration.ofDays(1));
  }

  /** The hours, for people: 22:00 to 06:00 UTC. */
  String words() {
    return clock(from) + " to " + clock(to) + " UTC";
  }

  private static String clock(int minute) {
    return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
  }
}
