import com.google.googlejavaformat.java.*;
import java.nio.file.*;

public class FormatFiles {
  public static void main(String[] a) throws Exception {
    Formatter formatter = new Formatter();
    int wrong = 0;
    for (String name : Files.readAllLines(Path.of(a[0]))) {
      Path file = Path.of(name);
      String before = Files.readString(file);
      try {
        String after = formatter.formatSourceAndFixImports(before);
        if (!after.equals(before)) Files.writeString(file, after);
      } catch (FormatterException odd) {
        System.err.println(name + ": " + odd.getMessage());
        wrong++;
      }
    }
    System.exit(wrong > 0 ? 1 : 0);
  }
}
