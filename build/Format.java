import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Formats every Java file of the tree, or only tells which ones are not formatted: {@code check|write ROOT}. */
void main(String[] args) throws IOException {
  boolean write = args[0].equals("write");
  Path root = Path.of(args[1]);
  List<Path> files;
  try (var tree = Files.walk(root)) {
    files =
        tree.filter(path -> path.toString().endsWith(".java"))
            .filter(path -> isSource(root.relativize(path)))
            .sorted()
            .toList();
  }
  // On all cores: every module waits for this.
  long wrong = files.parallelStream().filter(file -> isWrong(file, root, write)).count();
  if (wrong > 0) {
    IO.println("Run: mvn -N process-sources -Dformat=write");
    System.exit(1);
  }
}

/** Whether the file cannot be left as it is; says so. */
boolean isWrong(Path file, Path root, boolean write) {
  try {
    String before = Files.readString(file);
    String after = new Formatter().formatSourceAndFixImports(before);
    if (before.equals(after)) {
      return false;
    }
    if (write) {
      Files.writeString(file, after);
    }
  } catch (FormatterException unreadable) {
    IO.println("not readable as Java: " + root.relativize(file) + ": " + unreadable.getMessage());
    return true;
  } catch (IOException broken) {
    throw new UncheckedIOException(broken);
  }
  IO.println((write ? "formatted: " : "not formatted: ") + root.relativize(file));
  return !write;
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
