package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AddressKindTest {
  @ParameterizedTest
  @CsvSource({
    "8.8.8.8, PUBLIC",
    "1.0.0.0, PUBLIC",
    "9.255.255.255, PUBLIC",
    "11.0.0.0, PUBLIC",
    "100.63.255.255, PUBLIC",
    "100.128.0.0, PUBLIC",
    "126.255.255.255, PUBLIC",
    "128.0.0.0, PUBLIC",
    "169.253.255.255, PUBLIC",
    "169.255.0.0, PUBLIC",
    "172.15.255.255, PUBLIC",
    "172.32.0.0, PUBLIC",
    "192.0.1.0, PUBLIC",
    "192.167.255.255, PUBLIC",
    "192.169.0.0, PUBLIC",
    "198.17.255.255, PUBLIC",
    "198.20.0.0, PUBLIC",
    "223.255.255.255, PUBLIC",
    "0.0.0.0, UNSPECIFIED",
    "0.1.2.3, UNSPECIFIED",
    "10.0.0.0, PRIVATE",
    "10.255.255.255, PRIVATE",
    "172.16.0.0, PRIVATE",
    "172.31.255.255, PRIVATE",
    "192.168.0.0, PRIVATE",
    "192.168.255.255, PRIVATE",
    "100.64.0.0, SHARED",
    "100.127.255.255, SHARED",
    "127.0.0.1, LOOPBACK",
    "127.255.255.255, LOOPBACK",
    "169.254.0.1, LINK_LOCAL",
    "169.254.169.254, METADATA",
    "169.254.170.2, METADATA",
    "100.100.100.200, METADATA",
    "192.0.0.192, METADATA",
    "168.63.129.16, METADATA",
    "192.0.0.1, RESERVED",
    "192.0.2.1, RESERVED",
    "192.88.99.1, RESERVED",
    "198.18.0.1, RESERVED",
    "198.19.255.255, RESERVED",
    "198.51.100.1, RESERVED",
    "203.0.113.1, RESERVED",
    "224.0.0.1, MULTICAST",
    "239.255.255.255, MULTICAST",
    "240.0.0.1, RESERVED",
    "255.255.255.255, RESERVED",
    "2606:4700::1111, PUBLIC",
    "2a00:1450:4001::1, PUBLIC",
    "::, UNSPECIFIED",
    "::1, LOOPBACK",
    "::2, EMBEDDED",
    "::7f00:1, EMBEDDED",
    "::ffff:0:7f00:1, EMBEDDED",
    "64:ff9b::808:808, PUBLIC",
    "64:ff9b::a00:1, PRIVATE",
    "64:ff9b::7f00:1, LOOPBACK",
    "64:ff9b::a9fe:a9fe, METADATA",
    "64:ff9b:1::a00:1, EMBEDDED",
    "2002:7f00:1::, EMBEDDED",
    "2002:808:808::1, EMBEDDED",
    "2002:a9fe:a9fe::, METADATA",
    "2002:a9fe:1::, LINK_LOCAL",
    "2001::1, EMBEDDED",
    "2001:0:1:2:3:4:5601:5601, METADATA",
    "2001:2::1, RESERVED",
    "2001:db8::1, RESERVED",
    "3fff:fff::1, RESERVED",
    "100::1, RESERVED",
    "5f00::1, RESERVED",
    "4000::1, RESERVED",
    "fc00::1, PRIVATE",
    "fdff::1, PRIVATE",
    "fd00:ec2::254, METADATA",
    "fe80::1, LINK_LOCAL",
    "febf::1, LINK_LOCAL",
    "fec0::1, PRIVATE",
    "ff02::1, MULTICAST",
  })
  void an_address_has_the_kind_its_bytes_say(String address, AddressKind kind) {
    assertThat(AddressKind.of(InetAddress.ofLiteral(address).getAddress())).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({"7f000001, EMBEDDED", "08080808, EMBEDDED", "a9fea9fe, METADATA"})
  void a_mapped_address_is_known_by_its_sixteen_bytes(String inner, AddressKind kind) {
    // InetAddress itself turns these into four bytes, so they are built by hand.
    byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffff" + inner);
    assertThat(AddressKind.of(mapped)).isEqualTo(kind);
  }

  @Test
  void what_has_neither_four_nor_sixteen_bytes_is_no_address() {
    assertThatThrownBy(() -> AddressKind.of(new byte[5])).hasMessage("not an address: 5 bytes");
  }

  @ParameterizedTest
  @EnumSource
  void a_kind_is_kept_as_text_and_read_again(AddressKind kind) {
    assertThat(AddressKind.read(kind.text())).isEqualTo(kind);
  }

  @Test
  void a_text_that_is_no_kind_opens_nothing() {
    assertThat(AddressKind.read("somewhere")).isEqualTo(AddressKind.PUBLIC);
  }

  @Test
  void of_several_addresses_the_most_inward_counts() {
    assertThat(mostInward("8.8.8.8", "10.0.0.1")).isEqualTo(AddressKind.PRIVATE);
    assertThat(mostInward("127.0.0.1", "10.0.0.1", "8.8.8.8")).isEqualTo(AddressKind.LOOPBACK);
    assertThat(mostInward("127.0.0.1", "169.254.169.254")).isEqualTo(AddressKind.METADATA);
    assertThat(mostInward("8.8.8.8", "9.9.9.9")).isEqualTo(AddressKind.PUBLIC);
  }

  private static AddressKind mostInward(String... addresses) {
    return AddressKind.mostInward(Stream.of(addresses).map(InetAddress::ofLiteral).toList());
  }
}
