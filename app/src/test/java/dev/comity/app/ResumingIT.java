package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.PageFile;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A crawl that was killed goes on where it was, and its file of pages with it. */
class ResumingIT {
  private static final String[] ALL = {"/1", "/2", "/3", "/4", "/5"};

  @TempDir private Path directory;

  /** What may have become of the file meanwhile. */
  enum Meanwhile {
    NOTHING {
      @Override
      void happens(Path file) {}
    },
    A_LINE_WAS_CUT {
      @Override
      void happens(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 7));
      }
    },
    A_LINE_WAS_BEGUN {
      @Override
      void happens(Path file) throws IOException {
        append(file, "{\"seq\":77,\"url\":\"http://127");
      }
    },
    THE_STORE_HAS_LOST_A_PAGE {
      @Override
      void happens(Path file) throws IOException {
        String last = Files.readAllLines(file).getLast();
        append(file, last.replaceFirst("\"seq\":\\d+", "\"seq\":999999") + "\n");
      }
    },
    IT_WAS_REMOVED {
      @Override
      void happens(Path file) throws IOException {
        Files.delete(file);
      }
    },
    IT_WAS_EMPTIED {
      @Override
      void happens(Path file) throws IOException {
        Files.write(file, new byte[0]);
      }
    },
    IT_BECAME_ANOTHER {
      @Override
      void happens(Path file) throws IOException {
        Files.writeString(file, "{\"seq\":1,\"url\":\"http://else.example/\"}\nand a poem\n");
      }
    };

    abstract void happens(Path file) throws IOException;

    private static void append(Path file, String text) throws IOException {
      Files.writeString(file, text, StandardOpenOption.APPEND);
    }
  }

  @ParameterizedTest
  @EnumSource
  void killed_and_gone_on_with_every_page_is_there_once(Meanwhile meanwhile) throws Exception {
    try (Site site = site()) {
      PageFile file = new PageFile(directory.resolve("pages.jsonl"));
      site.play("/3", Wire::hold);
      try (Program program = crawl(site, file)) {
        site.awaitRequest("/3");
        awaitPages(program, file, 1);
        program.kill();
      }
      meanwhile.happens(file.path());
      site.page("/3", "Three");
      try (Program program = crawl(site, file)) {
        Said said = program.ended();
        assertThat(said.code()).as(said.toString()).isZero();
        assertThat(said.out()).startsWith("Continuing run 1 in comity-data, which has ");
      }
      assertThat(file.statuses())
          .hasSize(6)
          .containsKeys(Arrays.stream(ALL).map(site::url).toList().toArray(String[]::new))
          .containsKey(site.url("/"));
      assertThat(sequence(file)).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void on_standard_output_a_continued_run_writes_only_what_is_new() throws Exception {
    try (Site site = site()) {
      site.play("/5", Wire::hold);
      try (Program program =
          Program.start(directory, "crawl", site.url("/"), "--delay", "0", "-o", "-")) {
        site.awaitRequest("/5");
        program.signal("TERM");
        assertThat(PageFile.pages(program.ended().out())).hasSize(5);
      }
      site.page("/5", "Five");
      try (Program program =
          Program.start(directory, "crawl", site.url("/"), "--delay", "0", "-o", "-")) {
        assertThat(PageFile.pages(program.ended().out()))
            .singleElement()
            .matches(page -> page.get("url").stringValue().equals(site.url("/5")));
      }
    }
  }

  @Test
  void the_environment_says_where_it_remembers_or_that_it_does_not() throws Exception {
    try (Site site = site()) {
      try (Program program =
          Program.start(
              directory,
              List.of(),
              List.of("COMITY_DATA=elsewhere"),
              "crawl",
              site.url("/"),
              "--delay=0")) {
        assertThat(program.ended().out()).startsWith("Run 1 begins in elsewhere.\n");
      }
      assertThat(directory.resolve("elsewhere").resolve("comity.db")).exists();
      try (Program program =
          Program.start(
              directory,
              List.of(),
              List.of("ENABLE_DOMAIN_TRACKING=false"),
              "crawl",
              site.url("/"),
              "--delay=0")) {
        assertThat(program.ended().lastLine()).startsWith("done: 6 pages ");
      }
      assertThat(directory.resolve("comity-data")).doesNotExist();
    }
  }

  private static Site site() {
    Site site = Site.open().page("/", "Home", ALL);
    for (String path : ALL) {
      site.page(path, "Page " + path);
    }
    return site;
  }

  private Program crawl(Site site, PageFile file) {
    return Program.start(
        directory, "crawl", site.url("/"), "--delay", "0", "-o", file.path().toString());
  }

  /** What is in the file is there before anything more is asked, but not before it is settled. */
  private static void awaitPages(Program program, PageFile file, int least) throws Exception {
    while (Files.readAllLines(file.path()).size() < least) {
      assertThat(program.endsWithin(Program.A_LOOK)).isFalse();
    }
  }

  private static List<Long> sequence(PageFile file) {
    return file.pages().stream().map(page -> page.get("seq").longValue()).toList();
  }
}
