package dev.comity.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class PackedBodyTest {
  private static final byte[] PAGE = "<p>a page</p>".repeat(500).getBytes(StandardCharsets.UTF_8);

  @Test
  void a_body_that_came_packed_is_kept_as_it_came() throws IOException {
    byte[] came = gzip(PAGE);
    Body packed = PackedBody.pack(Body.of(PAGE, came));
    assertThat(packed.bytes()).isEqualTo(came);
    assertThat(PackedBody.unpack(packed.bytes()).bytes()).isEqualTo(PAGE);
  }

  @Test
  void a_body_that_came_plain_is_packed_and_unpacked() {
    Body packed = PackedBody.pack(Body.of(PAGE));
    assertThat(packed.length()).isLessThan(PAGE.length / 4);
    assertThat(PackedBody.unpack(packed.bytes()).bytes()).isEqualTo(PAGE);
  }

  @Test
  void what_comes_after_the_packed_body_never_becomes_part_of_it() throws IOException {
    byte[] came = gzip(PAGE);
    // Readers differ: some stop after the first member, and some read on.
    for (byte[] after : new byte[][] {{0, 0, 0}, gzip(new byte[100]), came}) {
      byte[] both = concatenated(came, after);
      Body packed = PackedBody.pack(Body.of(PAGE, both));
      assertThat(PackedBody.unpack(packed.bytes()).bytes()).isEqualTo(PAGE);
    }
    byte[] twice = concatenated(PAGE, PAGE);
    Body packed = PackedBody.pack(Body.of(twice, concatenated(came, came)));
    assertThat(PackedBody.unpack(packed.bytes()).bytes()).isEqualTo(twice);
  }

  @Test
  void damage_is_an_error_and_no_other_body() throws IOException {
    byte[] came = gzip(PAGE);
    came[came.length - 8]++;
    assertThatThrownBy(() -> PackedBody.unpack(came))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("a page in the data directory is damaged");
  }

  private static byte[] concatenated(byte[] one, byte[] other) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(one);
    both.writeBytes(other);
    return both.toByteArray();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
