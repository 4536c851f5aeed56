package dev.comity.core.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of which signal refuses (R) which purpose, and which it only records (-). */
class UsageSignalTest {

  @ParameterizedTest
  @CsvSource({
    "NO_INDEX,             R, -, -, -, -",
    "NO_ARCHIVE,           -, R, -, -, -",
    "NO_IMAGE_INDEX,       R, R, R, R, R",
    "NO_AI,                -, -, -, R, R",
    "NO_IMAGE_AI,          -, -, -, R, R",
    "NO_ML,                -, -, -, R, R",
    "USAGE_NO_SEARCH,      R, -, -, -, -",
    "USAGE_NO_TRAINING,    -, -, -, -, R",
    "USAGE_NO_AI,          -, -, -, R, R",
    "USAGE_NO_BOTS,        R, R, R, R, R",
    "SIGNAL_NO_SEARCH,     R, -, -, -, -",
    "SIGNAL_NO_AI_INPUT,   -, -, -, R, -",
    "SIGNAL_NO_TRAINING,   -, -, -, -, R",
    "TDM_RESERVED,         -, -, R, R, R",
    "MINING_PROHIBITED,    R, R, R, R, R",
    "MINING_EXCEPT_SEARCH, -, R, R, R, R",
    "MINING_NO_TRAINING,   -, -, -, -, R",
    "C2PA_NO_TRAINING,     -, -, -, -, R",
    "RECORDED,             -, -, -, -, -",
  })
  void each_signal_refuses_these_purposes(
      UsageSignal signal,
      String search,
      String archive,
      String research,
      String aiInput,
      String trainAi) {
    assertThat(refusedBy(signal)).isEqualTo(refused(search, archive, research, aiInput, trainAi));
  }

  private static Set<Purpose> refused(String... marks) {
    Set<Purpose> refused = EnumSet.noneOf(Purpose.class);
    Iterator<String> mark = List.of(marks).iterator();
    for (Purpose purpose : Purpose.values()) {
      if (mark.next().equals("R")) {
        refused.add(purpose);
      }
    }
    return refused;
  }

  private static Set<Purpose> refusedBy(UsageSignal signal) {
    Set<Purpose> refused = EnumSet.noneOf(Purpose.class);
    Arrays.stream(Purpose.values()).filter(signal::refuses).forEach(refused::add);
    return refused;
  }

  @Test
  void a_signal_that_permits_refuses_nothing() {
    for (UsageSignal signal : UsageSignal.values()) {
      for (Purpose purpose : Purpose.values()) {
        if (signal.permits(purpose)) {
          assertThat(refusedBy(signal)).as("%s", signal).isEmpty();
        }
      }
    }
    assertThat(UsageSignal.TDM_NOT_RESERVED.permits(Purpose.RESEARCH)).isTrue();
    assertThat(UsageSignal.TDM_NOT_RESERVED.permits(Purpose.SEARCH)).isFalse();
  }

  @Test
  void a_purpose_is_found_by_its_name_in_settings() {
    for (Purpose purpose : Purpose.values()) {
      assertThat(Purpose.of(purpose.key())).contains(purpose);
    }
    assertThat(Purpose.of("TRAIN_AI")).isEmpty();
  }
}
