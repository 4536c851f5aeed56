package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.web.net.ProxyServer.Login;
import dev.comity.web.net.ProxyServer.Protocol;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyServerTest {

  @Test
  void a_proxy_has_a_kind_a_host_a_port_and_perhaps_a_log_in() {
    assertThat(ProxyServer.parse("http://proxy.example:3128"))
        .isEqualTo(new ProxyServer(Protocol.HTTP, "proxy.example", 3128, Optional.empty()));
    assertThat(ProxyServer.parse("SOCKS5://me:s%3Acr%40t+@[::1]:80/"))
        .isEqualTo(
            new ProxyServer(Protocol.SOCKS5, "::1", 80, Optional.of(new Login("me", "s:cr@t+"))));
  }

  @Test
  void its_password_is_in_no_text_of_it() {
    assertThat(ProxyServer.parse("http://me:secret@proxy.example:3128").toString())
        .contains("proxy.example")
        .doesNotContain("secret")
        .doesNotContain("me:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "me:secret@proxy.example:3128",
        "https://me:secret@proxy.example:3128",
        "socks4://me:secret@proxy.example:3128",
        "http://me:secret@proxy.example",
        "http://me:secret@proxy.example:3128/path",
        "http://me:secret@proxy.example:99999",
        "http://me:secret@:3128",
        "http://secret@proxy.example:3128",
        "http://me:secret%zz@proxy.example:3128",
      })
  void what_cannot_be_used_is_refused_without_repeating_a_password(String text) {
    assertThatThrownBy(() -> ProxyServer.parse(text))
        .hasMessageStartingWith("proxy cannot be used: ")
        .hasMessageEndingWith("; write it like http://proxy.example:3128")
        .hasMessageNotContaining("secret");
  }
}
