package dev.comity.bench;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.wall.WallDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How many honest pages are taken for a wall: looks at every HTML file under the directories it is
 * given as if it had been fetched, and names those that are flagged. Documentation is what to give
 * it: nothing in it is a wall, and some of it is about walls.
 */
public final class SoftBlockCheck {
  private SoftBlockCheck() {}

  public static void main(String[] directories) throws IOException {
    if (directories.length == 0) {
      System.out.println("usage: SoftBlockCheck DIR...");
      return;
    }
    long pages = 0;
    List<String> walls = new ArrayList<>();
    List<String> empty = new ArrayList<>();
    for (String directory : directories) {
      for (Path file : pages(Path.of(directory))) {
        pages++;
        Fetched judged = judged(file, Path.of(directory));
        if (!(judged.outcome() instanceof Success)) {
          walls.add(
              judged.outcome().category().code() + " " + file + ": " + judged.note().orElse(""));
        } else if (judged.note().isPresent()) {
          empty.add(judged.note().get() + " " + file);
        }
      }
    }
    walls.forEach(System.out::println);
    empty.forEach(System.out::println);
    System.out.printf(
        "%d pages, %d taken for walls, %d said to be empty without JavaScript%n",
        pages, walls.size(), empty.size());
  }

  private static List<Path> pages(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().matches(".*\\.x?html?"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  private static Fetched judged(Path file, Path root) throws IOException {
    Success page = new Success(200, Headers.NONE, Body.of(Files.readAllBytes(file)));
    String path = root.relativize(file).toString().replace(' ', '_');
    CrawlUrl url =
        CrawlUrl.parse("https://docs.example/" + path) instanceof CrawlUrl read
            ? read
            : CrawlUrl.of("https://docs.example/");
    return WallDetector.judged(
        url,
        Headers.NONE,
        new Fetched(page, Optional.empty(), Duration.ZERO, page.body().length()));
  }
}
