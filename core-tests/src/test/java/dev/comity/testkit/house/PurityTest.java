package dev.comity.testkit.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.comity.testkit.house.support.OnlyCalls;
import dev.comity.testkit.house.support.Worldly;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packages that decide are pure: the same question has the same answer at any time, on any
 * machine. They may know values, text and arithmetic, and of the world nothing.
 */
class PurityTest {
  private static final DescribedPredicate<JavaClass> PURE_JAVA =
      resideInAnyPackage(
              "java.lang",
              "java.lang.annotation",
              "java.lang.invoke",
              "java.lang.runtime",
              "java.math",
              "java.nio.charset",
              "java.time..",
              "java.util",
              "java.util.function",
              "java.util.stream",
              "org.jspecify.annotations")
          .and(
              DescribedPredicate.not(
                  DescribedPredicate.describe(
                      "clocks, threads, processes, random",
                      found ->
                          List.of(
                                  "java.lang.Process",
                                  "java.lang.ProcessBuilder",
                                  "java.lang.Runtime",
                                  "java.lang.Thread",
                                  "java.lang.ThreadLocal",
                                  "java.time.Clock",
                                  "java.time.InstantSource",
                                  "java.util.Random",
                                  "java.util.Scanner",
                                  "java.util.SplittableRandom",
                                  "java.util.Timer")
                              .contains(found.getFullName()))));

  private static final DescribedPredicate<JavaClass> OURS =
      resideInAnyPackage(
          "dev.comity.core.url",
          "dev.comity.core.outcome",
          "dev.comity.core.policy..",
          "dev.comity.core.schedule",
          "dev.comity.core.scope",
          "dev.comity.core.trap",
          "dev.comity.core.usage",
          "dev.comity.core.util");

  /** Methods that answer differently each time, in classes that are otherwise pure. */
  private static final ArchRule NO_HIDDEN_INPUT =
      classes()
          .should(
              new OnlyCalls(
                  "ask neither the time, nor chance, nor the machine",
                  target ->
                      switch (target.getOwner().getFullName()) {
                        case "java.lang.System" -> target.getName().equals("arraycopy");
                        case "java.lang.Math" -> !target.getName().equals("random");
                        case "java.util.UUID" -> !target.getName().equals("randomUUID");
                        case "java.lang.Object" ->
                            !List.of("wait", "notify", "notifyAll").contains(target.getName());
                        default ->
                            !(target.getName().equals("now")
                                && target.getOwner().getPackageName().startsWith("java.time"));
                      }))
          .allowEmptyShould(true);

  private static ArchRule knowsOnly(DescribedPredicate<JavaClass> libraries) {
    return classes()
        .should()
        .onlyDependOnClassesThat(PURE_JAVA.or(OURS).or(libraries).or(primitives()))
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> primitives() {
    return DescribedPredicate.describe(
        "primitives and arrays of them", found -> found.getBaseComponentType().isPrimitive());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.comity.core.outcome",
        "dev.comity.core.policy",
        "dev.comity.core.schedule",
        "dev.comity.core.trap",
        "dev.comity.core.usage",
        "dev.comity.core.util"
      })
  void deciding_needs_nothing_but_values(String name) {
    knowsOnly(DescribedPredicate.alwaysFalse()).check(classesOf(name));
    NO_HIDDEN_INPUT.check(classesOf(name));
  }

  @Test
  void urls_need_three_libraries_of_text_besides() {
    JavaClasses url = classesOf("dev.comity.core.url", "dev.comity.core.scope");
    assertThat(url.size()).isGreaterThan(20);
    knowsOnly(resideInAnyPackage("com.google.re2j", "com.ibm.icu.text", "crawlercommons.domains"))
        .check(url);
    NO_HIDDEN_INPUT.check(url);
  }

  @Test
  void a_class_that_knows_the_world_is_found_out() {
    JavaClasses worldly = new ClassFileImporter().importClasses(Worldly.class);
    EvaluationResult known =
        knowsOnly(resideInAPackage("dev.comity.testkit.house")).evaluate(worldly);
    assertThat(String.join("\n", known.getFailureReport().getDetails()))
        .contains("java.net.InetAddress.getLoopbackAddress")
        .contains("java.nio.file.Path.of")
        .contains("java.lang.Thread.onSpinWait")
        .contains("java.sql.Date.valueOf")
        .contains("java.util.concurrent.locks.ReentrantLock.<init>")
        .contains("java.time.Clock.systemUTC")
        .doesNotContain("java.util.List");
    EvaluationResult asked = NO_HIDDEN_INPUT.evaluate(worldly);
    assertThat(String.join("\n", asked.getFailureReport().getDetails()))
        .contains("java.time.Instant.now")
        .contains("java.lang.System.nanoTime")
        .contains("java.lang.Math.random")
        .contains("java.util.UUID.randomUUID")
        .doesNotContain("java.lang.Math.max");
  }

  private static JavaClasses classesOf(String... names) {
    return new ClassFileImporter().importPackages(names);
  }
}
