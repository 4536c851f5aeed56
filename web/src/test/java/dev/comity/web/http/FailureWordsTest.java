package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What cannot be brought about on this machine alone. */
class FailureWordsTest {
  private final FetchProgress connecting = new FetchProgress(Duration.ofSeconds(5), () -> true);

  private FetchOutcome explained(IOException failure) {
    return new FailureReasons(FetchSettings.DEFAULT).explained(failure, connecting);
  }

  @Test
  void a_host_to_which_there_is_no_way_is_a_failed_connection() {
    assertThat(explained(new NoRouteToHostException("No route to host")))
        .isEqualTo(new ConnectionFailed("there is no way to the host while connecting"));
    assertThat(explained(new SocketException("Network is unreachable")))
        .isEqualTo(new ConnectionFailed("the connection was broken off while connecting"));
  }

  @Test
  void a_host_that_does_not_answer_the_door_took_too_long() {
    assertThat(explained(new SocketTimeoutException("connect timed out")))
        .isEqualTo(new TimedOut("longer than 10 s while connecting"));
  }

  @Test
  void no_text_of_an_exception_is_shown() {
    assertThat(explained(new ConnectException("\u001b[31mfrom elsewhere")))
        .isEqualTo(new ConnectionFailed("the connection was refused while connecting"));
    assertThat(explained(new IOException("\u001b[31mfrom elsewhere")))
        .isEqualTo(new ConnectionFailed("the connection failed while connecting"));
  }
}
