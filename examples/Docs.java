import dev.comity.Comity;
import dev.comity.Page;
import java.io.UncheckedIOException;

/** Writes a documentation tree as Markdown files: comity java Docs.java DIRECTORY URL */
void main(String[] arguments) throws Exception {
  Path directory = Files.createDirectories(Path.of(arguments[0]));
  var crawl = Comity.crawl(arguments[1]).contact("you@example.org");
  crawl
      .onPage(
          page -> {
            if (page.status() == 200) {
              write(page, directory);
            }
          })
      .run();
}

/** The name of a file never comes from the page: it is made of letters and digits of its URL. */
void write(Page page, Path directory) {
  String name = page.url().target().replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "");
  Path file = directory.resolve((name.isEmpty() ? "index" : name) + ".md");
  try {
    Files.writeString(file, page.markdown());
  } catch (IOException failed) {
    throw new UncheckedIOException(failed);
  }
}
