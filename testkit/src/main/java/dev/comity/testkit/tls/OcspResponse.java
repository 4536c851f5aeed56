package dev.comity.testkit.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** What an issuer says about a certificate of its own (RFC 6960). */
public final class OcspResponse {
  private static final Duration DAY = Duration.ofDays(1);

  private OcspResponse() {}

  /** That it is good, from an hour ago for a day. */
  public static byte[] good(TestCertificate certificate, TestCertificate issuer) {
    return response(certificate, issuer, Der.tagged(0x80), Instant.now());
  }

  /** That it was revoked, said at that time and good for a day. */
  public static byte[] revoked(TestCertificate certificate, TestCertificate issuer, Instant said) {
    byte[] since = Der.time(said.minus(DAY));
    return response(certificate, issuer, Der.tagged(0xa1, since), said);
  }

  private static byte[] response(
      TestCertificate certificate, TestCertificate issuer, byte[] status, Instant said) {
    try {
      byte[] update = Der.time(said.minus(Duration.ofHours(1)));
      byte[] single =
          Der.sequence(
              id(certificate.certificate(), issuer.certificate()),
              status,
              update,
              Der.tagged(0xa0, Der.time(said.plus(DAY))));
      byte[] data =
          Der.sequence(
              Der.tagged(0xa1, issuer.certificate().getSubjectX500Principal().getEncoded()),
              update,
              Der.sequence(single));
      byte[] basic = TestCertificate.signed(data, issuer.keys());
      return Der.sequence(
          Der.enumerated(0),
          Der.tagged(
              0xa0, Der.sequence(Der.identifier("1.3.6.1.5.5.7.48.1.1"), Der.octets(basic))));
    } catch (GeneralSecurityException unable) {
      throw new IllegalStateException(unable);
    }
  }

  private static byte[] id(X509Certificate certificate, X509Certificate issuer)
      throws GeneralSecurityException {
    byte[] key = issuer.getPublicKey().getEncoded();
    // The last 65 bytes are the point itself, which is what is hashed.
    byte[] point = Arrays.copyOfRange(key, key.length - 65, key.length);
    BigInteger serial = certificate.getSerialNumber();
    return Der.sequence(
        Der.sequence(Der.identifier("1.3.14.3.2.26"), Der.tagged(0x05)),
        Der.octets(sha1(issuer.getSubjectX500Principal().getEncoded())),
        Der.octets(sha1(point)),
        Der.integer(serial));
  }

  /** By which responses name certificates; nothing rests on its strength. */
  private static byte[] sha1(byte[] bytes) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-1").digest(bytes);
  }
}
