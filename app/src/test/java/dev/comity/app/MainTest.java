package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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

  @Test
  void every_command_is_called_by_the_name_it_has() {
    Main.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              Map<String, CommandLine> built = Main.commandLineFor(name, "--help").getSubcommands();
              CommandLine alone = Objects.requireNonNull(built.get(name), name);
              boolean isAlias = !name.equals(command.getCommandName());
              // The command, its aliases and config.
              assertThat(built.size() <= 4).as(name).isEqualTo(!isAlias && !name.equals("help"));
              assertThat(alone.getUsageMessage()).isEqualTo(command.getUsageMessage());
            });
  }

  @Test
  void a_start_builds_the_command_that_is_called_and_the_settings() {
    assertThat(Main.commandLineFor("why", "a.example").getSubcommands().keySet())
        .containsExactly("why", "config");
    assertThat(Main.commandLineFor("config").getSubcommands().keySet()).containsExactly("config");
    assertThat(Main.commandLineFor("hepl").getSubcommands()).hasSizeGreaterThan(10);
    assertThat(Main.commandLineFor("help", "why").getSubcommands()).hasSizeGreaterThan(10);
  }

  private int run(String... arguments) {
    return Main.commandLineFor(arguments)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
