package dev.comity.web.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One case of a file in the format of html5lib's tree-construction tests: a document, and the
 * elements of the tree that the HTML standard makes of it.
 *
 * @param place the file and the number of the case in it
 * @param html the document
 * @param elements those that are not inside a template
 */
public record TreeCase(String place, String html, List<Element> elements) {
  private static final String ERRORS = "\n#errors\n";
  private static final String DOCUMENT = "\n#document\n";

  /**
   * An element of the tree.
   *
   * @param name with {@code svg} or {@code math} before it where it is foreign
   * @param text directly in it
   */
  public record Element(String name, Map<String, String> attributes, StringBuilder text) {}

  /** The cases of a file that are whole documents, read where no script is run. */
  public static List<TreeCase> in(Path file) throws IOException {
    List<TreeCase> cases = new ArrayList<>();
    String all = "\n" + Files.readString(file, StandardCharsets.UTF_8).stripTrailing();
    int number = 0;
    for (String one : all.split("(?<=\n)#data\n", -1)) {
      read(file.getFileName() + " " + number, one).ifPresent(cases::add);
      number++;
    }
    return cases;
  }

  private static Optional<TreeCase> read(String place, String text) {
    int errors = text.indexOf(ERRORS);
    int tree = text.indexOf(DOCUMENT);
    boolean isOther = text.contains("\n#document-fragment\n") || text.contains("\n#script-on\n");
    return errors < 0 || tree < 0 || isOther
        ? Optional.empty()
        : Optional.of(
            new TreeCase(
                place,
                text.substring(0, errors),
                elements(text.substring(tree + DOCUMENT.length()))));
  }

  private static List<Element> elements(String dump) {
    List<Element> found = new ArrayList<>();
    // What is open, an element at each depth; what is no element and has nothing inside is null.
    List<Optional<Element>> open = new ArrayList<>();
    int template = Integer.MAX_VALUE;
    for (String node : nodes(dump)) {
      int depth = depth(node);
      String written = node.substring(depth * 2);
      open.subList(depth, open.size()).clear();
      template = depth <= template ? Integer.MAX_VALUE : template;
      Optional<Element> parent = depth == 0 ? Optional.empty() : open.getLast();
      if (written.equals("content")) {
        template = depth;
      } else if (written.startsWith("\"")) {
        parent.ifPresent(element -> element.text().append(unquoted(written)));
      } else if (!written.startsWith("<")) {
        int equals = written.indexOf("=\"");
        parent.ifPresent(
            element ->
                element
                    .attributes()
                    .put(written.substring(0, equals), unquoted(written.substring(equals + 1))));
      }
      Optional<Element> element = element(written);
      open.add(element);
      if (template == Integer.MAX_VALUE) {
        element.ifPresent(found::add);
      }
    }
    return List.copyOf(found);
  }

  private static Optional<Element> element(String written) {
    boolean isElement =
        written.startsWith("<") && !written.startsWith("<!") && !written.startsWith("<?");
    return isElement
        ? Optional.of(
            new Element(
                written.substring(1, written.length() - 1), new HashMap<>(), new StringBuilder()))
        : Optional.empty();
  }

  /** Lines with their indent; a text, a comment or a value may go on in the next line. */
  private static List<String> nodes(String dump) {
    List<String> nodes = new ArrayList<>();
    for (String line : dump.stripTrailing().split("\n", -1)) {
      if (line.startsWith("| ")) {
        nodes.add(line.substring(2));
      } else {
        nodes.set(nodes.size() - 1, nodes.getLast() + "\n" + line);
      }
    }
    return nodes;
  }

  private static int depth(String node) {
    int spaces = 0;
    while (node.charAt(spaces) == ' ') {
      spaces++;
    }
    return spaces / 2;
  }

  private static String unquoted(String quoted) {
    return quoted.substring(1, quoted.length() - 1);
  }
}
