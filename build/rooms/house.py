#!/usr/bin/env python3
"""Rooms and names of the house, applied to a checkout.

  house.py move  TREE [--only core,web,store-jdbc,app,testkit] [--no-commit]
  house.py names TREE [--only Crew,Roster,...] [--no-commit] [--check]   one commit a noun
  house.py report TREE          files per package, cycles between packages

The tree must compile and be clean. Every step may be run again: what is in its place already is left alone.
"""
import argparse, json, os, re, subprocess, sys, tempfile
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import analysis

KINDS = r"(PropertyTest|InCrawlTest|Properties|Simulation|Contract|Oracle|Tests|Test|IT)$"
TEXTS = (".java", ".md", ".xml", ".yaml", ".yml", ".sh", ".json", ".sql", ".html", ".txt")


def git(root, *args, check=True):
    return subprocess.run(["git", *args], cwd=root, check=check, capture_output=True, text=True).stdout


def read(root, f):
    return open(f"{root}/{f}", encoding="utf-8", newline="").read()


def write(root, f, text):
    os.makedirs(os.path.dirname(f"{root}/{f}") or ".", exist_ok=True)
    open(f"{root}/{f}", "w", encoding="utf-8", newline="").write(text)


def format_files(root, files):
    files = [f"{root}/{f}" for f in files if f.endswith(".java") and os.path.exists(f"{root}/{f}")]
    if not files:
        return
    pom = read(root, "pom.xml")
    v = re.search(r"<version.google-java-format>([^<]+)<", pom)[1]
    jar = f"{analysis.M2}/com/google/googlejavaformat/google-java-format/{v}/google-java-format-{v}-all-deps.jar"
    classes = f"{HERE}/.classes"
    if not os.path.exists(f"{classes}/FormatFiles.class"):
        subprocess.run([f"{analysis.JDK}/bin/javac", "-cp", jar, "-d", classes, f"{HERE}/FormatFiles.java"], check=True)
    exports = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{p}=ALL-UNNAMED" for p in ("api", "code", "file", "parser", "tree", "util")]
    listing = tempfile.mktemp()
    open(listing, "w").write("\n".join(files))
    subprocess.run(["nice", "-n", "5", f"{analysis.JDK}/bin/java", *exports, "-cp", f"{jar}:{classes}", "FormatFiles", listing], check=True)


def text_files(root):
    out = git(root, "ls-files").split("\n")
    return [f for f in out if f and os.path.isfile(f"{root}/{f}") and not os.path.islink(f"{root}/{f}")
            and (f.endswith(TEXTS) or "." not in os.path.basename(f))]


class Plan:
    """Where every file goes."""

    def __init__(self):
        self.main, self.default, self.test, self.testdefault, self.words = {}, {}, {}, {}, []
        renamed = {n["old"].split(".")[-1]: n["new"] for n in nouns()}
        for line in open(f"{HERE}/data/rooms.txt"):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("words "):
                self.words.append(tuple(line[6:].split(" => ")))
                continue
            head, classes = line.split(": ", 1)
            p = head.split()
            if p[0] == "from":
                self.default[p[1]] = classes
            elif p[0] == "testfrom":
                self.testdefault[p[1]] = classes
            elif p[0] == "test":
                for c in classes.split():
                    self.test[p[1], c] = p[2]
            else:
                for c in classes.split():
                    self.main[p[0], c] = p[1]
                    if c in renamed:
                        self.main.setdefault((p[0], renamed[c]), p[1])

    MOVED = re.compile(r"dev\.comity\.(core\.(url|outcome|policy|port|engine)|web|web\.address|store|app)$")

    def room(self, f, package, say=None):
        """The package of a source file after the moves."""
        module, name = f.split("/")[0], os.path.basename(f)[:-5]
        if name == "package-info":
            return package
        if "/src/main/" in f:
            if (module, name) in self.main:
                return self.main[module, name]
            if package in self.default:
                if say is not None:
                    say.append(f"no room named for {f}: goes to {self.default[package]}")
                return self.default[package]
            return package
        if (module, name) in self.test and not package.startswith(("dev.comity.app.launcher",)):
            if self.MOVED.match(package) or package == "dev.comity.testkit.engine":
                return self.test[module, name]
        if not self.MOVED.match(package):
            return package
        tested = re.sub(KINDS, "", name)
        if (module, tested) in self.main:
            return self.main[module, tested]
        if package in self.testdefault:
            if say is not None:
                say.append(f"no room named for {f}: goes to {self.testdefault[package]}")
            return self.testdefault[package]
        return package


def path_of(f, package):
    base = f[: f.index("/java/") + 6]
    return base + package.replace(".", "/") + "/" + os.path.basename(f)


def move(root, only, commit):
    plan, say = Plan(), []
    facts = analysis.analyze(root)
    new_package, new_class = {}, {}
    for f, package in facts.package.items():
        module = f.split("/")[0]
        target = plan.room(f, package, say) if not only or module in only else package
        if target != package and os.path.exists(f"{root}/{path_of(f, target)}"):
            say.append(f"{f} stays: {path_of(f, target)} is there already")
            target = package
        new_package[f] = target
        if not f.endswith("package-info.java"):
            new_class[f"{package}.{os.path.basename(f)[:-5]}"] = f"{target}.{os.path.basename(f)[:-5]}"
    moved = {a: b for a, b in new_class.items() if a != b}
    if not moved:
        print("nothing to move")
        return
    made = predicted(facts, new_package, new_class)
    pattern = re.compile(r"\bdev(?:\.comity)(?:\.[a-z][\w]*)*\.[A-Z]\w*")
    changed = set()
    for f in facts.package:
        text = read(root, f)
        before = text
        text = publish(text, [at for key, (g, at, _, _) in facts.places.items() if g == f and key in made])
        simple = set()
        for how, kind, start, name, key, extra in facts.refs[f]:
            if kind == "T" and how == "id" and extra in ("top",):
                simple.add(key[2:])
        for start, cls, flat in facts.docs[f]:
            top = flat.split("$")[0]
            if cls[:1].isupper() and top.split(".")[-1] == cls.split(".")[0] and top in new_class:
                simple.add(top)
        mine = new_package[f]
        # imports of whole classes are written anew
        def keep(m):
            static, name = m[1] or "", m[2]
            if not static and name in new_class:
                return ""
            top = re.match(r"(?:[a-z]\w*\.)+[A-Z]\w*", name)
            if top and top[0] in moved:
                return f"import {static}{moved[top[0]]}{name[top.end():]};\n"
            return m[0]
        text = re.sub(r"^import (static )?(dev\.comity\.[\w.]+(?:\.\*)?);\n", keep, text, flags=re.M)
        text = pattern.sub(lambda m: moved.get(m[0], m[0]), text)
        wanted = sorted(new_class[t] for t in simple if t in new_class and new_class[t].rsplit(".", 1)[0] != mine)
        if not f.endswith("package-info.java"):
            lines = "".join(f"import {w};\n" for w in wanted)
            text = re.sub(r"^package [\w.]+;\n", lambda m: f"package {mine};\n\n{lines}", text, count=1, flags=re.M)
        for old, new in plan.words:
            text = re.sub(re.escape(old) + r"\b", new, text)
        if f.endswith("package-info.java"):
            text = before if text == before else text
        if text != before:
            write(root, f, text)
            changed.add(f)
    # resources beside a class that asks for them by a relative name
    resources = []
    for f in facts.package:
        if new_package[f] == facts.package[f]:
            continue
        for owner, name in re.findall(r"(\w+)\.class\s*\.getResource(?:AsStream)?\(\s*\"([^/\"]+)\"", read(root, f)):
            base = f[: f.index("/java/")] + "/resources/"
            old = base + facts.package[f].replace(".", "/") + "/" + name
            if os.path.exists(f"{root}/{old}"):
                resources.append((old, base + new_package[f].replace(".", "/") + "/" + name))
    renames = [(f, path_of(f, new_package[f])) for f in facts.package if new_package[f] != facts.package[f]] + resources
    for a, b in renames:
        os.makedirs(os.path.dirname(f"{root}/{b}"), exist_ok=True)
        git(root, "mv", a, b)
        if a in changed:
            changed.discard(a)
        changed.add(b)
    for f in text_files(root):
        if f.endswith(".java"):
            continue
        text = read(root, f)
        after = pattern.sub(lambda m: moved.get(m[0], m[0]), text)
        if f != "CHANGELOG.md":
            for old, new in plan.words:
                after = re.sub(re.escape(old) + r"\b", new, after)
        if after != text:
            write(root, f, after)
            changed.add(f)
    for patch in PATCHES:
        changed |= set(patch(root, only) or ())
    changed |= package_infos(root, only)
    changed |= fix_access(root, say, made)
    changed |= set(summaries(root, only))
    format_files(root, changed)
    for line in say:
        print(line)
    finish(root, commit, "house: packages of " + (", ".join(only) if only else "every module"),
           "Classes moved by script; nothing else changed but what had to become public\nfor its new neighbours.")


def finish(root, commit, subject, body):
    git(root, "add", "-A")
    if commit and git(root, "status", "--porcelain"):
        git(root, "commit", "-q", "-m", subject + "\n\n" + body)
        print("committed:", subject)


def package_infos(root, only):
    """Texts written by hand, data/info/<package>.java, for every package that has classes."""
    changed = set()
    for name in sorted(os.listdir(f"{HERE}/data/info")):
        package = name[:-5]
        for module in ("core", "web", "store-jdbc", "library", "app", "testkit"):
            directory = f"{module}/src/main/java/{package.replace('.', '/')}"
            if only and module not in only or not os.path.isdir(f"{root}/{directory}"):
                continue
            if any(x.endswith(".java") and x != "package-info.java" for x in os.listdir(f"{root}/{directory}")):
                text = open(f"{HERE}/data/info/{name}").read()
                if not os.path.exists(f"{root}/{directory}/package-info.java") or read(root, f"{directory}/package-info.java") != text:
                    write(root, f"{directory}/package-info.java", text)
                    changed.add(f"{directory}/package-info.java")
    for name in sorted(os.listdir(f"{HERE}/data/info-test")):
        for module in ("web", "store-jdbc", "app", "testkit"):
            f = f"{module}/src/test/java/{name[:-5].replace('.', '/')}/package-info.java"
            if os.path.isdir(os.path.dirname(f"{root}/{f}")) and not os.path.exists(f"{root}/{f}"):
                write(root, f, open(f"{HERE}/data/info-test/{name}").read())
                changed.add(f)
    # a package that is empty but for its story
    for f in git(root, "ls-files", "*package-info.java").split():
        directory = f"{root}/{os.path.dirname(f)}"
        if os.path.exists(f"{root}/{f}") and not any(x.endswith(".java") and x != "package-info.java" for x in os.listdir(directory)):
            git(root, "rm", "-qf", f)
    return changed


def predicted(facts, new_package, new_class):
    """What is used from another package after the moves and was not before: symbol -> {"main", "test"}."""
    made = defaultdict(set)
    for f, ids in facts.access.items():
        for key in ids:
            if key not in facts.places:
                continue
            top = key[2:].split("#")[0].split("$")[0]
            if top in new_class and new_class[top].rsplit(".", 1)[0] != new_package[f]:
                made[key].add("test" if "/src/test/" in f else "main")
    canonical = {key[2:].split("#")[0]: key for key, place in facts.places.items() if place[3] == "canonical"}
    for key in list(made):
        if key.startswith("T:") and key[2:] in canonical:
            made[canonical[key[2:]]] |= made[key]
    return made


def publish(text, places):
    for at in sorted(set(places), reverse=True):
        if text.startswith("protected ", at):
            text = text[:at] + "public " + text[at + 10:]
        elif text.startswith("private ", at):
            raise SystemExit("private: " + text[at:at + 60])
        elif not text.startswith("public ", at):
            text = text[:at] + "public " + text[at:]
    return text


def fix_access(root, say, made):
    """Makes public what else is used from another package, until the tree compiles."""
    changed, last = set(), None
    for turn in range(8):
        facts = analysis.analyze(root, strict=False)
        if not facts.errors:
            break
        edits = defaultdict(dict)
        rest = []
        names = {(place[0], place[2]): key for key, place in facts.places.items()}
        for code, f, at, args in facts.errors:
            keys = []
            if "cant.access" in code or "report.access" in code:
                keys = [a for a in args if a in facts.places]
                keys = keys[:1] if "not.def.access.class" not in code else [a for a in args if a in facts.places and a.startswith("T:")]
            elif "weaker.access" in code or "canonical.constructor" in code or "override" in code:
                keys = [names[f, at]] if (f, at) in names else []
            if not keys:
                rest.append((code, f, at, args))
            for key in keys:
                place = facts.places[key]
                edits[place[0]][place[1]] = key
                made[key].add("test" if "/src/test/" in f else "main")
        if not edits or last == edits:
            sys.stderr.write(facts.stderr[:6000])
            raise SystemExit(f"{len(rest)} errors that are none of access")
        last = edits
        for f, places in edits.items():
            text = publish(read(root, f), list(places))
            write(root, f, text)
            changed.add(f)
        print(f"turn {turn}: {len(facts.errors)} errors, {sum(map(len, edits.values()))} made public, {len(rest)} else")
    with open(f"{HERE}/made-public.txt", "a") as out:
        for key in sorted(made):
            out.write(("main " if "main" in made[key] else "test ") + key + "\n")
    say.append(f"made public: {sum('main' in m for m in made.values())} for main code, {sum('main' not in m for m in made.values())} for tests only (made-public.txt)")
    return changed


def nouns():
    import names
    return [{"old": part[0].replace("$", "."), "new": part[1]} for _, _, parts in names.NOUNS for part in parts]


# --- changes of code without which two packages would need each other ---------------------------------------------------

def source(root, name):
    hits = [f for f in analysis.sources(root) if f.endswith("/" + name + ".java") and "/src/main/" in f]
    return hits[0] if len(hits) == 1 else None


def outage_settings(root, only):
    """OutageGuard.Settings becomes OutageSettings, with the other settings of the policy."""
    f = source(root, "OutageGuard")
    if f is None or only and "core" not in only:
        return
    text = read(root, f)
    m = re.search(r"\n  (/\*\*(?:(?!\*/).)*\*/\n  )?public record Settings\(.*?\n  \}\n", text, re.S)
    if not m:
        return
    changed = [f]
    body = m[0].lstrip("\n")
    body = "\n".join(l[2:] if l.startswith("  ") else l for l in body.split("\n"))
    body = re.sub(r"\bSettings\b", "OutageSettings", body)
    package = "dev.comity.core.policy.settings"
    target = "core/src/main/java/" + package.replace(".", "/") + "/OutageSettings.java"
    imports = [i for i in re.findall(r"^import [\w.]+;$", text, re.M) if re.search(r"\b" + i[:-1].split(".")[-1] + r"\b", body)]
    write(root, target, f"package {package};\n\n" + "\n".join(imports) + "\n\n" + body)
    git(root, "add", target)
    changed.append(target)
    text = text.replace(m[0], "", 1)
    text = re.sub(r"(?<![\w.])Settings\b", "OutageSettings", text)
    text = re.sub(r"^(package .*;\n)", rf"\1\nimport {package}.OutageSettings;\n", text, count=1, flags=re.M)
    write(root, f, text)
    for g in analysis.sources(root):
        other = read(root, g)
        if '"Settings[window=' in other:
            other = other.replace('"Settings[window=', '"OutageSettings[window=')
            write(root, g, other)
            changed.append(g)
        if "OutageGuard.Settings" in other:
            other = other.replace("OutageGuard.Settings", "OutageSettings")
            if f"package {package};" not in other:
                other = re.sub(r"^(package .*;\n)", rf"\1\nimport {package}.OutageSettings;\n", other, count=1, flags=re.M)
            write(root, g, other)
            changed.append(g)
    return changed


def learning_never(root, only):
    """The learner has its own word for a time that never was: policy's Slots lies above it."""
    if only and "core" not in only:
        return
    changed = []
    directory = "core/src/main/java/dev/comity/core/policy/learning"
    if not os.path.isdir(f"{root}/{directory}"):
        return
    for name in os.listdir(f"{root}/{directory}"):
        f = f"{directory}/{name}"
        text = read(root, f)
        if "Slots.NEVER" in text:
            text = text.replace("Slots.NEVER", "NEVER" if name == "Evidence.java" else "Evidence.NEVER")
            write(root, f, text)
            changed.append(f)
    f = f"{directory}/Evidence.java"
    if changed and os.path.exists(f"{root}/{f}"):
        text = read(root, f)
        if "Instant NEVER" not in text:
            text = re.sub(r"\n((?:  /\*\*(?:(?!\*/).)*\*/\n)?  (?:public )?static final Evidence NONE)",
                          "\n  /** No time yet. Stored as 0, which is what an empty column holds. */\n"
                          "  static final Instant NEVER = Instant.EPOCH;\n\n\\1", text, count=1, flags=re.S)
            write(root, f, text)
            changed.append(f)
    return changed


def filters(root, only):
    """What is changed by mutation testing: the rules that moved out of policy and url as well."""
    f = "core/pom.xml"
    text = read(root, f)
    for old, new in (("policy", "schedule"), ("url", "scope")):
        if f"dev.comity.core.{new}.*" not in text and os.path.isdir(f"{root}/core/src/main/java/dev/comity/core/{new}"):
            text = re.sub(rf"^( *)<param>dev\.comity\.core\.{old}\.\*</param>\n",
                          rf"\g<0>\1<param>dev.comity.core.{new}.*</param>\n", text, flags=re.M)
    if text != read(root, f):
        write(root, f, text)
        return [f]


SUMMARIES = {
    ("Closing", "exit"): "The exit code of a crawl that ended this way.",
    ("SeeingOptions", "check"): "Checks the options against each other.",
    ("Greeting", "exchange"): "Checks every seed and tells the address guard about it.",
    ("SeedLines", "gather"): "Reads the seeds of the command line and of the files.",
    ("RobotsDesk", "verdict"): "Whether the URL may be fetched now, or what to do first.",
    ("UrlBook", "add"): "Adds URLs to their frontiers and answers which of them are new.",
}


def summaries(root, only):
    """Public methods need a first sentence; package-private ones did with @param alone."""
    changed = []
    for f in analysis.sources(root):
        text = read(root, f)
        name = os.path.basename(f)[:-5]

        def add(m):
            words = SUMMARIES.get((name, m[3]))
            if words is None:
                print(f"{f}: {m[3]} is public and its Javadoc has no first sentence")
                return m[0]
            return m[1] + "/**\n   * " + words + "\n   *\n   * " + m[2].lstrip("* \n") + m[0][m.end(2) - m.start():]

        after = re.sub(r"( *)/\*\*\s*(?:\*\s*)?(@(?:(?!\*/).)*?\*/)\s*(?:@\w+(?:\([^)]*\))?\s*)*public (?!record|class|interface|enum)"
                       r"(?:static )?(?:<[^>]*> )?[\w.<>?, @]+ (\w+)\(", add, text, flags=re.S)
        if after != text:
            write(root, f, after)
            changed.append(f)
    return changed


def purity(root, only):
    """The pure packages that moved out of policy and url are held to the same rule."""
    f = "testkit/src/test/java/dev/comity/testkit/house/PurityTest.java"
    if not os.path.exists(f"{root}/{f}") or not os.path.isdir(f"{root}/core/src/main/java/dev/comity/core/schedule"):
        return
    text = before = read(root, f)
    if "core.schedule" not in text:
        text = text.replace('"dev.comity.core.policy",\n          "dev.comity.core.trap");',
                            '"dev.comity.core.policy..",\n          "dev.comity.core.schedule",\n          "dev.comity.core.scope",\n'
                            '          "dev.comity.core.trap",\n          "dev.comity.core.util");')
        text = text.replace('strings = {"dev.comity.core.outcome", "dev.comity.core.policy", "dev.comity.core.trap"})',
                            'strings = {"dev.comity.core.outcome", "dev.comity.core.policy", "dev.comity.core.schedule", "dev.comity.core.trap", "dev.comity.core.util"})')
        text = text.replace('new ClassFileImporter().importPackages(name)', 'new ClassFileImporter().importPackages(names)')
        text = text.replace('classesOf(String name)', 'classesOf(String... names)')
        text = text.replace('classesOf("dev.comity.core.url")', 'classesOf("dev.comity.core.url", "dev.comity.core.scope")')
        if text.count("core.schedule") != 2 or "String... names" not in text:
            print(f"{f}: not as expected; add core.schedule, core.scope and core.util by hand")
    g = "core/pom.xml"
    pom = read(root, g)
    after = pom.replace("used inside dev.comity.core.url only", "used inside dev.comity.core.url and dev.comity.core.scope only")
    if after != pom:
        write(root, g, after)
    if text != before:
        write(root, f, text)
        return [f, g]


def additions(root, only):
    """Files that are new with the rooms."""
    changed = []
    for directory, _, files in os.walk(f"{HERE}/data/add"):
        for name in files:
            f = os.path.relpath(f"{directory}/{name}", f"{HERE}/data/add")
            if not only and not os.path.exists(f"{root}/{f}"):
                write(root, f, open(f"{directory}/{name}").read())
                git(root, "add", f)
                changed.append(f)
    return changed


def one_door(root, only):
    """Two packages became one: the test names it once."""
    changed = []
    for f in analysis.sources(root):
        if f.endswith("/OneDoorTest.java"):
            text = read(root, f)
            call = 'found.getPackageName().equals("dev.comity.web.net")'
            first = text.find(call)
            after = text[:first + len(call)] + re.sub(r"\s*\|\| " + re.escape(call), "", text[first + len(call):]) if first >= 0 else text
            if after != text:
                write(root, f, after)
                changed.append(f)
    return changed


PATCHES = [one_door, outage_settings, learning_never, filters, purity, additions]


# --- report ---------------------------------------------------------------------------------------------------------------

def report(root):
    facts = analysis.analyze(root)
    package, module = {}, {}
    size = defaultdict(int)
    for f, p in facts.package.items():
        if "/src/main/" not in f:
            continue
        size[f.split("/")[0], p] += 1
        package[f"{p}.{os.path.basename(f)[:-5]}"] = p
        module[p] = f.split("/")[0]
    edges = defaultdict(lambda: defaultdict(set))
    for f, p in facts.package.items():
        if "/src/main/" in f and not f.startswith(("testkit", "bench")):
            for d in facts.deps[f]:
                if d in package and package[d] != p:
                    edges[p][package[d]].add((os.path.basename(f)[:-5], d.split(".")[-1]))
    for (m, p), n in sorted(size.items()):
        print(f"{n:4} {m:10} {p}" + ("  TOO MANY" if n > 26 else ""))
    sys.setrecursionlimit(10000)
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in edges[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            group = []
            while True:
                w = stack.pop()
                on.discard(w)
                group.append(w)
                if w == v:
                    break
            if len(group) > 1:
                found.append(group)

    for v in list(package.values()):
        if v not in index:
            visit(v)
    for group in found:
        print("CYCLE", " ".join(group))
        for a in group:
            for b in group:
                if b in edges[a]:
                    print("  ", a, "->", b, sorted(edges[a][b])[:8])
    if not found:
        print("no cycles between packages")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("step", choices=["move", "names", "report"])
    p.add_argument("tree")
    p.add_argument("--only", default="")
    p.add_argument("--no-commit", action="store_true")
    p.add_argument("--check", action="store_true")
    a = p.parse_args()
    root = os.path.abspath(a.tree)
    only = [x for x in a.only.split(",") if x]
    if a.step == "report":
        report(root)
    elif a.step == "move":
        if only:
            move(root, only, not a.no_commit)
        else:
            move(root, [], not a.no_commit)
    else:
        import names
        names.run(root, only, not a.no_commit, a.check)


if __name__ == "__main__":
    main()
