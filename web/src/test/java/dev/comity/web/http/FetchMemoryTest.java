package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Departure;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory for a body is reserved before it is read. Pages here may have 100,000 bytes. */
@ParameterizedClass
@EnumSource(Line.class)
class FetchMemoryTest {
  private static final byte[] PAGE = "x".repeat(90_000).getBytes(StandardCharsets.US_ASCII);

  private final Line line;

  FetchMemoryTest(Line line) {
    this.line = line;
  }

  /** What may happen when a body asks for memory. */
  private interface Reserving {
    void reserve(long length) throws InterruptedException;
  }

  private static Departure with(Reserving reserving) {
    return new Departure() {
      @Override
      public boolean start() {
        return true;
      }

      @Override
      public void reserve(long length) throws InterruptedException {
        reserving.reserve(length);
      }
    };
  }

  @Test
  void the_length_that_is_announced_is_reserved_at_once() throws Exception {
    assertThat(reservations(Replies.ok("text/html", PAGE))).containsExactly(90_000L);
  }

  @Test
  void a_page_that_is_announced_as_too_large_is_neither_reserved_nor_read() throws Exception {
    String head = Replies.head("200 OK", "Content-Type: text/html", "Content-Length: 999999999");
    List<Long> lengths = new ArrayList<>();
    try (ScriptedServer server = line.playing(Script.replying(head + "<p>" + "x".repeat(9_000)));
        Loopback fetcher = Loopback.patient(Line.trust())) {
      Fetched fetched = fetcher.fetch(server.url("/"), with(lengths::add));
      assertThat(fetched.outcome()).isEqualTo(new TooLarge(200, 100_000));
      assertThat(fetched.bytes()).isLessThanOrEqualTo(9_003);
    }
    assertThat(lengths).containsExactly(32L << 10);
  }

  @Test
  void a_body_of_unknown_length_reserves_more_as_it_grows() throws Exception {
    String chunked =
        Replies.head("200 OK", "Content-Type: text/html", "Transfer-Encoding: chunked")
            + Integer.toHexString(PAGE.length)
            + "\r\n"
            + new String(PAGE, StandardCharsets.US_ASCII)
            + "\r\n0\r\n\r\n";
    assertThat(reservations(chunked)).containsExactly(32L << 10, 64L << 10, 100_001L);
  }

  @Test
  void what_is_compressed_reserves_what_it_comes_to() throws Exception {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(PAGE);
    }
    assertThat(
            reservations(Replies.ok("text/html", zipped.toByteArray(), "Content-Encoding: gzip")))
        .containsExactly(32L << 10, 64L << 10, 100_001L);
  }

  private List<Long> reservations(String reply) throws Exception {
    List<Long> lengths = new ArrayList<>();
    try (ScriptedServer server = line.playing(Script.replying(reply));
        Loopback fetcher = Loopback.patient(Line.trust())) {
      Success page = (Success) fetcher.fetch(server.url("/"), with(lengths::add)).outcome();
      assertThat(page.body().bytes()).isEqualTo(PAGE);
    }
    return lengths;
  }

  @Test
  void while_a_body_waits_for_memory_no_time_out_runs() throws Exception {
    try (ScriptedServer server = line.playing(Script.replying(Replies.ok("text/html", PAGE)));
        Loopback fetcher = Loopback.withShortTotal(Line.trust())) {
      Fetched fetched = fetcher.fetch(server.url("/"), with(_ -> outlast(fetcher)));
      assertThat(fetched.outcome()).isInstanceOf(Success.class);
      assertThat(fetched.total()).isLessThan(Duration.ofMillis(500));
    }
  }

  @Test
  void after_the_wait_the_time_outs_run_on() throws Exception {
    String begun = Replies.head("200 OK", "Content-Type: text/html", "Content-Length: 9");
    Script stalling =
        wire -> {
          wire.request();
          wire.send(begun);
          wire.hold();
        };
    try (ScriptedServer server = line.playing(stalling);
        Loopback fetcher = Loopback.withShortTotal(Line.trust())) {
      assertThat(fetcher.fetch(server.url("/"), with(_ -> outlast(fetcher))).outcome())
          .isEqualTo(new TimedOut("longer than 0.5 s while reading the body"));
    }
  }

  /** Waits as long as any request of this fetcher may take. */
  private static void outlast(Loopback fetcher) throws InterruptedException {
    try (ScriptedServer silent = ScriptedServer.playing(Script.silent())) {
      assertThat(fetcher.page(silent.url("/"))).isInstanceOf(TimedOut.class);
    }
  }

  @Test
  void a_connection_that_broke_while_its_body_waited_is_not_the_sites_fault() throws Exception {
    String begun = Replies.head("200 OK", "Content-Type: text/html", "Content-Length: 9");
    try (ScriptedServer server = line.playing(Script.replying(begun), Script.replying(begun));
        Loopback fetcher = Loopback.withShortIdle(Line.trust());
        Loopback clock = Loopback.withShortFirstByte(Line.trust())) {
      FetchOutcome waited = fetcher.fetch(server.url("/"), with(_ -> outlast(clock))).outcome();
      assertThat(waited).isEqualTo(new Cancelled());
      FetchOutcome didNot = fetcher.fetch(server.url("/"), with(_ -> {})).outcome();
      assertThat(didNot).isInstanceOf(ConnectionFailed.class);
    }
  }

  @Test
  void a_page_there_is_no_memory_for_costs_that_page() throws Exception {
    try (ScriptedServer server = line.playing(Script.replying(Replies.ok("text/html", PAGE)));
        Loopback fetcher = Loopback.patient(Line.trust())) {
      Departure without =
          with(
              _ -> {
                throw new OutOfMemoryError("of a test");
              });
      assertThat(fetcher.fetch(server.url("/"), without).outcome())
          .isEqualTo(new Undecodable(200, "reading it took too much memory"));
    }
  }
}
