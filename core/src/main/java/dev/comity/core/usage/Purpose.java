package dev.comity.core.usage;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a crawl collects content for. */
public enum Purpose {
  /** An index that leads people to the page. */
  SEARCH("search"),
  /** A copy that is kept as it was. */
  ARCHIVE("archive"),
  /** Analysis: text and data mining without training a model. */
  RESEARCH("research"),
  /** Input of a model that answers questions. */
  AI_INPUT("ai-input"),
  /** Training data of a model. */
  TRAIN_AI("train-ai");

  /** What a crawl is for when nothing is said. */
  public static final Set<Purpose> USUAL = Set.of(RESEARCH);

  private final String key;

  Purpose(String key) {
    this.key = key;
  }

  /** Its name in settings. */
  public String key() {
    return key;
  }

  /** Whether a reservation of mining refuses one of these. */
  public static boolean canBeReserved(Set<Purpose> purposes) {
    return purposes.stream().anyMatch(UsageSignal.TDM_RESERVED::refuses);
  }

  /** The names of several, always in the same order. */
  public static String keys(Set<Purpose> purposes) {
    return Arrays.stream(values())
        .filter(purposes::contains)
        .map(Purpose::key)
        .collect(Collectors.joining(","));
  }

  /** The purpose of this name in settings. */
  public static Optional<Purpose> of(String key) {
    return Arrays.stream(values()).filter(purpose -> purpose.key.equals(key)).findFirst();
  }
}
