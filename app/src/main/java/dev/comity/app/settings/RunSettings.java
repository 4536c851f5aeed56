package dev.comity.app.settings;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The settings of a run, as its row has them: those of the crawl that began it. A worker that joins
 * the run takes them over, whatever its own environment says.
 *
 * @param values by the names of options; of a single domain as {@code domains/NAME/SETTING}
 */
public record RunSettings(Map<String, List<String>> values) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final String DOMAINS = "domains/";

  /** What belongs to one machine or process, and is set for each worker by itself. */
  static final Set<String> LOCAL =
      Set.of(
          "seeds",
          "data",
          "db",
          "ephemeral",
          "out",
          "log-format",
          "metrics",
          "max-time",
          "resolve",
          "proxy",
          "user",
          "header",
          "insecure",
          "max-in-flight",
          "max-claims",
          "max-rate");

  /** Options of a crawl that are no settings, and belong to the run all the same. */
  private static final Set<String> BESIDE =
      Set.of("keep", "select", "accept", "max-images", "image-hash");

  public RunSettings {
    values = Map.copyOf(values);
  }

  /** The settings of a crawl by the options of its command. */
  public static RunSettings of(CommandSpec command, Configuration told) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      String name = Configuration.nameOf(option);
      if (isOfRun(name)) {
        List<String> written = SettingValue.written(option, option.getValue());
        if (!written.isEmpty()) {
          values.put(name, written);
        }
      }
    }
    if (!told.isSet("purpose")) {
      // A purpose that nobody named is not compared with tdmrep.json files.
      values.remove("purpose");
    }
    told.domains()
        .told()
        .forEach(
            (domain, said) ->
                said.forEach((key, raw) -> values.put(DOMAINS + domain + "/" + key, raw.values())));
    return new RunSettings(values);
  }

  private static boolean isOfRun(String name) {
    return BESIDE.contains(name)
        || (SettingGroup.options().contains(name) && !LOCAL.contains(name));
  }

  /** Whether a worker may not set it, since the run does. */
  static boolean isTheRuns(String name) {
    return isOfRun(name);
  }

  /** These settings and one more. */
  public RunSettings with(String name, String value) {
    Map<String, List<String>> more = new LinkedHashMap<>(values);
    more.put(name, List.of(value));
    return new RunSettings(more);
  }

  public Optional<String> value(String name) {
    return Optional.ofNullable(values.get(name)).map(List::getFirst);
  }

  /** What is set for single domains. */
  DomainSettings domains(SettingOrigin origin) {
    Map<String, Map<String, RawValue>> domains = new LinkedHashMap<>();
    values.forEach(
        (name, list) -> {
          String[] parts = name.split("/", 3);
          if (name.startsWith(DOMAINS) && parts.length == 3) {
            domains
                .computeIfAbsent(parts[1], _ -> new LinkedHashMap<>())
                .put(parts[2], RawValue.one(list.getFirst(), origin));
          }
        });
    return DomainSettings.read(domains);
  }

  /** How many pages of single domains the run may have, where that is set for them. */
  public Map<String, Long> budgets() {
    Map<String, Long> budgets = new LinkedHashMap<>();
    domains(SettingOrigin.DEFAULT)
        .terms()
        .forEach(
            (domain, terms) ->
                terms.maxPages().ifPresent(most -> budgets.put(domain.name(), most)));
    return budgets;
  }

  /**
   * Sets the options that the run has values for.
   *
   * @throws WrongSetting if one is not understood: a newer program may have written it
   */
  public void fill(Collection<CommandSpec> commands, long run) {
    SettingOrigin origin = SettingOrigin.run(run);
    for (CommandSpec command : commands) {
      for (OptionSpec option : command.options()) {
        List<String> written = values.get(Configuration.nameOf(option));
        if (written != null && isOfRun(Configuration.nameOf(option))) {
          try {
            option.setValue(
                SettingValue.read(option, new RawValue(written, option.isMultiValue(), origin)));
          } catch (TypeConversionException wrong) {
            throw Configuration.wrong(
                Configuration.nameOf(option) + ": " + wrong.getMessage(), origin);
          }
        }
      }
    }
  }

  /** As the run's row has it. */
  public String text() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      values.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(
              one -> {
                json.writeArrayPropertyStart(one.getKey());
                one.getValue().forEach(json::writeString);
                json.writeEndArray();
              });
      json.writeEndObject();
    }
    return text.toString();
  }

  /**
   * Reads what a run's row has.
   *
   * @throws WrongSetting if it is no text of this kind
   */
  public static RunSettings read(String text) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      String name = "";
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        switch (token) {
          case PROPERTY_NAME -> {
            name = json.currentName();
            values.put(name, new ArrayList<>());
          }
          case VALUE_STRING ->
              values.computeIfAbsent(name, _ -> new ArrayList<>()).add(json.getString());
          default -> {}
        }
      }
      values.values().removeIf(List::isEmpty);
      return new RunSettings(values);
    } catch (JacksonException _) {
      throw new WrongSetting(
          "the settings of the run cannot be read: begin it again with `comity crawl --db`");
    }
  }
}
