package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No path is built from what a server says: the modules that hear servers do not know what a file
 * is.
 */
class NoFilesTest {

  @Test
  void what_reads_the_web_and_what_decides_about_it_name_no_class_of_files() throws Exception {
    assertThat(namingFiles(CrawlUrl.class)).isEmpty();
    // One reads what the system says of this process, by two fixed names. The other unpacks its
    // native library before any server is heard, under a name of the system's.
    assertThat(namingFiles(HttpFetcher.class))
        .containsExactly("OpenFiles.class", "Zstd$Loaded.class");
  }

  @Test
  void a_class_that_names_files_is_found_out() throws Exception {
    assertThat(namingFiles(NoFilesTest.class)).contains("NoFilesTest.class");
  }

  /** The classes beside this one, wherever it was loaded from, that mention a class of files. */
  private static List<String> namingFiles(Class<?> member) throws IOException, URISyntaxException {
    Path place = Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return namingFilesIn(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return namingFilesIn(jar.getPath("/"));
    }
  }

  private static List<String> namingFilesIn(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> classes = files.filter(file -> file.toString().endsWith(".class")).toList();
      assertThat(classes).isNotEmpty();
      for (Path file : classes) {
        String constants = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (constants.contains("java/nio/file/") || constants.contains("java/io/File")) {
          found.add(file.getFileName().toString());
        }
      }
    }
    return found;
  }
}
