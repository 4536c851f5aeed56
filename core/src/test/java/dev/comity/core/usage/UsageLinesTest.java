package dev.comity.core.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.usage.Wish.FoundIn;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageLinesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "train-ai=n | USAGE_NO_TRAINING",
        "train-ai=y | PERMITS_TRAINING",
        "Train-AI=N | USAGE_NO_TRAINING",
        "train-ai=?0 | USAGE_NO_TRAINING",
        "train-ai=no | USAGE_NO_TRAINING",
        "train-genai=n | USAGE_NO_TRAINING",
        "train-ai | RECORDED",
        "train-ai=maybe | RECORDED",
        "train-ai=\"n\" | RECORDED",
        "search=n,train-ai=y | USAGE_NO_SEARCH PERMITS_TRAINING",
        "search=y ,\tai-use=n;until=@1767225600 | PERMITS_SEARCH USAGE_NO_AI",
        "train-ai=n, train-ai=y | USAGE_NO_TRAINING PERMITS_TRAINING",
        "bots=n | USAGE_NO_BOTS",
        "x=(a \"b\" 1.5);p=:YQ==:, train-ai=n | RECORDED USAGE_NO_TRAINING",
        "other=%\"f%c3%bc\", search=n | RECORDED USAGE_NO_SEARCH",
      })
  void content_usage_is_a_dictionary_of_preferences(String line, String signals) {
    assertThat(signals(UsageLines.contentUsage(line, FoundIn.HEADER))).isEqualTo(signals);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "train-ai=n,",
        "train-ai=n;",
        "train-ai = n",
        "train-ai=n search=n",
        "=n",
        "train-ai=",
        "train-ai=(n",
        "train-ai=(n\"",
        "train-ai=\"n",
        "train-ai=\"\\n\"",
        "train-ai=:n",
        "train-ai=?2",
        "train-ai=-",
        "train-ai=1.",
        "train-ai=@n",
        "train-ai=n\u0000",
        "train-ai=\u00fc",
        "%",
      })
  void a_line_that_is_no_dictionary_states_nothing_and_is_recorded(String line) {
    List<Wish> wishes = UsageLines.contentUsage(line, FoundIn.HEADER);
    assertThat(signals(wishes)).isEqualTo("RECORDED");
    assertThat(wishes.getFirst().words()).startsWith("Content-Usage: ");
  }

  @Test
  void nothing_is_said_by_an_empty_line_and_an_endless_one_is_not_read() {
    assertThat(UsageLines.contentUsage(" ", FoundIn.HEADER)).isEmpty();
    String endless = "train-ai=n,".repeat(StructuredDictionary.LONGEST) + "search=n";
    assertThat(signals(UsageLines.contentUsage(endless, FoundIn.HEADER))).isEqualTo("RECORDED");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "search=yes, ai-train=no | PERMITS_SEARCH SIGNAL_NO_TRAINING",
        "search=no,ai-input=no,ai-train=no | SIGNAL_NO_SEARCH SIGNAL_NO_AI_INPUT"
            + " SIGNAL_NO_TRAINING",
        "AI-Train = NO | SIGNAL_NO_TRAINING",
        "ai-input=yes, use=immediate | PERMITS_AI_INPUT RECORDED",
        "ai-train=never | RECORDED",
        "ai-train | RECORDED",
        ",,search=no,, | SIGNAL_NO_SEARCH",
        "=no | RECORDED",
      })
  void content_signal_is_a_list_of_answers(String line, String signals) {
    assertThat(signals(UsageLines.contentSignal(line, FoundIn.ROBOTS_TXT))).isEqualTo(signals);
  }

  @Test
  void no_more_than_a_hundred_answers_are_read() {
    assertThat(UsageLines.contentSignal("a=b,".repeat(1_000_000), FoundIn.HEADER)).hasSize(100);
  }

  @ParameterizedTest
  @CsvSource({"1, TDM_RESERVED", "' 1 ', TDM_RESERVED", "0, TDM_NOT_RESERVED", "2, RECORDED"})
  void a_reservation_is_one_or_nought(String value, UsageSignal signal) {
    assertThat(UsageLines.tdmReservation(value, FoundIn.META).signal()).isEqualTo(signal);
  }

  private static String signals(List<Wish> wishes) {
    return wishes.stream().map(wish -> wish.signal().name()).collect(Collectors.joining(" "));
  }
}
