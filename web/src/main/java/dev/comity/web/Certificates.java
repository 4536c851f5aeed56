package dev.comity.web;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import okhttp3.OkHttpClient;

/** Whose word is taken for it that a server is who it says it is. */
public enum Certificates {
  /** That of an issuer the system trusts, for this very host and at this very time. */
  VERIFIED {
    @Override
    OkHttpClient.Builder applyTo(OkHttpClient.Builder client) {
      return client;
    }
  },

  /**
   * The server's own: whoever answers may be anybody. For sites of one's own with certificates of
   * one's own, and only where the user says so.
   */
  UNVERIFIED {
    @Override
    OkHttpClient.Builder applyTo(OkHttpClient.Builder client) {
      Credulous credulous = new Credulous();
      try {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {credulous}, new SecureRandom());
        return client
            .sslSocketFactory(context.getSocketFactory(), credulous)
            .hostnameVerifier((_, _) -> true);
      } catch (GeneralSecurityException noTls) {
        throw new IllegalStateException("this Java has no TLS", noTls);
      }
    }
  };

  abstract OkHttpClient.Builder applyTo(OkHttpClient.Builder client);

  /** Believes everyone. The extended kind, or the system would check on its behalf. */
  private static final class Credulous extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
