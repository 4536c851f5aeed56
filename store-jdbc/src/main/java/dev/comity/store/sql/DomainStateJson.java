package dev.comity.store.sql;

import dev.comity.core.policy.DomainState;
import dev.comity.store.StoreDamaged;
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
 * the old one. The keys are the names of the components ({@link RecordForm}).
 */
public final class DomainStateJson {
  private static final int VERSION = 2;

  /**
   * The oldest form that is still read. Form 1 had another way to learn a delay; what both have in
   * common is kept, and the rest is learnt anew.
   */
  private static final int OLDEST = 1;

  /** Holds what nearly every state comes to. */
  private static final int USUAL_LENGTH = 400;

  private static final JsonFactory JSON = new JsonFactory();

  private static final RecordForm FORM = RecordForm.of(DomainState.class, DomainState.FRESH);

  private DomainStateJson() {}

  public static String encode(DomainState state) {
    StringWriter text = new StringWriter(USUAL_LENGTH);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("v", VERSION);
      FORM.writeFields(json, state);
      json.writeEndObject();
    }
    return text.toString();
  }

  /**
   * Reads what {@link #encode} wrote. Parts that say nothing are those of {@link
   * DomainState#FRESH}.
   *
   * @throws StoreDamaged for anything else
   */
  public static DomainState decode(String text) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      FieldReader in = new FieldReader(json);
      in.open();
      int version = version(in);
      if (version < OLDEST || version > VERSION) {
        throw new StoreDamaged(
            "a domain's state is in form "
                + version
                + ", and form "
                + VERSION
                + " is the newest known",
            "open the data directory with the version of Comity that wrote it, or a newer one",
            text);
      }
      DomainState state = (DomainState) FORM.readFields(in);
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
}
