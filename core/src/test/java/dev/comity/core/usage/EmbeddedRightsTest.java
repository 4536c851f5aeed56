package dev.comity.core.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddedRightsTest {

  @ParameterizedTest
  @CsvSource({
    "http://ns.useplus.org/ldf/vocab/DMI-ALLOWED, MINING_PERMITTED",
    "http://ns.useplus.org/ldf/vocab/DMI-UNSPECIFIED, RECORDED",
    "http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED, MINING_PROHIBITED",
    "DMI-PROHIBITED-AIMLTRAINING, MINING_NO_TRAINING",
    "dmi-prohibited-genaimltraining, MINING_NO_TRAINING",
    "DMI-PROHIBITED-EXCEPTSEARCHENGINEINDEXING, MINING_EXCEPT_SEARCH",
    "DMI-PROHIBITED-SEECONSTRAINT, MINING_PROHIBITED",
    "DMI-PROHIBITED-SEEEMBEDDEDRIGHTSEXPR, MINING_PROHIBITED",
    "DMI-SOMETHING-NEW, MINING_PROHIBITED",
    "something else, RECORDED",
    "'', RECORDED",
    "DMI-, RECORDED",
  })
  void the_data_mining_word_of_a_file_is_read(String value, UsageSignal signal) {
    Wish wish = EmbeddedRights.dataMining(value);
    assertThat(wish.signal()).isEqualTo(signal);
    assertThat(wish.words()).startsWith("plus:DataMining ");
  }

  @Test
  void letters_that_grow_in_lower_case_do_no_harm() {
    assertThat(EmbeddedRights.dataMining("\u0130".repeat(50) + "DMI-PROHIBITED").signal())
        .isEqualTo(UsageSignal.MINING_PROHIBITED);
  }

  @Test
  void an_assertion_that_does_not_allow_training_refuses_it() {
    assertThat(EmbeddedRights.trainingMining("c2pa.training-mining", false).signal())
        .isEqualTo(UsageSignal.C2PA_NO_TRAINING);
    assertThat(EmbeddedRights.trainingMining("c2pa.training-mining", true).signal())
        .isEqualTo(UsageSignal.RECORDED);
    assertThat(EmbeddedRights.contentCredentials().words()).isEqualTo("c2pa: present");
  }
}
