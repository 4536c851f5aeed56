package dev.comity.testkit.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.RobotsReader;
import dev.comity.core.port.fetch.RobotsRules;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RobotsConformanceTest {
  private static final String ROWS =
      """
      [{"id":"a","agent":"Bot","url":"https://site.example/","robots":"","allowed":true},
       {"id":"b","agent":"Bot","url":"https://site.example/","robots":"","allowed":false},
       {"id":"c","agent":"Bot","url":"ftp://site.example/","robots":"","allowed":false}]
      """;

  @Test
  void the_rows_a_reader_answers_wrongly_are_named(@TempDir Path folder) throws Exception {
    RobotsConformance rows =
        RobotsConformance.from(Files.writeString(folder.resolve("rows.json"), ROWS));
    assertThat(rows.size()).isEqualTo(3);
    assertThat(rows.unaskable()).extracting(RobotsConformance.RobotsCase::id).containsExactly("c");
    assertThat(rows.failures(_ -> answering(true)))
        .extracting(RobotsConformance.RobotsCase::id)
        .containsExactly("b");
    assertThat(rows.failures(_ -> answering(false)))
        .extracting(RobotsConformance.RobotsCase::id)
        .containsExactly("a");
  }

  @Test
  void our_own_rows_tell_a_yes_sayer_from_a_no_sayer() {
    RobotsConformance own = RobotsConformance.own();
    int yes = own.failures(_ -> answering(true)).size();
    int no = own.failures(_ -> answering(false)).size();
    assertThat(own.size()).isEqualTo(82);
    assertThat(own.unaskable()).isEmpty();
    assertThat(yes + no).isEqualTo(82);
    assertThat(yes).isEqualTo(52);
  }

  private static RobotsReader answering(boolean allowed) {
    return _ -> new RobotsRules.Everything(allowed);
  }
}
