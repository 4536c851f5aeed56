package dev.comity.app.monitor;

import static dev.comity.app.support.Settled.NOON;
import static dev.comity.app.support.Settled.URL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Change;
import dev.comity.core.policy.Pace;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.store.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventLinesTest {
  private static final String TIME = "{\"time\":\"2026-11-01T12:00:00.000Z\",";
  private static final String DOMAIN = "\"domain\":\"site.example\"";

  private final List<String> lines = new ArrayList<>();
  private final EventLines events = new EventLines(lines::add, () -> NOON);

  @Test
  void a_changed_delay_names_it_and_why_and_the_streak() {
    events.changed(
        URL.domain(),
        new Change.Throttle(Duration.ofSeconds(1), Duration.ofMillis(2500), Pace.Rule.LEARNED, 3));
    assertThat(lines)
        .containsExactly(
            TIME
                + "\"level\":\"info\",\"event\":\"throttle\","
                + DOMAIN
                + ",\"delay_ms\":2500,\"was_ms\":1000,\"why\":\"what its refusals taught\","
                + "\"streak\":3}");
  }

  @Test
  void refusals_traps_and_given_up_files_are_events() {
    events.changed(
        URL.domain(), new Change.IncidentOpened(Duration.ofSeconds(1), NOON.plusSeconds(2)));
    events.changed(URL.domain(), new Change.RefusedAgain(2, NOON.plusSeconds(4)));
    events.changed(URL.domain(), new Change.Concurrency(5, 1));
    events.changed(URL.domain(), new Change.TemplateSuppressed("/\u001b[2J", "barren"));
    events.changed(URL.domain(), new Change.AuthorityGivenUp(Category.TIMEOUT));
    events.changed(URL.domain(), new Change.JobCancelled(20));
    events.changed(URL.domain(), new Change.IncidentEnded(2));
    assertThat(lines)
        .hasSize(6)
        .allMatch(line -> line.contains(DOMAIN))
        .noneMatch(line -> line.contains("\u001b"));
    assertThat(lines.get(1)).contains("\"event\":\"refused\"", "\"streak\":2", "\"until\":");
    assertThat(lines.get(2)).endsWith("\"most\":1,\"was\":5}");
    assertThat(lines.get(3)).contains("\"template\":\"/\\u001B[2J\"");
    assertThat(lines.get(4)).contains("\"level\":\"warn\"", "\"why\":\"timeout\"");
    assertThat(lines.get(5)).contains("\"event\":\"cancelled\"", "\"streak\":20");
  }

  @Test
  void how_a_domain_is_left_is_an_event() {
    Standing closed =
        new Standing(
            DomainStatus.BLOCKED, Optional.of(CloseReason.FORBIDDEN), Optional.of(NOON), 1);
    events.ended(URL.domain(), new Ending.Closed(closed));
    events.ended(URL.domain(), new Ending.Exhausted());
    events.ended(URL.domain(), new Ending.RestUntil(NOON, "resting"));
    events.ended(URL.domain(), new Ending.JobFailed("20 URLs in a row failed"));
    events.ended(URL.domain(), new Ending.DomainOutOfBudget());
    events.ended(URL.domain(), new Ending.Lost());
    events.ended(URL.domain(), new Ending.SetAside("a URL cannot be read"));
    events.ended(URL.domain(), new Ending.Stopped());
    events.outage(true);
    events.shortOfDescriptors(60);
    assertThat(lines.getLast())
        .contains("\"event\":\"short_of_descriptors\",\"limit\":60,")
        .contains("ulimit -n");
    assertThat(lines.getFirst())
        .isEqualTo(
            TIME
                + "\"level\":\"warn\",\"event\":\"closed\","
                + DOMAIN
                + ",\"status\":\"blocked\",\"reason\":\"forbidden\","
                + "\"why\":\"it kept answering 401 or 403\","
                + "\"until\":\"2026-11-01T12:00:00.000Z\"}");
    assertThat(lines.get(6))
        .isEqualTo(
            TIME
                + "\"level\":\"warn\",\"event\":\"set_aside\","
                + DOMAIN
                + ",\"why\":\"a URL cannot be read\"}");
    assertThat(lines)
        .extracting(line -> line.replaceAll(".*\"event\":\"([a-z_]+)\".*", "$1"))
        .containsExactly(
            "closed",
            "exhausted",
            "parked",
            "job_failed",
            "budget_spent",
            "claim_lost",
            "set_aside",
            "outage",
            "short_of_descriptors");
  }

  @Test
  void a_long_wait_is_told_once_for_each_reason() {
    events.waiting(URL.domain(), NOON.plusMillis(1999), "resting");
    assertThat(lines).isEmpty();
    events.waiting(URL.domain(), NOON.plusSeconds(30), "resting");
    events.waiting(URL.domain(), NOON.plusSeconds(60), "resting");
    events.waiting(URL.domain(), NOON.plusSeconds(30), "every URL left is due later");
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .isEqualTo(
            TIME
                + "\"level\":\"info\",\"event\":\"deferred\","
                + DOMAIN
                + ",\"wait_ms\":30000,\"until\":\"2026-11-01T12:00:30.000Z\",\"why\":\"resting\"}");
    events.ended(URL.domain(), new Ending.Stopped());
    events.waiting(URL.domain(), NOON.plusSeconds(30), "every URL left is due later");
    assertThat(lines).hasSize(3);
  }
}
