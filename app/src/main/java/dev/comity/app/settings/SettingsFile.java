package dev.comity.app.settings;

import dev.comity.app.settings.YamlTree.Entries;
import dev.comity.app.settings.YamlTree.Entry;
import dev.comity.app.settings.YamlTree.Items;
import dev.comity.app.settings.YamlTree.Node;
import dev.comity.app.settings.YamlTree.Text;
import dev.comity.core.util.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of settings: which are said in it, in which lines, and what of single domains. Whether
 * there are such settings is for others to judge.
 *
 * @param settings by name
 * @param domains by the domain as it is written, each setting by name
 */
record SettingsFile(Map<String, RawValue> settings, Map<String, Map<String, RawValue>> domains) {
  /** Looked for in the directory a command is started in. */
  static final String USUAL_NAME = "comity.yaml";

  /** Where the file is named, beside the flag. */
  static final String VARIABLE = "COMITY_CONFIG";

  static final String DOMAINS = "domains";

  private static final int MOST_BYTES = 1 << 20;
  private static final SettingsFile NONE = new SettingsFile(Map.of(), Map.of());

  /**
   * The file that holds here: the one the command line names, or the environment, or the usual one
   * if there is one.
   *
   * @throws WrongSetting if it cannot be read, or is not what it should be
   */
  static SettingsFile find(Optional<Path> flag, Environment around) {
    String variable = around.environment().getOrDefault(VARIABLE, "");
    if (flag.isPresent() || !variable.isBlank()) {
      try {
        Path named = flag.orElseGet(() -> Path.of(variable));
        return read(around.directory().resolve(named), Printable.text(named.toString()));
      } catch (InvalidPathException wrong) {
        throw new WrongSetting(VARIABLE + " names no file: " + Printable.text(variable));
      }
    }
    Path usual = around.directory().resolve(USUAL_NAME);
    return Files.exists(usual) ? read(usual, USUAL_NAME) : NONE;
  }

  static SettingsFile read(Path file, String name) {
    return of(name, YamlTree.read(name, text(file, name)));
  }

  private static String text(Path file, String name) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new WrongSetting("config is %s, but has more than 1 MiB".formatted(name));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      throw new WrongSetting("config is %s, but is not text in UTF-8".formatted(name));
    } catch (IOException failed) {
      throw new WrongSetting(
          "config is %s, but cannot be read (%s)"
              .formatted(name, failed.getClass().getSimpleName()));
    }
  }

  private static SettingsFile of(String file, Entries root) {
    Map<String, RawValue> settings = new LinkedHashMap<>();
    Map<String, Map<String, RawValue>> domains = new LinkedHashMap<>();
    for (Entry entry : root.list()) {
      if (entry.key().equals(DOMAINS)) {
        for (Entry domain : entries(file, entry)) {
          Map<String, RawValue> said = new LinkedHashMap<>();
          entries(file, domain).forEach(one -> said.put(one.key(), raw(file, one)));
          domains.put(domain.key(), said);
        }
      } else {
        settings.put(entry.key(), raw(file, entry));
      }
    }
    return new SettingsFile(settings, domains);
  }

  private static List<Entry> entries(String file, Entry entry) {
    if (entry.value() instanceof Entries entries) {
      return entries.list();
    }
    if (entry.value() instanceof Text(var text, var plain, _) && isNothing(text, plain)) {
      return List.of();
    }
    throw wrong(
        Printable.text(entry.key()) + " holds `name: value` lines, indented below it",
        file,
        entry.value().line());
  }

  private static RawValue raw(String file, Entry entry) {
    String name = Printable.text(entry.key());
    return switch (entry.value()) {
      case Text(var text, var plain, var line) when isNothing(text, plain) ->
          throw wrong(name + " has no value: write one, or leave the line out", file, line);
      case Text(var text, _, var line) -> RawValue.one(text, SettingOrigin.line(file, line));
      case Items(var items, _) ->
          new RawValue(texts(name, file, items), true, SettingOrigin.line(file, entry.line()));
      case Entries(_, var line) -> throw wrong(name + " is one value, or a list", file, line);
    };
  }

  private static List<String> texts(String name, String file, List<Node> items) {
    List<String> texts = new ArrayList<>();
    for (Node item : items) {
      if (!(item instanceof Text(var text, var plain, _)) || isNothing(text, plain)) {
        throw wrong(name + " is a list of values, each on one line", file, item.line());
      }
      texts.add(text);
    }
    return texts;
  }

  private static boolean isNothing(String text, boolean plain) {
    return plain && (text.isEmpty() || text.equals("~") || text.equals("null"));
  }

  private static WrongSetting wrong(String why, String file, int line) {
    return new WrongSetting("%s (%s, line %d)".formatted(why, file, line));
  }
}
