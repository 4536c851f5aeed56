package dev.comity.store.crawl;

import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.store.QueuedUrl;
import java.util.Locale;

/**
 * The numbers that a row of the frontier stores: its state, its kind and its place in the queue.
 */
public final class FrontierCodes {
  /** Added to the place of a URL that was tried: it comes after all that were not. */
  public static final int TRIED = 65_536;

  /** The state of a URL that is known and, by its ending, not kept. */
  public static final int SKIPPED = 6;

  private FrontierCodes() {}

  /** A fate as the log names it, and the state of the URL after it; 4 is set aside. */
  public enum FateCode {
    DONE(1),
    MOVED(1),
    FAILED(2),
    DENIED(3),
    SUPPRESSED(5),
    SKIPPED(FrontierCodes.SKIPPED),
    RETRY(0),
    RETURNED(0);

    public final int state;

    FateCode(int state) {
      this.state = state;
    }

    public static FateCode of(Fate fate) {
      return switch (fate) {
        case Fate.Done _ -> DONE;
        case Fate.Moved _ -> MOVED;
        case Fate.Failed _ -> FAILED;
        case Fate.Denied _ -> DENIED;
        case Fate.Suppressed _ -> SUPPRESSED;
        case Fate.Skipped _ -> SKIPPED;
        case Fate.Retry _ -> RETRY;
        case Fate.Returned _ -> RETURNED;
      };
    }

    public boolean isFinal() {
      return state != 0;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The order of the queue: redirect targets first, then by depth, tried URLs last. */
  public static int place(QueuedUrl entry) {
    return Math.min(entry.depth(), 32_767)
        - (entry.hops() > 0 ? 32_768 : 0)
        + (entry.asked() > 0 ? TRIED : 0);
  }

  public static int code(Kind kind) {
    return switch (kind) {
      case PAGE -> 0;
      case SITEMAP -> 1;
      case LINKS -> 2;
      case IMAGE -> 3;
      case ROBOTS, TDMREP ->
          throw new IllegalArgumentException("no frontier has entries of kind " + kind);
    };
  }

  public static Kind kind(int code) {
    return switch (code) {
      case 1 -> Kind.SITEMAP;
      case 2 -> Kind.LINKS;
      case 3 -> Kind.IMAGE;
      default -> Kind.PAGE;
    };
  }
}
