package dev.comity.core.usage;

import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.util.Printable;
import java.util.Locale;

/** Reads what image files say about their use, in XMP and in C2PA manifests. */
public final class EmbeddedRights {
  private static final String VOCABULARY = "dmi-";

  private EmbeddedRights() {}

  /**
   * The value of {@code plus:DataMining} in XMP, a URL of the PLUS vocabulary. Conditions that no
   * program can check count as a prohibition, and so do words of this vocabulary that are new.
   */
  public static Wish dataMining(String value) {
    String written = Printable.cut(Printable.text(Printable.cut(value.strip())));
    int term = lastOf(written);
    String word = term < 0 ? "" : written.substring(term + VOCABULARY.length());
    UsageSignal signal =
        switch (word.toLowerCase(Locale.ROOT)) {
          case "allowed" -> UsageSignal.MINING_PERMITTED;
          case "unspecified", "" -> UsageSignal.RECORDED;
          case "prohibited-aimltraining", "prohibited-genaimltraining" ->
              UsageSignal.MINING_NO_TRAINING;
          case "prohibited-exceptsearchengineindexing" -> UsageSignal.MINING_EXCEPT_SEARCH;
          default -> UsageSignal.MINING_PROHIBITED;
        };
    String shown = term < 0 ? written : written.substring(term);
    return new Wish(signal, FoundIn.IMAGE, "plus:DataMining " + shown);
  }

  private static int lastOf(String value) {
    int at = value.length() - VOCABULARY.length();
    while (at >= 0 && !value.regionMatches(true, at, VOCABULARY, 0, VOCABULARY.length())) {
      at--;
    }
    return at;
  }

  /**
   * A {@code c2pa.training-mining} or {@code cawg.training-mining} assertion. Its signature is not
   * verified: a forged refusal costs one image.
   *
   * @param allowed false if any use in it is not allowed, or only under constraints
   */
  public static Wish trainingMining(String label, boolean allowed) {
    UsageSignal signal = allowed ? UsageSignal.RECORDED : UsageSignal.C2PA_NO_TRAINING;
    return new Wish(signal, FoundIn.IMAGE, label + (allowed ? "" : ": not allowed"));
  }

  /** A C2PA manifest without such an assertion. */
  public static Wish contentCredentials() {
    return new Wish(UsageSignal.RECORDED, FoundIn.IMAGE, "c2pa: present");
  }
}
