package dev.comity.store;

import static dev.comity.core.policy.DomainState.FRESH;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Heard;
import dev.comity.core.policy.Latency;
import dev.comity.core.policy.Learning;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Standing;
import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A domain's state as one JSON text, and back, exactly. It is written with every settled URL, so
 * what is as it was in a fresh domain is left out: most domains behave, and are short.
 *
 * <p>A field may be added under the same version, if leaving it out means what it meant before: a
 * reader passes over fields it does not know. Anything else needs a new version, and a reader of
 * the old one. The keys are the names of the components.
 */
final class DomainStateJson {
  private static final int VERSION = 1;

  /** Holds what nearly every state comes to. */
  private static final int USUAL_LENGTH = 400;

  private static final JsonFactory JSON = new JsonFactory();

  private DomainStateJson() {}

  static String encode(DomainState state) {
    StringWriter text = new StringWriter(USUAL_LENGTH);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      new FieldWriter(json).object(state, DomainStateJson::write);
    }
    return text.toString();
  }

  /**
   * Reads what {@link #encode} wrote. Parts that say nothing are those of {@link
   * DomainState#FRESH}.
   *
   * @throws StoreDamaged for anything else
   */
  static DomainState decode(String text) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      FieldReader in = new FieldReader(json);
      in.open();
      int version = version(in);
      if (version != VERSION) {
        throw new StoreDamaged(
            "a domain's state is in form " + version + ", and only form " + VERSION + " is known",
            "open the data directory with the version of Comity that wrote it, or a newer one",
            text);
      }
      DomainState state = read(in);
      in.end();
      return state;
    } catch (JacksonException broken) {
      long at = broken.getLocation() == null ? 0 : broken.getLocation().getCharOffset();
      throw damaged("cannot be read: it goes wrong at character " + at, text, broken);
    } catch (IllegalArgumentException wrong) {
      throw damaged("cannot be read: " + wrong.getMessage(), text, wrong);
    }
  }

  private static StoreDamaged damaged(String wrong, String text, RuntimeException cause) {
    return new StoreDamaged("a domain's state " + wrong, StoreDamaged.RESET, text, cause);
  }

  /** It comes first, for what follows depends on it. */
  private static int version(FieldReader in) {
    if (!in.nextField() || !in.key().equals("v")) {
      throw new IllegalArgumentException("it does not begin with its version");
    }
    return in.count();
  }

  private static void write(FieldWriter out, DomainState state) {
    out.count("v", VERSION);
    out.part("standing", state.standing(), FRESH.standing(), PartsJson::writeStanding);
    out.part("limits", state.limits(), FRESH.limits(), PartsJson::writeLimits);
    out.part("slots", state.slots(), FRESH.slots(), PartsJson::writeSlots);
    out.part("learning", state.learning(), FRESH.learning(), LearningJson::write);
    out.part("failures", state.failures(), FRESH.failures(), FailuresJson::write);
    out.part("latency", state.latency(), FRESH.latency(), PartsJson::writeLatency);
    out.part("heard", state.heard(), FRESH.heard(), PartsJson::writeHeard);
  }

  private static DomainState read(FieldReader in) {
    Standing standing = FRESH.standing();
    Limits limits = FRESH.limits();
    Slots slots = FRESH.slots();
    Learning learning = FRESH.learning();
    Failures failures = FRESH.failures();
    Latency latency = FRESH.latency();
    Heard heard = FRESH.heard();
    while (in.nextField()) {
      switch (in.key()) {
        case "standing" -> standing = PartsJson.readStanding(in);
        case "limits" -> limits = PartsJson.readLimits(in);
        case "slots" -> slots = PartsJson.readSlots(in);
        case "learning" -> learning = LearningJson.read(in);
        case "failures" -> failures = FailuresJson.read(in);
        case "latency" -> latency = PartsJson.readLatency(in);
        case "heard" -> heard = PartsJson.readHeard(in);
        default -> in.skip();
      }
    }
    return new DomainState(standing, limits, slots, learning, failures, latency, heard);
  }
}
