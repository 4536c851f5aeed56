package dev.comity.web.robots;

import dev.comity.core.outcome.Body;
import dev.comity.core.policy.VisitTime;
import dev.comity.core.port.fetch.RobotsReader;
import dev.comity.core.port.fetch.RobotsRules;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads robots.txt for one robots token, as forgivingly as sites need: keys in any case and the
 * usual misspellings, a missing colon, any line ends, any bytes. A line that is not understood
 * changes nothing about those that are.
 */
public final class RobotsTxt implements RobotsReader {
  /** What is read of a file; the rest does not count. */
  public static final int LIMIT = 500 * 1024;

  /** The standard knows letters, - and _ only, but robots have digits and more in their names. */
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_*\\x80-\\xff-]+");

  private static final Pattern WITHOUT_COLON =
      Pattern.compile("((?i:user[ -]?agent)(?=[ \\t])|\\S+)[ \\t]+(\\S+)(.*)");

  /** More than any site needs; what is beyond is left out. */
  private static final int MOST_SITEMAPS = 100;

  /** A site has one or two. */
  private static final int MOST_LICENCES = 10;

  private static final int LONGEST_URL = 2048;

  private final String token;

  /** A reader for this token; what follows it, such as a version, does not count. */
  public RobotsTxt(String robotsToken) {
    this.token = token(asOctets(robotsToken));
    if (token.isEmpty() || token.startsWith("*")) {
      throw new IllegalArgumentException("a robots token starts with a letter: " + robotsToken);
    }
  }

  @Override
  public RobotsRules read(Body robotsTxt) {
    Reading reading = new Reading();
    octets(robotsTxt.bytes()).lines().forEach(reading::line);
    return reading.rules();
  }

  @Override
  public Reservations reservations(Body tdmRep) {
    return TdmRepFile.read(tdmRep);
  }

  /** One file being read, line by line. */
  private final class Reading {
    private final RobotsGroup.Builder ours = new RobotsGroup.Builder();
    private final RobotsGroup.Builder everyone = new RobotsGroup.Builder();
    private final List<String> sitemaps = new ArrayList<>();
    private final List<String> licences = new ArrayList<>();
    private boolean namedAnywhere;

    private boolean forUs;
    private boolean forEveryone;
    private boolean namingAgents;
    private boolean anyAgent;

    void line(String raw) {
      int comment = raw.indexOf('#');
      String line = (comment < 0 ? raw : raw.substring(0, comment)).strip();
      int colon = line.indexOf(':');
      if (colon >= 0) {
        record(line.substring(0, colon), line.substring(colon + 1).strip());
        return;
      }
      Matcher words = WITHOUT_COLON.matcher(line);
      if (words.matches() && (words.group(3).isEmpty() || isAgent(words.group(1)))) {
        record(words.group(1), words.group(2));
      }
    }

    /** An agent's name may be followed by words; a rule that is, is a sentence and no rule. */
    private boolean isAgent(String key) {
      return key.regionMatches(true, 0, "user", 0, 4);
    }

    private void record(String key, String value) {
      switch (key.strip().toLowerCase(Locale.ROOT)) {
        case "user-agent", "useragent", "user agent" -> agent(value);
        case "allow" -> rule(value, true);
        case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw" ->
            rule(value, false);
        case "crawl-delay", "crawldelay", "crawl delay" -> delay(CrawlDelay.read(value));
        case "request-rate", "requestrate", "request rate" -> delay(RequestRate.read(value));
        case "visit-time", "visittime", "visit time" ->
            VisitHours.read(value).ifPresent(this::hours);
        case "sitemap", "site-map" -> sitemap(value);
        case "content-usage" -> usage(rules -> rules.contentUsage(value));
        case "content-signal", "content-signals" -> usage(rules -> rules.contentSignal(value));
        case "license" -> licence(value);
        default -> {
          // Other records must not interfere with these, not even by ending a list of agents.
        }
      }
    }

    /** Agents named one after the other share what follows; after a rule a new list begins. */
    private void agent(String value) {
      if (!namingAgents) {
        forUs = false;
        forEveryone = false;
      }
      namingAgents = true;
      anyAgent = true;
      forEveryone |= value.equals("*") || value.startsWith("* ") || value.startsWith("*\t");
      forUs |= token(value).equals(token);
      namedAnywhere |= forUs;
    }

    private void rule(String path, boolean allow) {
      namingAgents = false;
      if (forUs) {
        ours.rule(path, allow);
      }
      if (forEveryone) {
        everyone.rule(path, allow);
      }
    }

    /** Not part of the standard: it speaks to the agents named so far and ends no list of them. */
    private void delay(Optional<Duration> read) {
      read.ifPresent(
          asked -> {
            if (forUs) {
              ours.delay(asked);
            }
            if (forEveryone) {
              everyone.delay(asked);
            }
          });
    }

    private void hours(VisitTime asked) {
      if (forUs) {
        ours.hours(asked);
      }
      if (forEveryone) {
        everyone.hours(asked);
      }
    }

    /** Like a delay; a line before the first agent is for every robot. */
    private void usage(Consumer<UsageRules.UsageDraft> line) {
      if (forUs || !anyAgent) {
        line.accept(ours.usage());
      }
      if (forEveryone || !anyAgent) {
        line.accept(everyone.usage());
      }
    }

    private void licence(String value) {
      if (!value.isEmpty() && value.length() <= LONGEST_URL && licences.size() < MOST_LICENCES) {
        licences.add(value);
      }
    }

    private void sitemap(String value) {
      if (!value.isEmpty() && value.length() <= LONGEST_URL && sitemaps.size() < MOST_SITEMAPS) {
        sitemaps.add(
            new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
      }
    }

    RobotsRules rules() {
      return (namedAnywhere ? ours : everyone).finished(sitemaps, licences);
    }
  }

  private static String token(String agent) {
    Matcher matcher = TOKEN.matcher(agent);
    return matcher.lookingAt() ? matcher.group().toLowerCase(Locale.ROOT) : "";
  }

  /**
   * The file as a string of octets, which is what rules are compared as. A last line that the limit
   * cuts off is left out: half an Allow may allow more than the whole one.
   */
  private static String octets(byte[] bytes) {
    String text = new String(bytes, 0, Math.min(bytes.length, LIMIT), StandardCharsets.ISO_8859_1);
    if (text.startsWith("\u00FE\u00FF")) {
      text = fromUtf16(text, StandardCharsets.UTF_16BE);
    } else if (text.startsWith("\u00FF\u00FE")) {
      text = fromUtf16(text, StandardCharsets.UTF_16LE);
    } else if (text.startsWith("\u00EF\u00BB\u00BF")) {
      text = text.substring(3);
    }
    if (bytes.length < LIMIT) {
      return text;
    }
    int end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    return text.substring(0, end + 1);
  }

  private static String fromUtf16(String octets, Charset charset) {
    String text = new String(octets.getBytes(StandardCharsets.ISO_8859_1), charset).substring(1);
    return asOctets(text);
  }

  private static String asOctets(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
