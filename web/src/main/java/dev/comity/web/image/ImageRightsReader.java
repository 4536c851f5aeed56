package dev.comity.web.image;

import dev.comity.core.usage.EmbeddedRights;
import dev.comity.core.usage.UsageSignal;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.usage.Wishes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what an image file says about its use: the data-mining word in XMP and the training label
 * of a C2PA manifest. Both are searched for in the bytes, in whatever format they lie: XMP is made
 * to be found that way, and the labels of C2PA stand in the clear. No signature is verified.
 */
public final class ImageRightsReader {
  /** In bytes; XMP packets are some kilobytes. */
  private static final int LONGEST_PACKET = 256 * 1024;

  private static final int MOST_PACKETS = 4;

  /** In bytes; the longest value of the vocabulary is 80 long. */
  private static final int LONGEST_VALUE = 200;

  /** In bytes; an assertion with its four entries is under 300 long. */
  private static final int LONGEST_ASSERTION = 1_024;

  private static final int MOST_ASSERTIONS = 8;

  /** The file, a character for each byte: searching a text takes the processor's wide registers. */
  private final String bytes;

  private final List<Wish> wishes = new ArrayList<>();

  private ImageRightsReader(byte[] file) {
    this.bytes = new String(file, StandardCharsets.ISO_8859_1);
  }

  public static Wishes read(byte[] file) {
    ImageRightsReader reader = new ImageRightsReader(file);
    reader.packets();
    reader.manifests();
    return Wishes.of(reader.wishes);
  }

  private int find(String characters, int from, int to) {
    return bytes.indexOf(characters, from, to);
  }

  private void packets() {
    int at = find("<x:xmpmeta", 0, bytes.length());
    for (int packet = 0; at >= 0 && packet < MOST_PACKETS; packet++) {
      int limit = Math.min(bytes.length(), at + LONGEST_PACKET);
      int end = find("</x:xmpmeta>", at, limit);
      packet(at, end < 0 ? limit : end);
      at = find("<x:xmpmeta", end < 0 ? limit : end, bytes.length());
    }
  }

  private void packet(int start, int end) {
    String mining = value("DataMining", start, end);
    if (!mining.isEmpty()) {
      wishes.add(EmbeddedRights.dataMining(mining));
    }
    String source = value("DigitalSourceType", start, end);
    if (!source.isEmpty()) {
      wishes.add(new Wish(UsageSignal.RECORDED, FoundIn.IMAGE, "DigitalSourceType " + source));
    }
  }

  /** A property as an attribute, {@code plus:DataMining="…"}, or as an element with a value. */
  private String value(String property, int start, int end) {
    int name = find(":" + property, start, end);
    if (name < 0) {
      return "";
    }
    int from = name + 1 + property.length();
    String rest = bytes.substring(from, Math.min(end, from + LONGEST_VALUE)).stripLeading();
    if (rest.startsWith("=")) {
      return quoted(rest.substring(1).stripLeading());
    }
    int resource = rest.indexOf("rdf:resource=");
    int close = rest.indexOf('>');
    if (resource >= 0 && (close < 0 || resource < close)) {
      return quoted(rest.substring(resource + "rdf:resource=".length()));
    }
    int less = rest.indexOf('<', close + 1);
    return close < 0 ? "" : rest.substring(close + 1, less < 0 ? rest.length() : less).strip();
  }

  private static String quoted(String text) {
    if (text.isEmpty() || (text.charAt(0) != '"' && text.charAt(0) != '\'')) {
      return "";
    }
    int end = text.indexOf(text.charAt(0), 1);
    return text.substring(1, end < 0 ? text.length() : end).strip();
  }

  private void manifests() {
    int manifest = find("jumb", 0, bytes.length());
    if (manifest < 0) {
      return;
    }
    int before = wishes.size();
    assertions("c2pa.training-mining", manifest);
    assertions("cawg.training-mining", manifest);
    if (wishes.size() == before && find("c2pa", manifest, bytes.length()) >= 0) {
      wishes.add(EmbeddedRights.contentCredentials());
    }
  }

  /**
   * The label stands in the assertion and in the claim that refers to it. What follows the former,
   * as JSON or CBOR, has the words {@code allowed}, {@code notAllowed} or {@code constrained}.
   */
  private void assertions(String label, int from) {
    int at = find(label, from, bytes.length());
    boolean found = at >= 0;
    boolean allowed = true;
    for (int each = 0; at >= 0 && each < MOST_ASSERTIONS; each++) {
      int start = at + label.length();
      int end = Math.min(bytes.length(), start + LONGEST_ASSERTION);
      int box = find("jumb", start, end);
      end = box < 0 ? end : box;
      allowed &= find("notAllowed", start, end) < 0;
      allowed &= find("constrained", start, end) < 0;
      at = find(label, start, bytes.length());
    }
    if (found) {
      wishes.add(EmbeddedRights.trainingMining(label, allowed));
    }
  }
}
