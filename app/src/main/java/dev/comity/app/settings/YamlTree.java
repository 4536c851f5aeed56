package dev.comity.app.settings;

import dev.comity.core.util.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML as text in maps and lists, with the line of each. From the parser's events, so that no
 * tag makes an object and no alias is ever followed: both are refused, as are keys that stand
 * twice.
 */
final class YamlTree {
  /** Settings, domains, a domain, its settings. */
  private static final int DEEPEST = 5;

  private final String file;
  private final Iterator<Event> events;

  private YamlTree(String file, Iterator<Event> events) {
    this.file = file;
    this.events = events;
  }

  /** Something written in the file. */
  sealed interface Node {
    int line();
  }

  /** A text; a plain one stands without quotes. */
  record Text(String text, boolean plain, int line) implements Node {}

  record Items(List<Node> list, int line) implements Node {}

  record Entries(List<Entry> list, int line) implements Node {}

  record Entry(String key, int line, Node value) {}

  /**
   * The map that the text is.
   *
   * @param file what it is called in complaints
   * @throws WrongSetting naming the line, if it is anything else
   */
  static Entries read(String file, String text) {
    LoadSettings settings = LoadSettings.builder().setLabel(file).build();
    try {
      return new YamlTree(file, new Parse(settings).parseString(text).iterator()).root();
    } catch (MarkedYamlEngineException broken) {
      int line = broken.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new WrongSetting(
          "not YAML: %s (%s, line %d)"
              .formatted(Printable.text(String.valueOf(broken.getProblem())), file, line));
    } catch (YamlEngineException broken) {
      throw new WrongSetting(
          "not YAML: %s (%s)".formatted(Printable.text(String.valueOf(broken.getMessage())), file));
    }
  }

  private Entries root() {
    Entries root = new Entries(List.of(), 1);
    int documents = 0;
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof DocumentStartEvent && ++documents > 1) {
        throw wrong("there is more than one document in it", event);
      }
      if (event instanceof NodeEvent) {
        Node node = node(event, 0);
        root =
            switch (node) {
              case Entries entries -> entries;
              case Text(var text, _, _) when text.isEmpty() -> root;
              case Text _, Items _ ->
                  throw wrong("settings are written as `name: value`, one a line", event);
            };
      }
    }
    return root;
  }

  private Node node(Event event, int depth) {
    if (depth == DEEPEST) {
      throw wrong("it is nested too deeply", event);
    }
    return switch (event) {
      case AliasEvent _ -> throw wrong("aliases are not understood; write the value again", event);
      case ScalarEvent text -> {
        plain(text.getAnchor().isPresent(), text.getTag().isPresent(), event);
        yield new Text(text.getValue(), text.isPlain(), line(event));
      }
      case SequenceStartEvent start -> {
        plain(start.getAnchor().isPresent(), start.getTag().isPresent(), event);
        List<Node> items = new ArrayList<>();
        for (Event next = events.next(); !(next instanceof SequenceEndEvent); ) {
          items.add(node(next, depth + 1));
          next = events.next();
        }
        yield new Items(items, line(event));
      }
      case MappingStartEvent start -> {
        plain(start.getAnchor().isPresent(), start.getTag().isPresent(), event);
        yield entries(event, depth);
      }
      default -> throw wrong("it is not understood", event);
    };
  }

  private Entries entries(Event start, int depth) {
    List<Entry> entries = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    for (Event next = events.next(); !(next instanceof MappingEndEvent); ) {
      if (!(node(next, depth + 1) instanceof Text(var key, _, var line))) {
        throw wrong("a name is a single word", next);
      }
      Integer before = lines.putIfAbsent(key, line);
      if (before != null) {
        throw wrong(Printable.text(key) + " stands in line " + before + " already", next);
      }
      entries.add(new Entry(key, line, node(events.next(), depth + 1)));
      next = events.next();
    }
    return new Entries(entries, line(start));
  }

  private void plain(boolean anchored, boolean tagged, Event event) {
    if (anchored || tagged) {
      throw wrong(anchored ? "anchors are not understood" : "tags are not understood", event);
    }
  }

  private static int line(Event event) {
    return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }

  private WrongSetting wrong(String why, Event event) {
    return new WrongSetting("%s (%s, line %d)".formatted(why, file, line(event)));
  }
}
