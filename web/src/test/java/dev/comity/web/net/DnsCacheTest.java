package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.web.net.DnsCache.LookupTimedOut;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DnsCacheTest {
  private static final List<InetAddress> HERE = List.of(InetAddress.ofLiteral("192.0.2.1"));
  private static final Duration LONG = Duration.ofMinutes(1);

  private final AtomicInteger asked = new AtomicInteger();
  private volatile Instant now = Instant.parse("2026-11-15T12:00:00Z");

  @Test
  void a_name_is_looked_up_once_for_as_long_as_its_answer_is_good() throws Exception {
    DnsCache cache = cache(_ -> HERE, LONG);
    assertThat(cache.resolve("site.example")).isEqualTo(HERE);
    now = now.plus(DnsCache.GOOD_FOR).minusMillis(1);
    assertThat(cache.resolve("SITE.example")).isEqualTo(HERE);
    assertThat(asked).hasValue(1);
    now = now.plusMillis(1);
    assertThat(cache.resolve("site.example")).isEqualTo(HERE);
    assertThat(asked).hasValue(2);
  }

  @Test
  void a_name_without_an_address_is_asked_again_soon() {
    DnsCache cache = cache(DnsCacheTest::nobody, LONG);
    assertThatThrownBy(() -> cache.resolve("gone.example"))
        .isExactlyInstanceOf(UnknownHostException.class);
    assertThatThrownBy(() -> cache.resolve("gone.example"))
        .isExactlyInstanceOf(UnknownHostException.class);
    assertThat(asked).hasValue(1);
    now = now.plus(DnsCache.BAD_FOR);
    assertThatThrownBy(() -> cache.resolve("gone.example"))
        .isExactlyInstanceOf(UnknownHostException.class);
    assertThat(asked).hasValue(2);
  }

  @Test
  void addresses_are_not_looked_up() throws Exception {
    DnsCache cache = cache(DnsCacheTest::nobody, LONG);
    assertThat(cache.resolve("192.0.2.1")).isEqualTo(HERE);
    assertThat(cache.resolve("::1")).containsExactly(InetAddress.ofLiteral("::1"));
    assertThat(asked).hasValue(0);
  }

  @Test
  void who_asks_for_a_name_that_is_being_looked_up_waits_for_the_same_answer() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    DnsCache cache =
        cache(
            _ -> {
              begun.countDown();
              await(answered);
              return HERE;
            },
            LONG);
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<List<InetAddress>> ask = () -> cache.resolve("site.example");
      Future<List<InetAddress>> first = many.submit(ask);
      begun.await();
      Future<List<InetAddress>> second = many.submit(ask);
      answered.countDown();
      assertThat(first.get()).isEqualTo(HERE);
      assertThat(second.get()).isEqualTo(HERE);
    }
    assertThat(asked).hasValue(1);
  }

  /**
   * The system's resolver keeps its thread while it waits; a carrier would be lost to the crawl.
   */
  @Test
  void names_are_looked_up_on_threads_that_carry_no_others() throws Exception {
    AtomicBoolean virtual = new AtomicBoolean();
    DnsCache cache =
        cache(
            _ -> {
              virtual.set(Thread.currentThread().isVirtual());
              return HERE;
            },
            LONG);
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(many.submit(() -> cache.resolve("site.example")).get()).isEqualTo(HERE);
    }
    assertThat(virtual).isFalse();
  }

  @Test
  void silence_is_waited_for_once_and_hinders_no_other_name() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    DnsCache cache =
        cache(
            host -> {
              if (host.startsWith("silent")) {
                await(never);
              }
              return HERE;
            },
            Duration.ofMillis(100));
    try {
      assertThatThrownBy(() -> cache.resolve("silent.example"))
          .isInstanceOfSatisfying(
              LookupTimedOut.class,
              late -> assertThat(late.after()).isEqualTo(Duration.ofMillis(100)));
      assertThatThrownBy(() -> cache.resolve("silent.example")).isInstanceOf(LookupTimedOut.class);
      assertThat(asked).hasValue(1);
      assertThat(cache.resolve("site.example")).isEqualTo(HERE);
    } finally {
      never.countDown();
    }
  }

  @Test
  void who_is_interrupted_stops_waiting_and_stays_interrupted() {
    CountDownLatch never = new CountDownLatch(1);
    DnsCache cache =
        cache(
            _ -> {
              await(never);
              return HERE;
            },
            LONG);
    try {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> cache.resolve("silent.example"))
          .isInstanceOf(UnknownHostException.class);
      assertThat(Thread.interrupted()).isTrue();
    } finally {
      never.countDown();
    }
  }

  @Test
  void the_oldest_names_leave_when_there_are_too_many() throws Exception {
    DnsCache cache = cache(_ -> HERE, LONG);
    for (int number = 0; number <= 10_000; number++) {
      cache.resolve("site" + number + ".example");
    }
    cache.resolve("site10000.example");
    assertThat(asked).hasValue(10_001);
    cache.resolve("site0.example");
    assertThat(asked).hasValue(10_002);
  }

  private DnsCache cache(Resolver resolver, Duration patience) {
    return new DnsCache(
        host -> {
          asked.incrementAndGet();
          return resolver.resolve(host);
        },
        patience,
        () -> now);
  }

  private static List<InetAddress> nobody(String host) throws UnknownHostException {
    throw new UnknownHostException(host);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
