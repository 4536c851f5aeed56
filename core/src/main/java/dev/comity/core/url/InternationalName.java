package dev.comity.core.url;

import com.ibm.icu.text.IDNA;
import dev.comity.core.url.UrlRefusal.Reason;
import java.util.Set;

/**
 * Names beyond ASCII, and those that claim to be: UTS #46 as browsers apply it. Its own rules for
 * hyphens, lengths and ASCII are left aside, as they are there; {@link HostReader} judges those for
 * every name alike.
 */
final class InternationalName {
  private static final IDNA UTS_46 =
      IDNA.getUTS46Instance(IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ | IDNA.NONTRANSITIONAL_TO_ASCII);

  private InternationalName() {}

  /** The ASCII spelling. */
  static HostReader.ReadHost read(String name) {
    if (name.codePoints().anyMatch(InternationalName::isHalfAPair)) {
      // Were the character between two halves one that IDNA drops, they would become a whole.
      return Reason.NAME_CHARACTER;
    }
    IDNA.Info info = new IDNA.Info();
    StringBuilder ascii = UTS_46.nameToASCII(name, new StringBuilder(), info);
    Set<IDNA.Error> errors = info.getErrors();
    if (errors.contains(IDNA.Error.PUNYCODE) || errors.contains(IDNA.Error.INVALID_ACE_LABEL)) {
      return Reason.FALSE_PUNYCODE;
    }
    if (errors.contains(IDNA.Error.DISALLOWED) || errors.contains(IDNA.Error.LABEL_HAS_DOT)) {
      return Reason.NAME_CHARACTER;
    }
    if (errors.contains(IDNA.Error.LEADING_COMBINING_MARK)) {
      return Reason.LEADING_MARK;
    }
    if (errors.contains(IDNA.Error.BIDI)) {
      return Reason.MIXED_DIRECTIONS;
    }
    if (errors.contains(IDNA.Error.CONTEXTJ)) {
      return Reason.JOINER;
    }
    return new HostReader.Host(ascii.toString());
  }

  private static boolean isHalfAPair(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
