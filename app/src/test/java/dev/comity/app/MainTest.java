package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void without_a_command_it_lists_the_commands() {
    assertThat(run()).isEqualTo(0);
    assertThat(out.toString()).startsWith("Usage: comity [-hV] COMMAND").contains("Commands:");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void help_says_the_same_in_all_its_spellings() {
    run("help");
    String asCommand = out.toString();
    out.getBuffer().setLength(0);
    run("--help");
    assertThat(out.toString()).isEqualTo(asCommand).isNotEmpty();
  }

  @Test
  void outside_its_jar_it_has_no_version_number() {
    assertThat(run("--version")).isEqualTo(0);
    assertThat(out.toString()).isEqualTo("comity development" + System.lineSeparator());
  }

  @Test
  void a_mistyped_command_gets_the_nearest_one_suggested() {
    assertThat(run("hepl")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .containsExactly(
            "comity: Unmatched argument at index 0: 'hepl'",
            "Did you mean: comity help?",
            "Try: comity --help");
  }

  @Test
  void a_mistyped_option_gets_the_nearest_one_suggested() {
    assertThat(run("--versoin")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "comity: Unknown option: '--versoin'",
            "Possible solutions: --version",
            "Try: comity --help");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
