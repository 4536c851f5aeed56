package dev.comity.web.html;

import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The names under which pages know charsets, after the Encoding standard, and what they mean by
 * them: a page that says {@code latin1} has always meant the Windows set, which has letters where
 * Latin-1 has controls.
 *
 * <p>A name that is not here, {@code utf-7} for one, is as good as none. So are ISO 8859-10 and 14,
 * which Java cannot read.
 */
final class CharsetLabels {
  /** Stands for charsets that are only ever used to deceive; nothing is read of such a page. */
  static final String REPLACEMENT = "replacement";

  private static final String TABLE =
      """
      UTF-8: utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8
      IBM866: ibm866 866 cp866 csibm866
      ISO-8859-2: iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
      ISO-8859-3: iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
      ISO-8859-4: iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
      ISO-8859-5: iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
      ISO-8859-6: iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e \
      iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
      ISO-8859-7: iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 \
      iso_8859-7 iso_8859-7:1987 sun_eu_greek
      ISO-8859-8: iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 \
      iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical
      ISO-8859-13: iso-8859-13 iso8859-13 iso885913
      ISO-8859-15: iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
      ISO-8859-16: iso-8859-16
      KOI8-R: koi8-r cskoi8r koi koi8 koi8_r
      KOI8-U: koi8-u koi8-ru
      x-MacRoman: macintosh csmacintosh mac x-mac-roman
      x-windows-874: windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
      windows-1250: windows-1250 cp1250 x-cp1250
      windows-1251: windows-1251 cp1251 x-cp1251
      windows-1252: windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 \
      iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252 x-user-defined
      windows-1253: windows-1253 cp1253 x-cp1253
      windows-1254: windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 \
      iso_8859-9:1989 l5 latin5 x-cp1254
      windows-1255: windows-1255 cp1255 x-cp1255
      windows-1256: windows-1256 cp1256 x-cp1256
      windows-1257: windows-1257 cp1257 x-cp1257
      windows-1258: windows-1258 cp1258 x-cp1258
      x-MacUkraine: x-mac-cyrillic x-mac-ukrainian
      GB18030: gb18030 gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
      Big5-HKSCS: big5 big5-hkscs cn-big5 csbig5 x-x-big5
      EUC-JP: euc-jp cseucpkdfmtjapanese x-euc-jp
      ISO-2022-JP: iso-2022-jp csiso2022jp
      windows-31j: shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
      x-windows-949: euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 \
      ksc_5601 windows-949
      UTF-16BE: utf-16be unicodefffe
      UTF-16LE: utf-16le utf-16 csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff
      replacement: replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr
      """;

  private static final Map<String, String> NAMES = names();

  private CharsetLabels() {}

  private static Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    TABLE
        .lines()
        .forEach(
            line -> {
              String[] halves = line.split(": ", 2);
              boolean readable = halves[0].equals(REPLACEMENT) || Charset.isSupported(halves[0]);
              for (String label : halves[1].split(" ", -1)) {
                if (readable) {
                  names.put(label, halves[0]);
                }
              }
            });
    return Map.copyOf(names);
  }

  /** Java's name of the charset with that label, or {@link #REPLACEMENT}. */
  static Optional<String> charset(String label) {
    return Optional.ofNullable(NAMES.get(label.strip().toLowerCase(Locale.ROOT)));
  }
}
