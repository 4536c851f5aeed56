package dev.comity.web.net;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Ports on which something else than the web is spoken. What listens there may take a request for
 * talk of its own kind, and some of it does what it is told.
 */
final class Ports {
  /** The bad ports of the fetch standard, which browsers do not connect to either. */
  private static final int[] BAD = {
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
    6669, 6679, 6697, 10080
  };

  /** Databases, caches, brokers and machine controls: never a web site. */
  private static final int[] BEHIND_THE_WEB = {
    445, 873, 1433, 1434, 1521, 2181, 2375, 2376, 2379, 2380, 3260, 3306, 3389, 4369, 5432, 5671,
    5672, 5900, 5984, 6379, 6380, 6432, 7000, 7001, 7199, 9042, 9092, 9160, 9200, 9300, 10250,
        10255,
    11211, 11300, 26257, 26379, 27017, 27018, 27019, 28015, 33060
  };

  private static final Set<Integer> CLOSED =
      IntStream.concat(IntStream.of(BAD), IntStream.of(BEHIND_THE_WEB))
          .boxed()
          .collect(Collectors.toUnmodifiableSet());

  private Ports() {}

  static boolean isForTheWeb(int port) {
    return !CLOSED.contains(port);
  }
}
