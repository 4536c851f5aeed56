package dev.comity.web.net;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Lays TLS over connections: TLS 1.3 or 1.2, the server's name in the first message, {@code
 * http/1.1} as the only protocol offered, sessions resumed for a while.
 */
public final class Tls {
  private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};
  private static final String[] PROTOCOLS = {"http/1.1"};

  /** How many sessions are kept for resumption. */
  private static final int SESSIONS = 1024;

  /**
   * Long enough for a server that hangs up between two polite requests. A session that is resumed
   * keeps all that were made from it since, so this is also how much is kept.
   */
  private static final int SESSION_SECONDS = 60;

  private final Supplier<X509ExtendedTrustManager> trusted;
  private final boolean namesCount;
  private @Nullable SSLSocketFactory sockets;

  private Tls(Supplier<X509ExtendedTrustManager> trusted, boolean namesCount) {
    this.trusted = trusted;
    this.namesCount = namesCount;
  }

  /** Trusts the issuers that the system trusts. */
  public static Tls verified() {
    return new Tls(() -> new StapledStatus(issuers(null)), true);
  }

  /** Trusts the certificates of this store and those they issue. */
  public static Tls trusting(KeyStore issuers) {
    return new Tls(() -> new StapledStatus(issuers(issuers)), true);
  }

  /** Trusts every certificate, for whatever host. */
  public static Tls unverified() {
    return new Tls(TrustAnyone::new, false);
  }

  /**
   * Makes the whole handshake over a connection. It takes as long as the server does; closing the
   * connection ends it.
   *
   * @param host as in the URL
   * @throws IOException if it fails or the certificate is for another host; the caller closes the
   *     connection
   */
  public SSLSocket secure(Socket connection, String host, int port) throws IOException {
    String bare =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    SSLSocket socket = (SSLSocket) sockets().createSocket(connection, bare, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(VERSIONS);
    parameters.setApplicationProtocols(PROTOCOLS);
    parameters.setServerNames(serverNames(bare));
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    if (namesCount
        && !(socket.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
            && CertificateNames.cover(certificate, bare))) {
      throw new SSLPeerUnverifiedException("the certificate is for another host");
    }
    return socket;
  }

  /** RFC 6066 has no addresses there. */
  private static List<SNIServerName> serverNames(String host) {
    return CertificateNames.address(host).isPresent() ? List.of() : List.of(new ServerName(host));
  }

  /** The JDK's own class for it takes no underscore, and such hosts exist. */
  private static final class ServerName extends SNIServerName {
    ServerName(String host) {
      super(StandardConstants.SNI_HOST_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** Made when first needed: to read the system's issuers takes a while. */
  private synchronized SSLSocketFactory sockets() {
    if (sockets == null) {
      sockets = context().getSocketFactory();
    }
    return sockets;
  }

  SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trusted.get()}, null);
      bound(context.getClientSessionContext());
      return context;
    } catch (GeneralSecurityException noTls) {
      throw new IllegalStateException("this Java has no TLS", noTls);
    }
  }

  /** By itself Java keeps twenty thousand sessions for a day, and with each what came of it. */
  private static void bound(SSLSessionContext sessions) {
    sessions.setSessionCacheSize(SESSIONS);
    sessions.setSessionTimeout(SESSION_SECONDS);
  }

  private static X509ExtendedTrustManager issuers(@Nullable KeyStore store) {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
    } catch (GeneralSecurityException noTrust) {
      throw new IllegalStateException("this Java trusts no issuer", noTrust);
    }
    throw new IllegalStateException("this Java trusts no issuer");
  }
}
