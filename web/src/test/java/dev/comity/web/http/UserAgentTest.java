package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserAgentTest {
  @Test
  void it_names_product_version_and_contact() {
    assertThat(new UserAgent("0.1.0", Optional.of("https://example.org/bot")).header())
        .isEqualTo("Comity/0.1.0 (+https://example.org/bot)");
    assertThat(new UserAgent("0.1.0-SNAPSHOT", Optional.of("me@example.org")).header())
        .isEqualTo("Comity/0.1.0-SNAPSHOT (+me@example.org)");
  }

  @Test
  void without_a_contact_it_names_the_product_alone() {
    assertThat(new UserAgent("0.1.0", Optional.empty()).header()).isEqualTo("Comity/0.1.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "me",
        "@",
        "me@",
        "@example.org",
        "https://",
        "ftp://example.org",
        "a b@example.org",
        "me@example.org)",
        "https://example.org/\r\nX: y",
        "mé@example.org",
        "a@b@c"
      })
  void a_contact_is_an_address_that_fits_in_a_header(String contact) {
    assertThatThrownBy(() -> new UserAgent("0.1.0", Optional.of(contact)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_version_that_would_break_the_header_is_refused() {
    assertThatThrownBy(() -> new UserAgent("1\n2", Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
