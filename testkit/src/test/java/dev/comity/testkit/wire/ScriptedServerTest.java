package dev.comity.testkit.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ScriptedServerTest {
  private static final String REQUEST = "GET /x HTTP/1.1\r\nHost: a\r\nX-Two:  words here\r\n\r\n";

  @Test
  void each_connection_plays_its_own_script_and_the_last_one_repeats() throws Exception {
    try (var server = ScriptedServer.playing(wire -> wire.send("one"), wire -> wire.send("more"))) {
      assertThat(said(server, "")).isEqualTo("one");
      assertThat(said(server, "")).isEqualTo("more");
      assertThat(said(server, "")).isEqualTo("more");
      assertThat(server.connections()).isEqualTo(3);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void requests_are_kept_as_they_came() throws Exception {
    try (var server = ScriptedServer.playing(Script.replying("first", "second"))) {
      assertThat(said(server, REQUEST + REQUEST)).isEqualTo("firstsecond");
      assertThat(server.requests()).hasSize(2);
      SeenRequest request = server.requests().getLast();
      assertThat(request.line()).isEqualTo("GET /x HTTP/1.1");
      assertThat(request.headers()).containsExactly("Host: a", "X-Two:  words here");
      assertThat(request.header("x-two")).contains("words here");
      assertThat(request.header("x-tw")).isEmpty();
      assertThat(request.connection()).isZero();
    }
  }

  @Test
  void half_a_request_is_none() throws Exception {
    try (var server = ScriptedServer.playing(Script.alwaysReplying("never"))) {
      assertThat(said(server, "GET / HTTP/1.1\r\n")).isEmpty();
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void replies_are_well_formed() {
    assertThat(Replies.html("é").split("\r\n"))
        .containsExactly(
            "HTTP/1.1 200 OK",
            "Content-Type: text/html; charset=utf-8",
            "Content-Length: 2",
            "",
            "\u00c3\u00a9");
    assertThat(Replies.status("302 Found", "Location: /x", "X: y"))
        .isEqualTo("HTTP/1.1 302 Found\r\nLocation: /x\r\nX: y\r\nContent-Length: 0\r\n\r\n");
  }

  @Test
  void a_script_that_is_wrong_itself_fails_the_test() throws Exception {
    ScriptedServer server =
        ScriptedServer.playing(
            _ -> {
              throw new IllegalStateException("a slip");
            });
    assertThat(said(server, "")).isEmpty();
    assertThatThrownBy(server::close)
        .isInstanceOf(AssertionError.class)
        .hasRootCauseMessage("a slip");
  }

  private static String said(ScriptedServer server, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
