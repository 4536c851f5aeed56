import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/** The first version whose classes carry stack maps, which the JVM checks them by and its AOT cache asks for. */
static final int WITH_STACK_MAPS = ClassFile.JAVA_7_VERSION;

/**
 * Writes the classes of a jar, in place, in a form that the JVM's AOT cache takes; those that are new enough stay as
 * they are. The instructions are the same, stack maps are added: {@code JAR}.
 */
void main(String[] args) throws IOException {
  Path jar = Path.of(args[0]);
  Path made = jar.resolveSibling(jar.getFileName() + ".made");
  try (JarFile in = new JarFile(jar.toFile());
      URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
      JarOutputStream out = new JarOutputStream(Files.newOutputStream(made))) {
    ClassFile files =
        ClassFile.of(
            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(loader)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
    for (JarEntry entry : Collections.list(in.entries())) {
      JarEntry copy = new JarEntry(entry.getName());
      copy.setTimeLocal(entry.getTimeLocal());
      out.putNextEntry(copy);
      try (InputStream bytes = in.getInputStream(entry)) {
        out.write(
            entry.getName().endsWith(".class")
                ? modern(files, bytes.readAllBytes())
                : bytes.readAllBytes());
      }
    }
  }
  Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
}

byte[] modern(ClassFile files, byte[] old) {
  var model = files.parse(old);
  if (model.majorVersion() >= WITH_STACK_MAPS) {
    return old;
  }
  ClassTransform version =
      (builder, element) -> {
        if (element instanceof ClassFileVersion) {
          builder.withVersion(WITH_STACK_MAPS, 0);
        } else {
          builder.with(element);
        }
      };
  byte[] made =
      files.transformClass(
          model, ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(version));
  var errors = files.verify(made);
  if (!errors.isEmpty()) {
    throw new IllegalStateException(model.thisClass().asInternalName() + ": " + errors);
  }
  return made;
}
