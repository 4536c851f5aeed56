package dev.comity.web;

import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.TirelessServer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import okhttp3.OkHttpClient;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * The two ways an HTTP/1 answer is read: over a plain connection by ourselves, behind TLS by the
 * client. A site may misbehave over either.
 */
enum Line {
  PLAIN,
  SECURE;

  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();

  private static final HandshakeCertificates SERVER =
      new HandshakeCertificates.Builder().heldCertificate(CERTIFICATE).build();

  private static final HandshakeCertificates CLIENT =
      new HandshakeCertificates.Builder().addTrustedCertificate(CERTIFICATE.certificate()).build();

  static {
    Certificates.forgetful(SERVER.sslContext().getServerSessionContext());
  }

  ScriptedServer playing(Script... scripts) {
    return switch (this) {
      case PLAIN -> ScriptedServer.playing(scripts);
      case SECURE -> ScriptedServer.playingSecurely(SERVER.sslContext(), "http/1.1", scripts);
    };
  }

  TirelessServer answering(Function<String, Script> answers) {
    return switch (this) {
      case PLAIN -> TirelessServer.answering(answers);
      case SECURE -> TirelessServer.answeringSecurely(SERVER.sslContext(), answers);
    };
  }

  String scheme() {
    return this == SECURE ? "https" : "http";
  }

  static UnaryOperator<OkHttpClient.Builder> trust() {
    return client -> Certificates.trusting(client, CLIENT.trustManager());
  }
}
