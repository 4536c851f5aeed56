package dev.comity.web.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawHeadStreamTest {
  /** An answer whose head and body both have a byte that is no UTF-8. */
  private static final String ANSWER =
      "HTTP/1.1 302 F\u00e9\r\nLocation: /\u00fc\r\n\r\nb\u00e9\r\n\r\n\u00fc";

  private static final String HANDED_ON =
      "HTTP/1.1 302 F\u00c3\u00a9\r\nLocation: /\u00c3\u00bc\r\n\r\nb\u00e9\r\n\r\n\u00fc";

  /** However little is asked for at a time. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8192})
  void only_bytes_of_heads_are_handed_on_as_characters(int atOnce) throws IOException {
    assertThat(read(ANSWER, atOnce)).isEqualTo(HANDED_ON);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 8192})
  void the_head_after_an_interim_answer_is_one_too(int atOnce) throws IOException {
    String interim = "HTTP/1.1 103 Early\nLink: </\u00e9>\n\n";
    assertThat(read(interim + ANSWER, atOnce))
        .isEqualTo("HTTP/1.1 103 Early\nLink: </\u00c3\u00a9>\n\n" + HANDED_ON);
  }

  @Test
  void the_answer_to_the_next_request_has_a_head_again() throws IOException {
    byte[] two = (ANSWER + ANSWER).getBytes(StandardCharsets.ISO_8859_1);
    RawHeadStream stream = new RawHeadStream(new ByteArrayInputStream(two));
    byte[] first = new byte[HANDED_ON.length()];
    for (int at = 0; at < first.length; at++) {
      first[at] = (byte) stream.read();
    }
    assertThat(new String(first, StandardCharsets.ISO_8859_1)).isEqualTo(HANDED_ON);
    stream.expectHead();
    assertThat(read(stream, 8192)).isEqualTo(HANDED_ON);
  }

  private static String read(String answers, int atOnce) throws IOException {
    return read(
        new RawHeadStream(new ByteArrayInputStream(answers.getBytes(StandardCharsets.ISO_8859_1))),
        atOnce);
  }

  private static String read(RawHeadStream stream, int atOnce) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] some = new byte[atOnce];
    for (int count = stream.read(some); count >= 0; count = stream.read(some)) {
      all.write(some, 0, count);
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }
}
