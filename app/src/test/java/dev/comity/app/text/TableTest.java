package dev.comity.app.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.text.Table.Heading;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TableTest {
  private static Table table() {
    Table table =
        new Table(
            List.of(Heading.left("NAME"), Heading.right("SIZE"), Heading.left("WHEN")),
            Set.of("WHEN"));
    table.row(List.of("a-rather-long-name.example", "12", "yesterday"), List.of("a remark"));
    table.row(List.of("b", "3000", "today"), List.of());
    return table;
  }

  @Test
  void without_a_window_it_is_as_wide_as_it_needs_to_be() {
    assertThat(table().lines(0))
        .containsExactly(
            "NAME                        SIZE  WHEN",
            "─".repeat(43),
            "a-rather-long-name.example    12  yesterday",
            "  └─ a remark",
            "b                           3000  today");
  }

  @Test
  void in_a_narrow_window_names_are_cut_and_then_columns_go() {
    assertThat(table().lines(35))
        .contains("a-rather-long-nam…    12  yesterday")
        .allMatch(line -> line.length() <= 35);
    assertThat(table().lines(20))
        .contains("a-rather-long…    12")
        .allMatch(line -> line.length() <= 20);
  }

  @Test
  void what_could_move_a_terminal_is_shown_as_an_escape() {
    Table table = new Table(List.of(Heading.left("NAME")), Set.of());
    table.row(List.of("red\u001b[31m"), List.of());
    assertThat(table.lines(0)).last().isEqualTo("red\\u001B[31m");
  }
}
