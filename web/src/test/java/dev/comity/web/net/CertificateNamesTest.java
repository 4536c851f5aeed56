package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.tls.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateNamesTest {
  @ParameterizedTest
  @CsvSource({
    "site.example, site.example",
    "SITE.example, site.example",
    "*.site.example, www.site.example",
    "*.site.example, a_b.site.example",
    "a_b.site.example, a_b.site.example",
    "xn--mnchen-3ya.de, xn--mnchen-3ya.de",
    "192.0.2.1, 192.0.2.1",
    "2001:db8::1, 2001:db8::1",
    "2001:db8::1, 2001:db8:0:0:0:0:0:1"
  })
  void a_certificate_is_for_the_hosts_it_names(String name, String host) {
    assertThat(covers(host, name)).isTrue();
    assertThat(covers(host, "other.example", name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "site.example, www.site.example",
    "www.site.example, site.example",
    "site.example, site.example.evil.example",
    "site.example, evilsite.example",
    "*.site.example, site.example",
    "*.site.example, a.b.site.example",
    "*.site.example, .site.example",
    "*, site",
    "*, site.example",
    "*site.example, mysite.example",
    "w*.site.example, www.site.example",
    "www.*.example, www.site.example",
    "*.*.example, www.site.example",
    "*.0.2.1, 192.0.2.1",
    "192.0.2.1, 192.0.2.2",
    "192.0.2.1, site.example",
    "2001:db8::1, 2001:db8::2"
  })
  void it_is_for_no_other(String name, String host) {
    assertThat(covers(host, name)).isFalse();
  }

  /** Old clients read the subject then; any issuer may write there what it likes. */
  @Test
  void one_without_alternative_names_is_for_no_host() {
    TestCertificate issuer = TestCertificate.issuer();
    assertThat(CertificateNames.cover(issuer.certificate(), "test 1")).isFalse();
  }

  private static boolean covers(String host, String... names) {
    return CertificateNames.cover(TestCertificate.of(names).made().certificate(), host);
  }
}
