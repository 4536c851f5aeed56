package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports as a process of its own writes them to its standard output. */
class ExportIT {
  @TempDir private Path home;
  @TempDir private Path work;

  @Test
  void a_reader_that_has_had_enough_ends_an_export_without_a_word() throws IOException {
    // More than any pipe holds, so that it cannot have been written before the reader leaves.
    Shelf shelf = Shelf.small(home).run("UPDATE pages SET text = hex(zeroblob(4000000))");
    try (Program program =
        Program.piped(work, "export", "pages", "--data", shelf.home().toString())) {
      program.closeReader();
      Said said = program.ended();
      assertThat(said.err()).isEmpty();
      assertThat(said.code()).isZero();
    }
  }

  @Test
  void text_is_written_in_utf_8_whatever_the_terminal_s_own_encoding() throws IOException {
    Shelf shelf = Shelf.small(home).run("UPDATE pages SET title = 'Größe 大'");
    try (Program program =
        Program.start(
            work,
            List.of(),
            List.of("LC_ALL=C"),
            "export",
            "pages",
            "--format",
            "csv",
            "--data",
            shelf.home().toString())) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      assertThat(said.out()).contains("Größe 大").endsWith("\r\n");
      assertThat(said.out().getBytes(StandardCharsets.UTF_8)).contains((byte) 0xc3);
    }
  }

  @Test
  void on_a_terminal_csv_is_escaped_and_in_a_pipe_it_is_to_the_letter() {
    Shelf shelf = Shelf.small(home).run("UPDATE pages SET title = " + Shelf.literal(Shelf.HOSTILE));
    for (int columns : List.of(0, 100)) {
      try (Program program =
          Program.start(
              work,
              List.of("-Dcomity.terminal=" + columns),
              List.of(),
              "export",
              "pages",
              "--format",
              "csv",
              "--data",
              shelf.home().toString())) {
        String out = program.ended().out();
        assertThat(out.contains("\u202e")).isEqualTo(columns == 0);
        assertThat(out.contains("\\u202E")).isEqualTo(columns == 100);
        assertThat(out.lines().count()).isEqualTo(columns == 0 ? 5 : 3);
      }
    }
  }

  @Test
  void the_data_directory_may_come_from_the_environment() {
    Shelf shelf = Shelf.small(home);
    try (Program program =
        Program.start(work, List.of(), List.of("COMITY_DATA=" + shelf.home()), "runs", "--json")) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      assertThat(said.out()).startsWith("{\"run\":1,");
    }
    assertThat(Files.exists(work.resolve("comity-data"))).isFalse();
  }
}
