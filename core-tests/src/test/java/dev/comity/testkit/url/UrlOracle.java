package dev.comity.testkit.url;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.IDNA;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.Draw;
import dev.comity.testkit.gen.HostileUrls;
import dev.comity.testkit.gen.Property;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;

/** What others read in the same texts. */
class UrlOracle {

  /**
   * OkHttp follows the standard of the browsers, too. It differs where it stops half-way:
   *
   * <ul>
   *   <li>it keeps a trailing dot, which we drop because it makes no other host;
   *   <li>it knows IPv4 addresses in dotted decimal only; other spellings it keeps as names, and
   *       the resolver makes an address of them behind everybody's back.
   * </ul>
   */
  @Test
  void okhttp_sees_the_same_host_and_port_where_both_of_us_see_one() {
    AtomicInteger both = new AtomicInteger();
    Property.holds(
        200_000,
        new HostileUrls(),
        text -> {
          HttpUrl theirs = HttpUrl.parse(text);
          if (theirs != null && CrawlUrl.parse(text) instanceof CrawlUrl ours) {
            both.incrementAndGet();
            assertThat(isSameHost(ours, theirs.host())).as(theirs.host()).isTrue();
            assertThat(ours.port()).isEqualTo(theirs.port());
          }
        });
    assertThat(both.get()).as("texts that both of us accept").isGreaterThan(30_000);
  }

  private static boolean isSameHost(CrawlUrl ours, String theirs) {
    String host = theirs.indexOf(':') >= 0 ? "[" + theirs + "]" : theirs;
    if (host.equals(ours.host())) {
      return true;
    }
    boolean stopsHalfWay = host.endsWith(".") || ours.domain().isAddress();
    return stopsHalfWay && ours.host().equals(CrawlUrl.of("http://" + host + "/").host());
  }

  /** Every name that DNS is asked for is one that ICU takes for its own encoding. */
  @Test
  void icu_finds_nothing_to_change_in_our_hosts() {
    IDNA idna = IDNA.getUTS46Instance(IDNA.CHECK_BIDI | IDNA.NONTRANSITIONAL_TO_ASCII);
    AtomicInteger encoded = new AtomicInteger();
    Property.holds(
        100_000,
        draw -> "http://" + name(draw),
        text -> {
          if (CrawlUrl.parse(text) instanceof CrawlUrl url && url.host().contains("xn--")) {
            encoded.incrementAndGet();
            StringBuilder unicode =
                idna.nameToUnicode(url.host(), new StringBuilder(), new IDNA.Info());
            StringBuilder again = idna.nameToASCII(unicode, new StringBuilder(), new IDNA.Info());
            assertThat(again).hasToString(url.host());
          }
        });
    assertThat(encoded.get()).as("names that needed an encoding").isGreaterThan(20_000);
  }

  /** Letters of many scripts, mostly of one at a time. */
  private static String name(Draw draw) {
    int block = draw.below(0x3000 / 0x80) * 0x80;
    StringBuilder name = new StringBuilder();
    int length = 1 + draw.logUniform(30);
    for (int at = 0; at < length; at++) {
      int character = draw.onceIn(8) ? draw.below(0x80) : block + draw.below(0x80);
      name.append(Character.isLetterOrDigit(character) ? (char) character : '.');
    }
    return name.append(".example").toString();
  }
}
