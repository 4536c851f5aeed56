package dev.comity.testkit.house.support;

import java.net.InetAddress;
import java.nio.file.Path;
import java.sql.Date;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Does everything a pure class must not do, so that {@code PurityTest} is known to notice. */
public final class Worldly {
  private Worldly() {}

  public static List<Object> everything() {
    Thread.onSpinWait();
    Supplier<Instant> hidden = Instant::now;
    return List.of(
        hidden,
        System.nanoTime(),
        Math.max(Math.random(), 1),
        UUID.randomUUID(),
        Clock.systemUTC(),
        InetAddress.getLoopbackAddress(),
        Path.of("file"),
        Date.valueOf("2026-11-01"),
        new ReentrantLock());
  }
}
