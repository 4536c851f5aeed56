package dev.comity.testkit.house.support;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.Predicate;

/** Every method called, referred to or field read passes the test. */
public final class OnlyCalls extends ArchCondition<JavaClass> {
  private final Predicate<AccessTarget> allowed;

  public OnlyCalls(String description, Predicate<AccessTarget> allowed) {
    super(description);
    this.allowed = allowed;
  }

  @Override
  public void check(JavaClass checked, ConditionEvents events) {
    for (JavaAccess<?> access : checked.getAccessesFromSelf()) {
      if (!allowed.test(access.getTarget())) {
        events.add(SimpleConditionEvent.violated(checked, access.getDescription()));
      }
    }
  }
}
