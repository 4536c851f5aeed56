package dev.comity.web.net;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what another trust manager trusts, except a certificate for which the server staples an
 * OCSP response that calls it revoked. No responder is asked: that would be a request past the
 * address guard. A response that is missing, out of date or unreadable says nothing.
 */
final class StapledStatus extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager trusted;

  StapledStatus(X509ExtendedTrustManager trusted) {
    this.trusted = trusted;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trusted.checkServerTrusted(chain, type, socket);
    if (socket instanceof SSLSocket secure
        && secure.getHandshakeSession() instanceof ExtendedSSLSession session) {
      List<byte[]> responses = session.getStatusResponses();
      if (!responses.isEmpty() && responses.getFirst().length > 0) {
        refuseRevoked(chain, responses.getFirst());
      }
    }
  }

  private void refuseRevoked(X509Certificate[] chain, byte[] response) throws CertificateException {
    Optional<X509Certificate> issuer = issuer(chain);
    if (issuer.isEmpty()) {
      return;
    }
    try {
      CertPathValidator validator = CertPathValidator.getInstance("PKIX");
      PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
      checker.setOptions(EnumSet.of(Option.ONLY_END_ENTITY, Option.NO_FALLBACK));
      checker.setOcspResponses(Map.of(chain[0], response));
      PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer.get(), null)));
      parameters.setRevocationEnabled(false);
      parameters.addCertPathChecker(checker);
      validator.validate(
          CertificateFactory.getInstance("X.509").generateCertPath(List.of(chain[0])), parameters);
    } catch (CertPathValidatorException failed) {
      if (failed.getReason() == BasicReason.REVOKED) {
        throw new CertificateException("revoked", failed);
      }
    } catch (GeneralSecurityException unusable) {
      throw new CertificateException("this Java checks no revocation", unusable);
    }
  }

  private Optional<X509Certificate> issuer(X509Certificate[] chain) {
    return Stream.concat(Arrays.stream(chain).skip(1), Arrays.stream(trusted.getAcceptedIssuers()))
        .filter(one -> one.getSubjectX500Principal().equals(chain[0].getIssuerX500Principal()))
        .findFirst();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trusted.checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trusted.checkServerTrusted(chain, type, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    trusted.checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    trusted.checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    trusted.checkClientTrusted(chain, type, engine);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return trusted.getAcceptedIssuers();
  }
}
