package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.web.support.Line;
import dev.comity.web.support.Loopback;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done to every coding is done to each alike: bombs, cuts, and bytes that are wrong. */
@ParameterizedClass
@EnumSource(Line.class)
class FetchCodingsTest {
  private static final String TEXT = "hello".repeat(100);

  private final Line line;
  private final Loopback fetcher = Loopback.patient();

  FetchCodingsTest(Line line) {
    this.line = line;
  }

  @AfterEach
  void close() {
    fetcher.close();
  }

  /** Each coding as a server names it. */
  enum Coding {
    GZIP("gzip") {
      @Override
      OutputStream encoding(OutputStream out) throws Exception {
        return new GZIPOutputStream(out);
      }
    },
    ZLIB("deflate") {
      @Override
      OutputStream encoding(OutputStream out) {
        return new DeflaterOutputStream(out);
      }
    },
    RAW_DEFLATE("deflate") {
      @Override
      OutputStream encoding(OutputStream out) {
        return new DeflaterOutputStream(out, new Deflater(9, true));
      }
    },
    ZSTD("zstd") {
      @Override
      byte[] encoded(byte[] bytes) {
        return Zstd.compress(bytes);
      }
    },
    /** There is no encoder for it here, so these were made elsewhere. */
    BROTLI("br") {
      @Override
      byte[] encoded(byte[] bytes) {
        return HexFormat.of()
            .parseHex(
                bytes.length == TEXT.length()
                    ? "1bf301f8a5cbd0d8de046b5140aad4"
                    : "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200"
                        + "ddfb3ffeffffc13f0110870500baf77ffcffff837f02200e0b0074effff20f5e0fff0440"
                        + "1c1600e8a0eb01");
      }
    };

    private final String header;

    Coding(String header) {
      this.header = header;
    }

    OutputStream encoding(OutputStream out) throws Exception {
      throw new UnsupportedOperationException();
    }

    byte[] encoded(byte[] bytes) throws Exception {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (OutputStream coding = encoding(out)) {
        coding.write(bytes);
      }
      return out.toByteArray();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_page_is_decoded(Coding coding) throws Exception {
    byte[] encoded = coding.encoded(TEXT.getBytes(StandardCharsets.UTF_8));
    Success page = (Success) page(coding.header, encoded);
    assertThat(new String(page.body().bytes(), StandardCharsets.UTF_8)).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @EnumSource
  void a_bomb_is_given_up_at_the_limit(Coding coding) throws Exception {
    byte[] bomb = coding.encoded(new byte[50_000_000]);
    assertThat(bomb.length).isLessThan(100_000);
    assertThat(page(coding.header, bomb)).isEqualTo(new TooLarge(200, 100_000));
  }

  @ParameterizedTest
  @EnumSource
  void a_bomb_within_another_is_given_up_too(Coding coding) throws Exception {
    byte[] bomb = Coding.GZIP.encoded(coding.encoded(new byte[50_000_000]));
    assertThat(page(coding.header + ", gzip", bomb)).isEqualTo(new TooLarge(200, 100_000));
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_that_ends_too_soon_is_undecodable_and_its_connection_serves_the_next(Coding coding)
      throws Exception {
    byte[] whole = coding.encoded(TEXT.getBytes(StandardCharsets.UTF_8));
    byte[] cut = Arrays.copyOf(whole, whole.length - whole.length / 3);
    assertThatTheNextIsRight(coding.header, cut);
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_that_goes_wrong_is_undecodable_and_its_connection_serves_the_next(Coding coding)
      throws Exception {
    byte[] wrong = coding.encoded(TEXT.getBytes(StandardCharsets.UTF_8));
    Arrays.fill(wrong, 0, wrong.length / 2, (byte) 0xff);
    assertThatTheNextIsRight(coding.header, wrong);
  }

  @ParameterizedTest
  @EnumSource
  void whatever_bytes_come_they_end_as_an_outcome(Coding coding) throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    byte[] whole = coding.encoded(TEXT.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < 100; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(page(coding.header, damaged))
          .isInstanceOfAny(Success.class, Undecodable.class, TooLarge.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd, zstd, zstd", "gzip, br, zstd", "br\r\nContent-Encoding: br, br"})
  void three_layers_are_not_decoded(String header) throws Exception {
    assertThat(page(header, new byte[] {1}))
        .isEqualTo(new Undecodable(200, "3 layers of encoding"));
  }

  @Test
  void a_zstd_frame_may_want_a_window_of_8_MiB_and_no_more() throws Exception {
    assertThat(page("zstd", zstdWithWindow(23))).isInstanceOf(Success.class);
    assertThat(page("zstd", zstdWithWindow(24))).isInstanceOf(Undecodable.class);
    assertThat(page("zstd", zstdWithWindow(31))).isInstanceOf(Undecodable.class);
  }

  /** Five times an x, in a frame that asks for a window of that size. */
  private static byte[] zstdWithWindow(int log) {
    byte[] frame = HexFormat.of().parseHex("28b52ffd" + "00" + "00" + "2b0000" + "78");
    frame[5] = (byte) ((log - 10) << 3);
    return frame;
  }

  private void assertThatTheNextIsRight(String coding, byte[] body) throws Exception {
    Script script = Script.replying(reply(coding, body), Replies.html("next"));
    try (var server = line.playing(script)) {
      assertThat(fetcher.page(server.url("/1"))).isInstanceOf(Undecodable.class);
      Success next = (Success) fetcher.page(server.url("/2"));
      assertThat(new String(next.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("next");
      assertThat(server.requests()).hasSize(2);
    }
  }

  private FetchOutcome page(String coding, byte[] body) throws InterruptedException {
    try (var server = line.playing(Script.replying(reply(coding, body)))) {
      return fetcher.page(server.url("/"));
    }
  }

  private static String reply(String coding, byte[] body) {
    return Replies.ok("text/html", body, "Content-Encoding: " + coding);
  }
}
