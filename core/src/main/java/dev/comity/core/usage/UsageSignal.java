package dev.comity.core.usage;

import static dev.comity.core.usage.Purpose.AI_INPUT;
import static dev.comity.core.usage.Purpose.ARCHIVE;
import static dev.comity.core.usage.Purpose.RESEARCH;
import static dev.comity.core.usage.Purpose.SEARCH;
import static dev.comity.core.usage.Purpose.TRAIN_AI;

import java.util.Set;

/**
 * The forms in which sites state their wishes, and which purposes each refuses or permits. A form
 * with neither is only recorded. {@code Disallow} of robots.txt is not here: it is obeyed whatever
 * the purpose.
 */
public enum UsageSignal {
  /** Robots directive {@code noindex}. */
  NO_INDEX(Reach.ITSELF, SEARCH),
  /** Robots directive {@code noarchive}. */
  NO_ARCHIVE(Reach.ITSELF, ARCHIVE),
  /** Robots directive {@code noimageindex}. */
  NO_IMAGE_INDEX(Reach.IMAGES, Purpose.values()),
  /** Robots directive {@code noai}. */
  NO_AI(Reach.ALL, AI_INPUT, TRAIN_AI),
  /** Robots directive {@code noimageai}. */
  NO_IMAGE_AI(Reach.IMAGES, AI_INPUT, TRAIN_AI),
  /** Robots directive {@code noml}. */
  NO_ML(Reach.ALL, AI_INPUT, TRAIN_AI),

  /** {@code Content-Usage: search=n}. */
  USAGE_NO_SEARCH(Reach.ALL, SEARCH),
  /** {@code Content-Usage: train-ai=n}, and {@code train-genai=n} of earlier drafts. */
  USAGE_NO_TRAINING(Reach.ALL, TRAIN_AI),
  /** {@code Content-Usage: ai-use=n}. */
  USAGE_NO_AI(Reach.ALL, AI_INPUT, TRAIN_AI),
  /** {@code Content-Usage: bots=n} of earlier drafts: automated processing of any kind. */
  USAGE_NO_BOTS(Reach.ALL, Purpose.values()),

  /** {@code Content-Signal: search=no}. */
  SIGNAL_NO_SEARCH(Reach.ALL, SEARCH),
  /** {@code Content-Signal: ai-input=no}. */
  SIGNAL_NO_AI_INPUT(Reach.ALL, AI_INPUT),
  /** {@code Content-Signal: ai-train=no}. */
  SIGNAL_NO_TRAINING(Reach.ALL, TRAIN_AI),

  /** {@code tdm-reservation: 1}. */
  TDM_RESERVED(Reach.ALL, RESEARCH, AI_INPUT, TRAIN_AI),

  /** XMP data mining: prohibited, or allowed under conditions that no program can check. */
  MINING_PROHIBITED(Reach.ALL, Purpose.values()),
  /** XMP data mining: prohibited except for search engines. */
  MINING_EXCEPT_SEARCH(Reach.ALL, ARCHIVE, RESEARCH, AI_INPUT, TRAIN_AI),
  /** XMP data mining: prohibited for training, of generative models or of any. */
  MINING_NO_TRAINING(Reach.ALL, TRAIN_AI),

  /** A C2PA or CAWG assertion about training and mining that does not allow it. */
  C2PA_NO_TRAINING(Reach.ALL, TRAIN_AI),

  PERMITS_SEARCH(Set.of(SEARCH)),
  PERMITS_AI_INPUT(Set.of(AI_INPUT)),
  PERMITS_TRAINING(Set.of(TRAIN_AI)),
  PERMITS_AI(Set.of(AI_INPUT, TRAIN_AI)),
  /** {@code tdm-reservation: 0}. */
  TDM_NOT_RESERVED(Set.of(RESEARCH, AI_INPUT, TRAIN_AI)),
  MINING_PERMITTED(Set.of(Purpose.values())),

  /** Anything else worth keeping: a policy, a licence, a directive for search results. */
  RECORDED(Set.of());

  /** What a statement counts for. */
  private enum Reach {
    /** The resource that it came with. */
    ITSELF,
    /** The images of the page that it came with, and an image that it came with. */
    IMAGES,
    /** Both. */
    ALL
  }

  private final Reach reach;

  // Made by Set.of, which is immutable.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Purpose> refuses;

  @SuppressWarnings("ImmutableEnumChecker")
  private final Set<Purpose> permits;

  UsageSignal(Reach reach, Purpose... refuses) {
    this.reach = reach;
    this.refuses = Set.of(refuses);
    this.permits = Set.of();
  }

  UsageSignal(Set<Purpose> permits) {
    this.reach = Reach.ALL;
    this.refuses = Set.of();
    this.permits = Set.copyOf(permits);
  }

  public boolean refuses(Purpose purpose) {
    return refuses.contains(purpose);
  }

  public boolean permits(Purpose purpose) {
    return permits.contains(purpose);
  }

  /** Whether it counts for the page that it came with. */
  public boolean countsForPage() {
    return reach != Reach.IMAGES;
  }

  /** Whether it counts for the images of the page that it came with. */
  public boolean countsForImages() {
    return reach != Reach.ITSELF;
  }

  boolean isTdm() {
    return this == TDM_RESERVED || this == TDM_NOT_RESERVED;
  }
}
