package dev.comity.web.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.Wishes;
import dev.comity.testkit.gen.Property;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageRightsReaderTest {
  private static final String PLUS = "http://ns.useplus.org/ldf/vocab/DMI-";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<rdf:Description plus:DataMining=\"" + PLUS + "PROHIBITED\"/> | MINING_PROHIBITED",
        "<rdf:Description plus:DataMining = '" + PLUS + "ALLOWED'/> | MINING_PERMITTED",
        "<plus:DataMining>"
            + PLUS
            + "PROHIBITED-AIMLTRAINING</plus:DataMining> | MINING_NO_TRAINING",
        "<plus:DataMining rdf:resource='" + PLUS + "PROHIBITED'/> | MINING_PROHIBITED",
        "<plus:DataMining>" + PLUS + "PROHIBITED | MINING_PROHIBITED",
        "<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/x</a> | RECORDED",
        "<plus:DataMining | ''",
        "<plus:DataMining= | ''",
        "<dc:title>none</dc:title> | ''",
      })
  void the_data_mining_word_is_found_in_xmp(String property, String signals) throws IOException {
    assertThat(signals(withXmp(property))).isEqualTo(signals);
  }

  @Test
  void words_outside_of_a_packet_do_not_count() {
    assertThat(signals(bytes("plus:DataMining=\"" + PLUS + "PROHIBITED\""))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jumb c2pa jumb c2pa.training-mining\0{\"use\":\"notAllowed\"} | C2PA_NO_TRAINING",
        "jumb c2pa jumb cawg.training-mining\0\u00a1cusejnotAllowed | C2PA_NO_TRAINING",
        "jumb c2pa jumb c2pa.training-mining {\"use\":\"constrained\"} | C2PA_NO_TRAINING",
        "jumb c2pa jumb c2pa.training-mining {\"use\":\"allowed\"} | RECORDED",
        "jumb c2pa jumb c2pa.training-mining {\"use\":\"allowed\"} jumb notAllowed | RECORDED",
        "jumb c2pa jumb c2pa.actions | RECORDED",
        "jumb something | ''",
        "c2pa.training-mining notAllowed | ''",
      })
  void the_training_label_is_found_in_a_manifest(String manifest, String signals) {
    assertThat(signals(bytes("\u0089PNG\r\n\u001a\n" + manifest))).isEqualTo(signals);
  }

  @Test
  void the_reason_names_the_file() throws IOException {
    Wishes wishes = ImageRightsReader.read(withXmp("plus:DataMining='" + PLUS + "PROHIBITED'"));
    assertThat(wishes.refusalOfImage(Set.of(Purpose.RESEARCH)))
        .hasToString(
            "Optional[refused for research: the image file says"
                + " \"plus:DataMining DMI-PROHIBITED\"]");
  }

  @Test
  void packets_without_end_and_labels_without_number_are_left() {
    assertThat(signals(bytes("<x:xmpmeta".repeat(500_000)))).isEmpty();
    assertThat(signals(bytes("jumb c2pa.training-mining".repeat(200_000)))).isEqualTo("RECORDED");
    byte[] same = new byte[5_000_000];
    Arrays.fill(same, (byte) 'c');
    assertThat(signals(same)).isEmpty();
  }

  @Test
  void any_bytes_are_read_without_an_exception() {
    List<String> pieces =
        List.of(
            "<x:xmpmeta",
            "</x:xmpmeta>",
            ":DataMining",
            "=",
            "'",
            "\"",
            ">",
            "<",
            "rdf:resource=",
            "DMI-PROHIBITED",
            "jumb",
            "c2pa",
            "c2pa.training-mining",
            "notAllowed",
            " ",
            "\0",
            "x");
    Property.holds(
        5_000,
        draw -> {
          StringBuilder text = new StringBuilder();
          for (int piece = draw.logUniform(100); piece > 0; piece--) {
            text.append(draw.from(pieces));
          }
          return text.toString();
        },
        text -> assertThat(ImageRightsReader.read(bytes(text)).all()).hasSizeLessThan(12));
  }

  private static byte[] withXmp(String property) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(ImageHeaderTest.written("jpg", 80, 80));
    file.writeBytes(bytes("<x:xmpmeta xmlns:x='adobe:ns:meta/'>" + property + "</x:xmpmeta>"));
    return file.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String signals(byte[] file) {
    return ImageRightsReader.read(file).all().stream()
        .map(wish -> wish.signal().name())
        .collect(Collectors.joining(" "));
  }
}
