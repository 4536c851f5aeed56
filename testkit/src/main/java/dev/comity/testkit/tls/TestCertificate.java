package dev.comity.testkit.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate with its key, by default good for a day and signed by itself.
 *
 * {@snippet :
 * TestCertificate issuer = TestCertificate.issuer();
 * TestCertificate site = TestCertificate.of("site.example", "127.0.0.1").signedBy(issuer).made();
 * }
 */
public final class TestCertificate {
  private static final byte[] ECDSA_SHA256 = Der.sequence(Der.identifier("1.2.840.10045.4.3.2"));
  private static final char[] NO_PASSWORD = new char[0];
  private static final AtomicLong NUMBERS = new AtomicLong(1);

  private final KeyPair keys;
  private final X509Certificate certificate;
  private final Optional<TestCertificate> issuer;

  private TestCertificate(
      KeyPair keys, X509Certificate certificate, Optional<TestCertificate> issuer) {
    this.keys = keys;
    this.certificate = certificate;
    this.issuer = issuer;
  }

  /** One that signs others. */
  public static TestCertificate issuer() {
    CertificateDraft draft = new CertificateDraft(List.of());
    draft.mayIssue = true;
    return draft.made();
  }

  /** One for these hosts, names or addresses. */
  public static CertificateDraft of(String... hosts) {
    return new CertificateDraft(List.of(hosts));
  }

  /** What is known of a certificate before it is made. */
  public static final class CertificateDraft {
    private final List<String> hosts;
    private Instant from = Instant.now().minus(Duration.ofHours(1));
    private Instant until = Instant.now().plus(Duration.ofDays(1));
    private boolean mayIssue;
    private Optional<TestCertificate> issuer = Optional.empty();
    private Optional<String> responder = Optional.empty();

    private CertificateDraft(List<String> hosts) {
      this.hosts = hosts;
    }

    public CertificateDraft signedBy(TestCertificate signer) {
      issuer = Optional.of(signer);
      return this;
    }

    public CertificateDraft valid(Instant first, Instant last) {
      from = first;
      until = last;
      return this;
    }

    /** Names the URL of an OCSP responder. */
    public CertificateDraft withResponder(String url) {
      responder = Optional.of(url);
      return this;
    }

    public TestCertificate made() {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        KeyPair keys = generator.generateKeyPair();
        long number = NUMBERS.getAndIncrement();
        byte[] name = name("test " + number);
        byte[] body =
            Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(BigInteger.valueOf(number)),
                ECDSA_SHA256,
                issuer
                    .map(signer -> signer.certificate.getSubjectX500Principal().getEncoded())
                    .orElse(name),
                Der.sequence(Der.time(from), Der.time(until)),
                name,
                keys.getPublic().getEncoded(),
                Der.tagged(0xa3, Der.sequence(extensions())));
        byte[] signed = signed(body, issuer.map(signer -> signer.keys).orElse(keys));
        X509Certificate certificate =
            (X509Certificate)
                CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(signed));
        return new TestCertificate(keys, certificate, issuer);
      } catch (GeneralSecurityException unable) {
        throw new IllegalStateException(unable);
      }
    }

    private List<byte[]> extensions() {
      List<byte[]> extensions = new ArrayList<>();
      if (mayIssue) {
        extensions.add(
            Der.sequence(
                Der.identifier("2.5.29.19"), Der.truth(), Der.octets(Der.sequence(Der.truth()))));
      }
      if (!hosts.isEmpty()) {
        List<byte[]> names = hosts.stream().map(CertificateDraft::alternative).toList();
        extensions.add(Der.sequence(Der.identifier("2.5.29.17"), Der.octets(Der.sequence(names))));
      }
      responder.ifPresent(
          url ->
              extensions.add(
                  Der.sequence(
                      Der.identifier("1.3.6.1.5.5.7.1.1"),
                      Der.octets(
                          Der.sequence(
                              Der.sequence(
                                  Der.identifier("1.3.6.1.5.5.7.48.1"),
                                  Der.tagged(0x86, url.getBytes(StandardCharsets.US_ASCII))))))));
      return extensions;
    }

    private static byte[] alternative(String host) {
      boolean address = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
      return address
          ? Der.tagged(0x87, InetAddress.ofLiteral(host).getAddress())
          : Der.tagged(0x82, host.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] name(String text) {
      return Der.sequence(Der.set(Der.sequence(Der.identifier("2.5.4.3"), Der.text(text))));
    }
  }

  /** What is to be signed, how, and the signature. */
  static byte[] signed(byte[] body, KeyPair keys, byte[]... rest) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(body);
    List<byte[]> parts = new ArrayList<>(List.of(body, ECDSA_SHA256, Der.bits(signature.sign())));
    parts.addAll(List.of(rest));
    return Der.sequence(parts);
  }

  public X509Certificate certificate() {
    return certificate;
  }

  KeyPair keys() {
    return keys;
  }

  /** A store in which this is trusted. */
  public KeyStore trusted() {
    try {
      KeyStore store = empty();
      store.setCertificateEntry("trusted", certificate);
      return store;
    } catch (GeneralSecurityException | IOException unable) {
      throw new IllegalStateException(unable);
    }
  }

  /** For a server that shows this certificate, and its issuer's behind it. */
  public SSLContext server() {
    try {
      Certificate[] chain =
          issuer
              .map(signer -> new Certificate[] {certificate, signer.certificate})
              .orElseGet(() -> new Certificate[] {certificate});
      KeyStore store = empty();
      store.setKeyEntry("server", keys.getPrivate(), NO_PASSWORD, chain);
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException unable) {
      throw new IllegalStateException(unable);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
