package dev.comity.web;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;

/** Whose word is taken for it that a server is who it says it is. */
public enum Certificates {
  /** That of an issuer the system trusts, for this very host and at this very time. */
  VERIFIED {
    @Override
    OkHttpClient.Builder applyTo(OkHttpClient.Builder client) {
      return trusting(client, systems());
    }
  },

  /**
   * The server's own: whoever answers may be anybody. For sites of one's own with certificates of
   * one's own, and only where the user says so.
   */
  UNVERIFIED {
    @Override
    OkHttpClient.Builder applyTo(OkHttpClient.Builder client) {
      return trusting(client, new Credulous()).hostnameVerifier((_, _) -> true);
    }
  };

  /** Of how many servers what was agreed on is kept, to greet them faster the next time. */
  private static final int SESSIONS = 1024;

  /**
   * Long enough for a server that hangs up between two polite requests. A session that is taken up
   * again keeps all that were made from it since, so this is also how much is kept.
   */
  private static final int SESSION_SECONDS = 60;

  abstract OkHttpClient.Builder applyTo(OkHttpClient.Builder client);

  static OkHttpClient.Builder trusting(OkHttpClient.Builder client, X509TrustManager trusted) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {trusted}, null);
      forgetful(context.getClientSessionContext());
      return client.sslSocketFactory(context.getSocketFactory(), trusted);
    } catch (GeneralSecurityException noTls) {
      throw new IllegalStateException("this Java has no TLS", noTls);
    }
  }

  /** By itself Java keeps twenty thousand sessions for a day, and with each what came of it. */
  static void forgetful(SSLSessionContext sessions) {
    sessions.setSessionCacheSize(SESSIONS);
    sessions.setSessionTimeout(SESSION_SECONDS);
  }

  private static X509TrustManager systems() {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager trusted) {
          return trusted;
        }
      }
    } catch (GeneralSecurityException noTrust) {
      throw new IllegalStateException("this Java trusts nobody", noTrust);
    }
    throw new IllegalStateException("this Java trusts nobody");
  }

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
