package dev.comity.testkit.gen;

import java.util.List;

/**
 * Texts that stand where a URL should: spellings that parsers read differently, real URLs with
 * damage, and plain noise. About every third can be read as a URL.
 */
public final class HostileUrls implements Generator<String> {
  /** Characters that IDNA drops, which brings together what they kept apart. */
  private static final String VANISHING = "\u00ad\u034f\u200b\u2060\u3164\ufe00\ufeff\uffa0";

  private static final List<String> SCHEMES =
      List.of("http:", "https:", "HTTP:", "hTtPs:", "http", "ftp:", "javascript:", "h\tttp:", "");
  private static final List<String> SLASHES =
      List.of("//", "//", "//", "//", "/", "", "///", "\\\\", "/\\", "\\/", "/\n/", "////");
  private static final List<String> USERS =
      List.of("", "", "", "", "", "user@", "user:pass@", "@", "a@b@", "example.com:80@", "%40@");
  private static final List<String> ORDINARY =
      List.of("example", "www", "com", "co", "uk", "shop", "de", "xn--mnchen-3ya", "münchen", "ck");
  private static final List<String> LABELS =
      List.of(
          "example",
          "www",
          "com",
          "co",
          "uk",
          "a",
          "A",
          "localhost",
          "xn--mnchen-3ya",
          "XN--a",
          "xn--",
          "münchen",
          "faß",
          "ß",
          "例え",
          "א",
          "א1",
          "٣",
          "☃",
          "a_b",
          "-a-",
          "a--b",
          "ab--cd",
          "1",
          "0",
          "127",
          "0x7f",
          "0X",
          "0177",
          "08",
          "256",
          "4294967295",
          "１２７",
          "①",
          "１",
          "²",
          "\u00ad",
          "\u200d",
          "\u200c",
          "\u0301",
          "\ufeff",
          "\u202e",
          "\ud800",
          "😀",
          "%41",
          "%c3%bc",
          "%C3",
          "%00",
          "%2e",
          "%2f",
          "%25",
          "％",
          "／",
          "?",
          "*",
          "a b",
          "k\u212a",
          "ı",
          "ſ",
          "ck",
          "kawasaki",
          "jp",
          "ₓn--a",
          "ǅ",
          "㏂",
          "",
          "a".repeat(63),
          "a".repeat(64),
          "ü".repeat(20));
  private static final List<String> DOTS = List.of(".", ".", ".", ".", "..", "。", "．", "｡", "%2E");
  private static final List<String> ADDRESSES =
      List.of(
          "[::1]",
          "[::]",
          "[::ffff:1.2.3.4]",
          "[::FFFF:102:304]",
          "[1:2:3:4:5:6:7:8]",
          "[1::8]",
          "[fe80::1%25eth0]",
          "[::1",
          "::1]",
          "[1:2]",
          "[::1.2.3.4]",
          "[0:0:1::]",
          "[1:0:0:2:0:0:0:3]",
          "[v1.a]",
          "127.0.0.1",
          "2130706433",
          "0x7f.1",
          "0177.1",
          "1.2.3",
          "1.2.3.4.",
          "1.2.3.4.5");
  private static final List<String> PORTS =
      List.of(
          "", "", "", "", ":", ":80", ":443", ":8080", ":0", ":65535", ":65536", ":080", ":a",
          ":8\t0", ":-1", ":１", "::", ":80:80");
  private static final List<String> PIECES =
      List.of(
          "/",
          "/",
          "/",
          "\\",
          ".",
          "..",
          "/.",
          "/..",
          "/../",
          "/./",
          "%2e",
          "%2E%2e",
          "/%2e%2E/",
          "a",
          "b.html",
          "%41",
          "%7e",
          "%c3%bc",
          "%C3%BC",
          "%2f",
          "%2F",
          "%5c",
          "%",
          "%%",
          "%4",
          "%zz",
          "%25",
          "%00",
          "ü",
          "😀",
          "\ud83d",
          "\ude00",
          "\ufffd",
          "\u0000",
          " ",
          "+",
          "\t",
          "\r\n",
          "?",
          "?",
          "#",
          "&",
          "=",
          ";",
          ":",
          "@",
          "//",
          "[",
          "]",
          "{",
          "|",
          "^",
          "`",
          "\"",
          "<",
          "'",
          "~",
          "http://",
          "://",
          "example.com",
          "\u007f",
          "\u0080",
          "\u2028",
          "index",
          "?x=1&y=2",
          "#top");
  private static final List<String> REAL =
      List.of(
          "https://www.example.com/",
          "https://en.wikipedia.org/wiki/Web_crawler?action=history#top",
          "http://user:pass@www.example.co.uk:8080/a/b/../c/./d.html?x=1&y=%20z#frag",
          "https://xn--mnchen-3ya.de/%C3%BCber/uns?q=%E2%82%AC",
          "http://[2001:db8::1]:8080/index.html",
          "http://192.0.2.1/~user/file.tar.gz;type=a",
          "https://r3---sn-abc.example.video/playback?id=0123456789abcdef&itag=22&ratebypass=yes",
          "https://例え.テスト/パス?クエリ=値",
          "//cdn.example.net/a.js",
          "/images/logo.png?v=2",
          "../archive/2024/01/index.html",
          "?page=2&sort=asc",
          "mailto:someone@example.com");

  @Override
  public String draw(Draw draw) {
    return switch (draw.below(8)) {
      case 0 -> noise(draw);
      case 1 -> pieces(draw, new StringBuilder(), 40).toString();
      case 2, 3 -> damaged(draw);
      default -> assembled(draw);
    };
  }

  /** Any UTF-16 at all, halves of pairs included, with a liking for the small. */
  private static String noise(Draw draw) {
    int length = draw.logUniform(draw.onceIn(50) ? 5_000 : 100);
    StringBuilder noise = new StringBuilder(draw.onceIn(2) ? "http://" : "");
    boolean tangled = draw.onceIn(4);
    for (int at = 0; at < length; at++) {
      noise.append(tangled ? tangled(draw) : character(draw));
    }
    return noise.toString();
  }

  /** Halves of pairs, letters and what vanishes between them. */
  private static char tangled(Draw draw) {
    return (char)
        switch (draw.below(4)) {
          case 0 -> VANISHING.charAt(draw.below(VANISHING.length()));
          case 1 -> 0xD83C + draw.below(2);
          case 2 -> 0xDF00 + draw.below(0x100);
          default -> 'a' + draw.below(26);
        };
  }

  private static char character(Draw draw) {
    return (char)
        switch (draw.below(5)) {
          case 0 -> draw.below(0x80);
          case 1 -> draw.below(0x600);
          case 2 -> 0xD800 + draw.below(0x800);
          case 3 -> VANISHING.charAt(draw.below(VANISHING.length()));
          default -> draw.below(0x10000);
        };
  }

  private static String assembled(Draw draw) {
    StringBuilder text = new StringBuilder();
    text.append(draw.onceIn(4) ? draw.from(SCHEMES) : draw.onceIn(2) ? "http:" : "https:");
    text.append(draw.from(SLASHES)).append(draw.from(USERS));
    if (draw.onceIn(4)) {
      text.append(draw.from(ADDRESSES));
    } else {
      host(draw, text);
    }
    text.append(draw.onceIn(2) ? draw.from(PORTS) : "");
    if (!draw.onceIn(4)) {
      pieces(draw, text.append(draw.from(List.of("/", "/", "\\", "?", "#"))), 20);
    }
    return text.toString();
  }

  private static void host(Draw draw, StringBuilder text) {
    int labels = 1 + draw.logUniform(6);
    for (int label = 0; label < labels; label++) {
      text.append(label == 0 ? "" : draw.from(DOTS));
      text.append(draw.from(draw.onceIn(3) ? LABELS : ORDINARY));
    }
    text.append(draw.onceIn(10) ? draw.from(DOTS) : "");
  }

  private static StringBuilder pieces(Draw draw, StringBuilder text, int most) {
    int count = draw.logUniform(draw.onceIn(200) ? 2_000 : most);
    for (int piece = 0; piece < count; piece++) {
      text.append(draw.from(PIECES));
    }
    return text;
  }

  private static String damaged(Draw draw) {
    StringBuilder text = new StringBuilder(draw.from(REAL));
    int wounds = draw.logUniform(8);
    for (int wound = 0; wound < wounds && !text.isEmpty(); wound++) {
      int at = draw.below(text.length());
      switch (draw.below(6)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, character(draw));
        case 2 -> text.setCharAt(at, (char) draw.below(0x80));
        case 3 -> text.insert(at, draw.from(draw.onceIn(2) ? PIECES : LABELS));
        case 4 -> text.setCharAt(at, swappedCase(text.charAt(at)));
        default -> text.insert(at, text.substring(at, at + draw.below(text.length() - at)));
      }
    }
    return text.toString();
  }

  private static char swappedCase(char character) {
    return Character.isUpperCase(character)
        ? Character.toLowerCase(character)
        : Character.toUpperCase(character);
  }
}
