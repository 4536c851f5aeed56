package dev.comity.web.robots;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.RobotsReader.Reservations;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageLines;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.usage.Wishes;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * A site's {@code /.well-known/tdmrep.json}: for which locations mining is reserved. Locations are
 * patterns like those of robots.txt. A file that ends in the middle or turns into something else
 * counts as far as it was read.
 */
public final class TdmRepFile implements Reservations {
  /** What is read of a file, in bytes: some thousand rules. */
  private static final int LIMIT = 256 * 1024;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(20)
                  .maxStringLength(4_096)
                  .maxNumberLength(20)
                  .build())
          .build();

  private final WishPatterns rules;

  private TdmRepFile(WishPatterns rules) {
    this.rules = rules;
  }

  /** Any bytes give a file, never an exception. */
  public static TdmRepFile read(Body body) {
    WishPatterns.PatternDraft rules = new WishPatterns.PatternDraft();
    int length = Math.min(body.bytes().length, LIMIT);
    try (JsonParser parser =
        JSON.createParser(ObjectReadContext.empty(), body.bytes(), 0, length)) {
      boolean more = parser.nextToken() == JsonToken.START_ARRAY;
      while (more && !rules.isFull()) {
        JsonToken next = parser.nextToken();
        more = next != null && next != JsonToken.END_ARRAY;
        if (next == JsonToken.START_OBJECT) {
          rule(parser, rules);
        } else {
          parser.skipChildren();
        }
      }
    } catch (JacksonException _) {
      // The rules before the error count.
    }
    return new TdmRepFile(rules.finished());
  }

  private static void rule(JsonParser parser, WishPatterns.PatternDraft rules) {
    String location = "";
    List<Wish> wishes = new ArrayList<>(2);
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (!parser.currentToken().isScalarValue()) {
        parser.skipChildren();
      } else if (name.equals("location")) {
        location = parser.getString();
      } else if (name.equals("tdm-reservation")) {
        wishes.add(UsageLines.tdmReservation(parser.getString(), FoundIn.TDMREP_FILE));
      } else if (name.equals("tdm-policy")) {
        wishes.add(UsageLines.tdmPolicy(parser.getString(), FoundIn.TDMREP_FILE));
      }
    }
    if (!location.isEmpty()) {
      boolean rooted = location.startsWith("/") || location.startsWith("*");
      rules.add(RobotsPath.ofLocation(rooted ? location : "/" + location), wishes);
    }
  }

  /** What the file says about this URL. */
  @Override
  public Wishes wishes(CrawlUrl url) {
    return Wishes.of(rules.of(url));
  }

  @Override
  public boolean isEmpty() {
    return rules.isEmpty();
  }
}
