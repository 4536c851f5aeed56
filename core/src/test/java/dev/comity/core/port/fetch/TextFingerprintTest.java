package dev.comity.core.port.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TextFingerprintTest {
  /** FNV-1a of "abc" in 64 bits, as published. */
  private static final long ABC = 0xe71fa2190541574bL;

  @Test
  void the_value_of_a_text_is_stored_and_stays() {
    assertThat(of("abc")).isEqualTo(ABC);
    assertThat(PageText.of("Zürich 東京").fingerprint()).isEqualTo(350370515115133452L);
  }

  @Test
  void white_space_and_parts_do_not_count() {
    assertThat(of(" a\n b\tc ")).isEqualTo(ABC);
    assertThat(of("a", "", "bc")).isEqualTo(ABC);
  }

  @Test
  void a_text_longer_than_the_buffer_is_the_same_in_parts_of_any_length() {
    String text = "Lorem ipsum dolor sit amet, consectetur. ".repeat(100);
    assertThat(of(text)).isEqualTo(of(text.split("(?<=\\G.{7})")));
    assertThat(of(text)).isNotEqualTo(of(text.replaceFirst("\\.\\s$", "!")));
  }

  private static long of(String... parts) {
    TextFingerprint fingerprint = new TextFingerprint();
    for (String part : parts) {
      fingerprint.add(part, 0, part.length());
    }
    return fingerprint.value();
  }
}
