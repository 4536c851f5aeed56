package dev.comity.app.chaos;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Sets the wall clock of a worker ahead or behind, without a change of the program: wherever its
 * classes read the wall clock they read this one instead. Monotonic time stays as it is. The
 * argument is the offset in seconds.
 */
public final class ClockAgent {
  private static final ClassDesc AGENT = ClassDesc.of("dev.comity.app.chaos.ClockAgent");
  private static final ClassDesc INSTANT = ClassDesc.of("java.time.Instant");
  private static final Set<String> CLOCKS =
      Set.of("java/time/Instant.now", "java/lang/System.currentTimeMillis");
  private static volatile Duration ahead = Duration.ZERO;

  private ClockAgent() {}

  /** Called by the JVM before the program. */
  public static void premain(String seconds, Instrumentation instrumentation) {
    ahead = Duration.ofSeconds(Long.parseLong(seconds));
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] bytes) {
            boolean isOurs = name.startsWith("dev/comity/") && !name.endsWith("/ClockAgent");
            return isOurs ? shifted(bytes) : bytes;
          }
        });
  }

  /** The same class, which reads this clock. */
  static byte[] shifted(byte[] bytes) {
    ClassFile file = ClassFile.of();
    return file.transformClass(
        file.parse(bytes),
        ClassTransform.transformingMethodBodies(
            (code, element) -> {
              if (element instanceof InvokeInstruction call && readsClock(call)) {
                boolean isInstant = call.name().equalsString("now");
                code.invokestatic(
                    AGENT,
                    call.name().stringValue(),
                    isInstant ? MethodTypeDesc.of(INSTANT) : call.typeSymbol());
              } else {
                code.with(element);
              }
            }));
  }

  private static boolean readsClock(InvokeInstruction call) {
    String called = call.owner().asInternalName() + "." + call.name().stringValue();
    return call.opcode() == Opcode.INVOKESTATIC
        && call.typeSymbol().parameterCount() == 0
        && CLOCKS.contains(called);
  }

  public static Instant now() {
    return Instant.now().plus(ahead);
  }

  public static long currentTimeMillis() {
    return System.currentTimeMillis() + ahead.toMillis();
  }
}
