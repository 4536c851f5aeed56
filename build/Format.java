import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Formats every Java file of the tree, or only tells which ones are not formatted: {@code check|write ROOT}. */
void main(String[] args) throws IOException {
  boolean write = args[0].equals("write");
  Path root = Path.of(args[1]);
  Formatter formatter = new Formatter();
  List<Path> files;
  try (var tree = Files.walk(root)) {
    files =
        tree.filter(path -> path.toString().endsWith(".java"))
            .filter(path -> isSource(root.relativize(path)))
            .sorted()
            .toList();
  }
  int wrong = 0;
  for (Path file : files) {
    String before = Files.readString(file);
    String after;
    try {
      after = formatter.formatSourceAndFixImports(before);
    } catch (FormatterException unreadable) {
      IO.println("not readable as Java: " + root.relativize(file) + ": " + unreadable.getMessage());
      wrong++;
      continue;
    }
    if (before.equals(after)) {
      continue;
    }
    if (write) {
      Files.writeString(file, after);
      IO.println("formatted: " + root.relativize(file));
    } else {
      IO.println("not formatted: " + root.relativize(file));
      wrong++;
    }
  }
  if (wrong > 0) {
    IO.println("Run: mvn -N process-sources -Dformat=write");
    System.exit(1);
  }
}

/** Whole directory names are compared: a class may well be called after a redirect's target. */
boolean isSource(Path path) {
  List<String> directories = new ArrayList<>();
  if (path.getParent() != null) {
    path.getParent().forEach(name -> directories.add(name.toString()));
  }
  int src = directories.indexOf("src");
  return src >= 0 && !directories.subList(0, src).contains("target");
}
