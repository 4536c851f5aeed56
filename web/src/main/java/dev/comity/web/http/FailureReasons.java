package dev.comity.web.http;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.FetchOutcome.TlsFailed;
import dev.comity.core.util.Durations;
import dev.comity.web.http.FetchProgress.Phase;
import dev.comity.web.http.Framing.UnclearEnd;
import dev.comity.web.http.Http1Connection.HeadTooLong;
import dev.comity.web.http.Http1Head.Http2Only;
import dev.comity.web.http.HttpProxy.ProxyRefusal;
import dev.comity.web.net.AddressRefusal;
import dev.comity.web.net.DnsCache.LookupTimedOut;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Says why no complete answer came, in words of our own: the texts of exceptions are for
 * programmers, and some quote what the other side sent.
 */
final class FailureReasons {
  private static final String HTTP_2_ONLY = "the server speaks HTTP/2 only";

  private final FetchSettings settings;

  FailureReasons(FetchSettings settings) {
    this.settings = settings;
  }

  FetchOutcome explained(IOException failure, FetchProgress progress) {
    Phase phase = progress.phase();
    Optional<AddressRefusal> refusal = find(failure, AddressRefusal.class);
    if (refusal.isPresent()) {
      return refusal.get().outcome();
    }
    return switch (failure) {
      case SocketTimeoutException _ -> new TimedOut(tooLong(progress));
      case InterruptedIOException _ -> new TimedOut(longer(settings.total(), phase));
      case LookupTimedOut late ->
          new DnsFailed("no name server answered within " + Durations.seconds(late.after()));
      case UnknownHostException _ -> new DnsFailed("the name has no address");
      case SSLException _ when phase != Phase.READING -> new TlsFailed(handshake(failure));
      default -> new ConnectionFailed(reason(failure, phase) + while_(phase));
    };
  }

  private String tooLong(FetchProgress progress) {
    Phase phase = progress.phase();
    return switch (phase) {
      case RESOLVING, CONNECTING -> longer(settings.connect(), phase);
      case SECURING, WAITING -> longer(progress.patience(), phase);
      case SENDING, READING ->
          "nothing moved for " + Durations.seconds(settings.idle()) + while_(phase);
    };
  }

  private static String longer(Duration limit, Phase phase) {
    return "longer than " + Durations.seconds(limit) + while_(phase);
  }

  private static String while_(Phase phase) {
    return " while " + phase.words();
  }

  private static String handshake(IOException failure) {
    if (failure instanceof SSLPeerUnverifiedException) {
      return "the certificate is for another host";
    }
    if (find(failure, CertificateExpiredException.class).isPresent()) {
      return "the certificate has expired";
    }
    if (find(failure, CertificateNotYetValidException.class).isPresent()) {
      return "the certificate is not valid yet";
    }
    if (find(failure, CertificateRevokedException.class).isPresent()) {
      return "the certificate was revoked";
    }
    if (String.valueOf(failure.getMessage()).contains("no_application_protocol")) {
      // An alert of the server; the JDK tells which one in words alone.
      return HTTP_2_ONLY;
    }
    return find(failure, CertPathBuilderException.class).isPresent()
            || find(failure, CertPathValidatorException.class).isPresent()
        ? "the certificate is not from a trusted issuer"
        : "the TLS handshake failed";
  }

  private static String reason(IOException failure, Phase phase) {
    if (find(failure, EOFException.class).isPresent()) {
      return "the connection was closed";
    }
    return switch (failure) {
      case HeadTooLong _ -> "the headers are too long";
      case Http2Only _ -> HTTP_2_ONLY;
      case ProxyRefusal refusal -> refusal.words();
      case ConnectException _ -> "the connection was refused";
      case NoRouteToHostException _ -> "there is no way to the host";
      case ProtocolException _ ->
          phase == Phase.READING ? "the body was cut off" : "the answer is not HTTP";
      case UnclearEnd _ -> "the end of the answer is ambiguous";
      case SocketException _ -> "the connection was broken off";
      default -> "the connection failed";
    };
  }

  /** The first of that type among the failure, its causes and what was suppressed on the way. */
  private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
    if (type.isInstance(failure)) {
      return Optional.of(type.cast(failure));
    }
    return Stream.concat(
            Stream.ofNullable(failure.getCause()), Arrays.stream(failure.getSuppressed()))
        .flatMap(inner -> find(inner, type).stream())
        .findFirst();
  }
}
