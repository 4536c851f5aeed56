package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLSessionContext;
import org.junit.jupiter.api.Test;

class TlsTest {
  /** Java itself would keep twenty thousand for a day. */
  @Test
  void sessions_are_kept_in_number_and_for_a_time_that_is_bounded() {
    SSLSessionContext sessions = Tls.unverified().context().getClientSessionContext();
    assertThat(sessions.getSessionCacheSize()).isEqualTo(1024);
    assertThat(sessions.getSessionTimeout()).isEqualTo(60);
  }
}
