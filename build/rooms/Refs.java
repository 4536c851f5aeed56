import com.sun.source.doctree.*;
import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.code.*;
import com.sun.tools.javac.tree.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/** Prints what every identifier of the given sources means: Refs CLASSPATH LISTFILE OUT. */
public class Refs {
  static PrintWriter out;
  static Trees trees;
  static DocTrees docs;
  static SourcePositions positions;
  static Set<String> ours = new HashSet<>();

  public static void main(String[] a) throws Exception {
    List<String> names = Files.readAllLines(Path.of(a[1]));
    JavaCompiler c = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager fm = c.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    DiagnosticCollector<JavaFileObject> diag = new DiagnosticCollector<>();
    JavacTask task = (JavacTask) c.getTask(null, fm, diag,
        List.of("-proc:none", "-classpath", a[0], "--release", "25", "-Xmaxerrs", "100000", "-nowarn"),
        null, fm.getJavaFileObjectsFromStrings(names));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    trees = Trees.instance(task);
    docs = DocTrees.instance(task);
    positions = trees.getSourcePositions();
    out = new PrintWriter(new BufferedWriter(new FileWriter(a[2], StandardCharsets.UTF_8)));
    int errors = 0;
    for (var d : diag.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR) {
        if (d.getSource() != null && d.getSource().getName().contains("/bench/")) continue;
        errors++;
        System.err.println(d);
        StringBuilder line = new StringBuilder("E\t" + d.getCode() + "\t" + (d.getSource() == null ? "" : d.getSource().toUri().getPath()) + "\t" + d.getPosition());
        try {
          Object inner = d;
          while (!(inner instanceof com.sun.tools.javac.util.JCDiagnostic)) {
            var field = inner.getClass().getDeclaredField("d");
            field.setAccessible(true);
            inner = field.get(inner);
          }
          for (Object arg : ((com.sun.tools.javac.util.JCDiagnostic) inner).getArgs()) {
            line.append('\t').append(arg instanceof Symbol s ? id(s) : arg instanceof com.sun.tools.javac.code.Type t && t.tsym != null ? id(t.tsym) : String.valueOf(arg).replace('\n', ' '));
          }
        } catch (ReflectiveOperationException odd) {
          throw new IllegalStateException(odd);
        }
        out.println(line);
      }
    }
    for (var u : units) new Scan(u).run();
    out.close();
    if (errors > 0) System.exit(1);
  }

  static String id(Symbol s) {
    if (s instanceof Symbol.ClassSymbol k) return "T:" + k.flatName();
    if (s instanceof Symbol.MethodSymbol m) return "M:" + m.owner.enclClass().flatName() + "#" + m.toString().replaceFirst("^<[^>]*>", "");
    if (s instanceof Symbol.VarSymbol v && v.owner instanceof Symbol.ClassSymbol k) return "F:" + k.flatName() + "#" + v.name;
    return "?:" + s;
  }

  static String top(Element e) {
    if (e == null) return "-";
    Symbol.ClassSymbol t;
    try {
      t = ((Symbol) e).outermostClass();
    } catch (ClassCastException none) {
      return "-";
    }
    if (t == null) return "-";
    String n = t.flatName().toString();
    return n.startsWith("dev.comity.") ? n : "-";
  }

  static String type(com.sun.tools.javac.code.Type t) {
    if (t == null) return "-";
    while (t.hasTag(TypeTag.ARRAY)) t = ((com.sun.tools.javac.code.Type.ArrayType) t).elemtype;
    if (t.tsym instanceof Symbol.ClassSymbol s) {
      String n = s.flatName().toString();
      return n.startsWith("dev.comity.") ? n : "-";
    }
    return "-";
  }

  static class Scan extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final String file;
    final String text;
    final Set<String> seen = new HashSet<>();

    Scan(CompilationUnitTree unit) throws IOException {
      this.unit = unit;
      this.file = unit.getSourceFile().toUri().getPath();
      this.text = unit.getSourceFile().getCharContent(true).toString();
    }

    void run() {
      out.println("F\t" + file + "\t" + (unit.getPackageName() == null ? "" : unit.getPackageName()));
      scan(unit, null);
      if (unit.getPackage() != null) doc(new TreePath(new TreePath(unit), unit.getPackage()));
    }

    void emit(String line) {
      if (seen.add(line)) out.println(line);
    }

    void access(Symbol s) {
      if (s == null || s.owner == null) return;
      if (s instanceof Symbol.ClassSymbol k) {
        if (!k.flatName().toString().startsWith("dev.comity")) return;
        if ((k.flags() & Flags.PUBLIC) == 0 && (k.flags() & Flags.PRIVATE) == 0) emit("A\t" + id(k));
        if (k.owner instanceof Symbol.ClassSymbol outer) access(outer);
        return;
      }
      if (s.owner instanceof Symbol.ClassSymbol k && (s instanceof Symbol.MethodSymbol || s instanceof Symbol.VarSymbol)) {
        if (!k.flatName().toString().startsWith("dev.comity")) return;
        if ((s.flags() & (Flags.PUBLIC | Flags.PRIVATE)) == 0) emit("A\t" + id(s));
        access(k);
      }
    }

    void deps(Symbol s) {
      access(s);
      if (s instanceof Symbol.MethodSymbol m) {
        emit("X\t" + top(m));
        if (m.type != null && m.type.getReturnType() != null) {
          emit("X\t" + type(types(m.type.getReturnType())));
          for (var p : m.type.getParameterTypes()) emit("X\t" + type(types(p)));
        }
      } else if (s instanceof Symbol.VarSymbol v) {
        if (v.owner instanceof Symbol.ClassSymbol) emit("X\t" + top(v));
        emit("X\t" + type(types(v.type)));
      } else if (s instanceof Symbol.ClassSymbol k) {
        emit("X\t" + top(k));
      }
    }

    com.sun.tools.javac.code.Type types(com.sun.tools.javac.code.Type t) {
      if (t instanceof com.sun.tools.javac.code.Type.TypeVar v) return v.getUpperBound();
      return t;
    }

    String key(Symbol s) {
      if (s instanceof Symbol.ClassSymbol k) return "T:" + k.flatName();
      if (s instanceof Symbol.VarSymbol v) {
        if (v.owner instanceof Symbol.ClassSymbol k) return "F:" + k.flatName() + "#" + v.name;
        if (v.owner instanceof Symbol.MethodSymbol m && m.isConstructor() && m.owner instanceof Symbol.ClassSymbol k
            && k.isRecord() && k.getRecordComponents().stream().anyMatch(c -> c.name == v.name)) {
          return "F:" + k.flatName() + "#" + v.name;
        }
        return "L:" + file + "@" + v.pos;
      }
      if (s instanceof Symbol.MethodSymbol m) {
        if (m.owner instanceof Symbol.ClassSymbol k && k.isRecord() && m.params().isEmpty()
            && k.getRecordComponents().stream().anyMatch(c -> c.name == m.name)) {
          return "F:" + k.flatName() + "#" + m.name;
        }
        return "M:" + ((Symbol.ClassSymbol) m.owner.enclClass()).flatName() + "#" + m.name;
      }
      return "?";
    }

    void ref(int start, Symbol s, String how) {
      if (s == null) return;
      deps(s);
      String name = s.name.toString();
      String typeOf = "-";
      if (s instanceof Symbol.ClassSymbol k) {
        if (!k.flatName().toString().startsWith("dev.comity.")) return;
        if (start < 0 || !text.startsWith(name, start)) return;
        emit("R\t" + how + "\tT\t" + start + "\t" + name + "\t" + key(s) + "\t"
            + (k.owner instanceof Symbol.PackageSymbol ? "top" : "nested"));
        return;
      }
      if (s instanceof Symbol.VarSymbol v) typeOf = type(v.type);
      else if (s instanceof Symbol.MethodSymbol m) {
        if (!(m.owner instanceof Symbol.ClassSymbol k) || !k.flatName().toString().startsWith("dev.comity")) return;
        if (m.isConstructor()) name = m.owner.name.toString();
        else typeOf = type(m.type == null ? null : m.type.getReturnType());
      } else return;
      if (start < 0 || name.isEmpty() || !text.startsWith(name, start)) return;
      if (s instanceof Symbol.MethodSymbol m && m.isConstructor()) {
        emit("R\t" + how + "\tT\t" + start + "\t" + name + "\tT:" + ((Symbol.ClassSymbol) m.owner).flatName() + "\tctor");
        return;
      }
      emit("R\t" + how + "\t" + (s instanceof Symbol.VarSymbol ? "V" : "M") + "\t" + start + "\t" + name + "\t" + key(s) + "\t" + typeOf);
    }

    /** Where "public" would be written. */
    void place(Symbol s, JCTree tree, JCTree.JCModifiers mods, int name) {
      if (s == null || tree.getStartPosition() < 0) return;
      int at = TreeInfo.getStartPos(tree);
      for (JCTree.JCAnnotation each : mods.annotations) at = Math.max(at, end(each));
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
      if (s instanceof Symbol.MethodSymbol m && !text.startsWith(m.isConstructor() ? m.owner.name.toString() : m.name.toString(), name)) return;
      if (s instanceof Symbol.VarSymbol v && (v.owner.flags() & Flags.RECORD) != 0 && (v.flags() & Flags.STATIC) == 0) return;
      emit("P\t" + id(s) + "\t" + at + "\t" + name + "\t" + (s.isConstructor() && (s.flags() & Flags.RECORD) != 0 ? "canonical" : "-"));
    }

    int end(Tree t) {
      return (int) positions.getEndPosition(unit, t);
    }

    @Override public Void visitIdentifier(com.sun.source.tree.IdentifierTree t, Void p) {
      ref(((JCTree.JCIdent) t).pos, ((JCTree.JCIdent) t).sym, "id");
      emit("X\t" + type(((JCTree) t).type));
      return super.visitIdentifier(t, p);
    }

    @Override public Void visitMemberSelect(MemberSelectTree t, Void p) {
      JCTree.JCFieldAccess f = (JCTree.JCFieldAccess) t;
      ref(end(t) - f.name.length(), f.sym, "sel");
      emit("X\t" + type(((JCTree) t).type));
      emit("X\t" + type(f.selected.type));
      if (f.selected.type != null) access(f.selected.type.tsym);
      return super.visitMemberSelect(t, p);
    }

    @Override public Void visitMemberReference(MemberReferenceTree t, Void p) {
      JCTree.JCMemberReference f = (JCTree.JCMemberReference) t;
      ref(end(t) - f.name.length(), f.sym, "sel");
      if (f.sym != null) deps(f.sym);
      return super.visitMemberReference(t, p);
    }

    @Override public Void visitNewClass(NewClassTree t, Void p) {
      JCTree.JCNewClass n = (JCTree.JCNewClass) t;
      if (n.constructor != null) deps(n.constructor);
      return super.visitNewClass(t, p);
    }

    @Override public Void visitClass(ClassTree t, Void p) {
      JCTree.JCClassDecl c = (JCTree.JCClassDecl) t;
      if (c.sym != null && !c.name.isEmpty()) {
        var m = java.util.regex.Pattern.compile("\\b(class|interface|record|enum)\\s+(" + c.name + ")\\b").matcher(text);
        if (m.find(Math.max(0, c.pos - 12)) ) {
          emit("R\tdecl\tT\t" + m.start(2) + "\t" + c.name + "\t" + key(c.sym) + "\t"
              + (c.sym.owner instanceof Symbol.PackageSymbol ? "top" : "nested"));
        }
      }
      place(c.sym, c, c.mods, c.pos);
      doc(getCurrentPath());
      return super.visitClass(t, p);
    }

    @Override public Void visitMethod(MethodTree t, Void p) {
      JCTree.JCMethodDecl m = (JCTree.JCMethodDecl) t;
      ref(m.pos, m.sym, "decl");
      place(m.sym, m, m.mods, m.pos);
      doc(getCurrentPath());
      return super.visitMethod(t, p);
    }

    @Override public Void visitVariable(VariableTree t, Void p) {
      JCTree.JCVariableDecl v = (JCTree.JCVariableDecl) t;
      ref(v.pos, v.sym, "decl");
      if (v.sym != null && v.sym.owner instanceof Symbol.ClassSymbol) place(v.sym, v, v.mods, v.pos);
      doc(getCurrentPath());
      return super.visitVariable(t, p);
    }

    void doc(TreePath path) {
      DocCommentTree comment = docs.getDocCommentTree(path);
      if (comment == null) return;
      new DocTreePathScanner<Void, Void>() {
        @Override public Void visitReference(com.sun.source.doctree.ReferenceTree r, Void p) {
          long at = docs.getSourcePositions().getStartPosition(unit, comment, r);
          String sig = r.getSignature();
          int hash = sig.indexOf('#');
          String cls = hash < 0 ? sig : sig.substring(0, hash);
          Element e = docs.getElement(getCurrentPath());
          if (e == null) {
            if (at >= 0) emit("D\t" + at + "\t" + sig + "\tunresolved");
            return null;
          }
          Symbol s = (Symbol) e;
          if (hash >= 0 && at >= 0) {
            int open = sig.indexOf('(');
            String member = open < 0 ? sig.substring(hash + 1) : sig.substring(hash + 1, open);
            if (text.startsWith(sig.substring(0, Math.min(sig.length(), hash + 1 + member.length())), (int) at))
              emit("R\tdoc\t" + (s instanceof Symbol.VarSymbol ? "V" : "M") + "\t" + (at + hash + 1) + "\t" + member + "\t" + key(s) + "\t-");
          }
          if (!cls.isEmpty() && at >= 0) {
            Symbol.ClassSymbol k = s instanceof Symbol.ClassSymbol x ? x : s.enclClass();
            emit("D\t" + at + "\t" + cls + "\t" + (k == null ? "-" : k.flatName()));
          }
          return null;
        }
      }.scan(new DocTreePath(path, comment), null);
    }
  }
}
