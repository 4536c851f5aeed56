package dev.comity.web.support;

import dev.comity.testkit.tls.TestCertificate;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.TirelessServer;
import dev.comity.web.net.Tls;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSessionContext;

/** In clear or over TLS: a site may misbehave either way. */
public enum Line {
  PLAIN,
  SECURE;

  private static final TestCertificate CERTIFICATE =
      TestCertificate.of("127.0.0.1", "localhost", "*.example", "good.example", "a_b.good.example")
          .made();

  private static final SSLContext SERVER = CERTIFICATE.server();

  static {
    SSLSessionContext sessions = SERVER.getServerSessionContext();
    sessions.setSessionCacheSize(1024);
    sessions.setSessionTimeout(60);
  }

  public ScriptedServer playing(Script... scripts) {
    return at(0, scripts);
  }

  public ScriptedServer at(int port, Script... scripts) {
    return switch (this) {
      case PLAIN -> ScriptedServer.at(port, scripts);
      case SECURE -> ScriptedServer.securelyAt(port, SERVER, "http/1.1", scripts);
    };
  }

  public TirelessServer answering(Function<String, Script> answers) {
    return switch (this) {
      case PLAIN -> TirelessServer.answering(answers);
      case SECURE -> TirelessServer.answeringSecurely(SERVER, answers);
    };
  }

  public String scheme() {
    return this == SECURE ? "https" : "http";
  }

  public static Tls trust() {
    return Tls.trusting(CERTIFICATE.trusted());
  }
}
