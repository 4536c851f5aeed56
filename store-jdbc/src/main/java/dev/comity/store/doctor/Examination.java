package dev.comity.store.doctor;

import dev.comity.store.sql.ResultRow;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of one check.
 *
 * @param check its name
 * @param invariant its number in the list of what must hold; 0 where it is none of those
 * @param rule what must hold
 * @param findings where it does not, as far as they are kept
 * @param more how many further findings there are
 */
public record Examination(
    String check, int invariant, String rule, List<Finding> findings, long more) {

  /** How many findings of one check are kept in memory and shown. */
  static final int MOST = 100;

  public Examination {
    findings = List.copyOf(findings);
  }

  /** Whether nothing is wrong. */
  public boolean isSound() {
    return findings.isEmpty();
  }

  /** Gathers what a check finds. */
  static final class Findings {
    private final List<Finding> kept = new ArrayList<>();
    private final String fix;
    private long more;

    Findings(String fix) {
      this.fix = fix;
    }

    void add(String subject, String words) {
      add(subject, words, fix);
    }

    void add(String subject, String words, String otherFix) {
      if (kept.size() < MOST) {
        kept.add(new Finding(subject, words, otherFix.replace("NAME", subject)));
      } else {
        more++;
      }
    }

    /** Adds a finding if two numbers of a domain's row differ; the words take both. */
    void compare(ResultRow row, String one, String other, String words) {
      if (row.number(one) != row.number(other)) {
        add(row.text("domain"), words.formatted(row.number(one), row.number(other)));
      }
    }

    Examination of(Check check) {
      return new Examination(check.name(), check.invariant(), check.rule(), kept, more);
    }
  }
}
