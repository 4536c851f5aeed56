package dev.comity.core.usage;

import dev.comity.core.usage.StructuredDictionary.DictionaryMember;
import dev.comity.core.usage.Wish.FoundIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the lines that state wishes in a form of their own: {@code Content-Usage} of the IETF,
 * {@code Content-Signal} of Cloudflare, {@code tdm-reservation} and {@code tdm-policy} of TDMRep.
 * They stand in response headers, in robots.txt and in meta elements.
 */
public final class UsageLines {
  private static final int MOST_SIGNALS = 100;

  private UsageLines() {}

  /**
   * The preferences of a {@code Content-Usage} line. A line that is no dictionary states none, as
   * its draft says, and is recorded. Of a repeated word the refusal counts.
   */
  public static List<Wish> contentUsage(String line, FoundIn origin) {
    String name = "Content-Usage: ";
    Optional<List<DictionaryMember>> read =
        StructuredDictionary.read(line.toLowerCase(Locale.ROOT));
    if (read.isEmpty()) {
      return List.of(new Wish(UsageSignal.RECORDED, origin, name + line.strip()));
    }
    List<Wish> wishes = new ArrayList<>();
    for (DictionaryMember entry : read.get()) {
      String words = name + entry.key() + "=" + entry.value();
      wishes.add(new Wish(usage(entry.key(), entry.value()), origin, words));
    }
    return wishes;
  }

  private static UsageSignal usage(String key, String value) {
    boolean refused = value.equals("n") || value.equals("no") || value.equals("?0");
    boolean permitted = value.equals("y");
    if (!refused && !permitted) {
      return UsageSignal.RECORDED;
    }
    return switch (key) {
      case "search" -> refused ? UsageSignal.USAGE_NO_SEARCH : UsageSignal.PERMITS_SEARCH;
      case "train-ai" -> refused ? UsageSignal.USAGE_NO_TRAINING : UsageSignal.PERMITS_TRAINING;
      case "train-genai" -> refused ? UsageSignal.USAGE_NO_TRAINING : UsageSignal.RECORDED;
      case "ai-use" -> refused ? UsageSignal.USAGE_NO_AI : UsageSignal.PERMITS_AI;
      case "bots" -> refused ? UsageSignal.USAGE_NO_BOTS : UsageSignal.RECORDED;
      default -> UsageSignal.RECORDED;
    };
  }

  /** The answers of a {@code Content-Signal} line, such as {@code search=yes, ai-train=no}. */
  public static List<Wish> contentSignal(String line, FoundIn origin) {
    List<Wish> wishes = new ArrayList<>();
    String lower = line.toLowerCase(Locale.ROOT);
    int start = 0;
    while (start <= lower.length() && wishes.size() < MOST_SIGNALS) {
      int comma = lower.indexOf(',', start);
      int end = comma < 0 ? lower.length() : comma;
      String part = lower.substring(start, end).strip();
      if (!part.isEmpty()) {
        wishes.add(new Wish(signal(part), origin, "Content-Signal: " + part));
      }
      start = end + 1;
    }
    return wishes;
  }

  private static UsageSignal signal(String part) {
    int equals = part.indexOf('=');
    String value = part.substring(equals + 1).strip();
    boolean refused = value.equals("no") || value.equals("n");
    boolean permitted = value.equals("yes") || value.equals("y");
    if (equals < 0 || (!refused && !permitted)) {
      return UsageSignal.RECORDED;
    }
    return switch (part.substring(0, equals).strip()) {
      case "search" -> refused ? UsageSignal.SIGNAL_NO_SEARCH : UsageSignal.PERMITS_SEARCH;
      case "ai-input" -> refused ? UsageSignal.SIGNAL_NO_AI_INPUT : UsageSignal.PERMITS_AI_INPUT;
      case "ai-train" -> refused ? UsageSignal.SIGNAL_NO_TRAINING : UsageSignal.PERMITS_TRAINING;
      default -> UsageSignal.RECORDED;
    };
  }

  /** The value of {@code tdm-reservation}: 1 reserves, 0 does not, anything else is recorded. */
  public static Wish tdmReservation(String value, FoundIn origin) {
    UsageSignal signal =
        switch (value.strip()) {
          case "1" -> UsageSignal.TDM_RESERVED;
          case "0" -> UsageSignal.TDM_NOT_RESERVED;
          default -> UsageSignal.RECORDED;
        };
    return new Wish(signal, origin, "tdm-reservation: " + value.strip());
  }

  /** Where terms for mining can be asked for. */
  public static Wish tdmPolicy(String value, FoundIn origin) {
    return new Wish(UsageSignal.RECORDED, origin, "tdm-policy: " + value.strip());
  }

  /** A {@code License} line of robots.txt. */
  public static Wish license(String value) {
    return new Wish(UsageSignal.RECORDED, FoundIn.ROBOTS_TXT, "License: " + value.strip());
  }
}
