"""What every identifier means, asked of javac (Refs.java)."""
import os, re, subprocess, sys, tempfile
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
JDK = os.environ.get("JDK25") or sys.exit("set JDK25 to the directory of a JDK 25")
M2 = os.path.expanduser("~/.m2/repository")
EXPORTS = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{p}=ALL-UNNAMED" for p in ("code", "tree", "util", "api")] + ["--add-opens=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED"]
SKIP = ("org/apache/maven", "org/codehaus", "org/sonatype", "org/eclipse", "dev/comity", "com/google/errorprone",
        "com/google/googlejavaformat", "com/uber", "org/pitest", "classworlds", "commons-")


def version_key(v):
    return [(0, int(x)) if x.isdigit() else (1, x) for x in re.split(r"[.\-]", v)]


def classpath(root):
    pom = open(f"{root}/pom.xml").read()
    named = set(re.findall(r"<version\.[\w-]+>([^<]+)</", pom))
    best = {}
    for directory, _, files in os.walk(M2):
        rel = os.path.relpath(directory, M2)
        if rel.startswith(SKIP):
            continue
        for f in files:
            if f.endswith(".jar") and not re.search(r"-(sources|javadoc|tests)\.jar$", f):
                artifact, version = os.path.split(rel)
                best.setdefault(artifact, []).append((version in named, version_key(version), f"{directory}/{f}"))
    return ":".join(max(v, key=lambda x: (x[0], x[1]))[2] for v in best.values())


def sources(root):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.java"], cwd=root, capture_output=True,
                         text=True, check=True).stdout.split()
    return [f for f in out if "/src/" in f and os.path.exists(f"{root}/{f}")]


class Facts:
    """refs[file] = [(how, kind, start, name, key, extra)], docs[file] = [(start, text, class)], deps[file] = set of classes."""

    def __init__(self):
        self.package, self.refs, self.docs, self.deps = {}, defaultdict(list), defaultdict(list), defaultdict(set)
        self.access = defaultdict(set)
        self.places, self.errors, self.stderr = {}, [], ""


def analyze(root, cache=None, strict=True):
    out = cache or tempfile.mktemp(suffix=".refs")
    listing = tempfile.mktemp(suffix=".lst")
    with open(listing, "w") as f:
        f.write("\n".join(f"{root}/{s}" for s in sources(root)))
    classes = f"{HERE}/.classes"
    if not os.path.exists(f"{classes}/Refs.class") or os.path.getmtime(f"{classes}/Refs.class") < os.path.getmtime(f"{HERE}/Refs.java"):
        subprocess.run([f"{JDK}/bin/javac", *EXPORTS[:-1], "-d", classes, f"{HERE}/Refs.java"], check=True)
    run = subprocess.run(["nice", "-n", "5", f"{JDK}/bin/java", *EXPORTS, "-Xmx1500m", "-XX:TieredStopAtLevel=1", "-cp", classes, "Refs",
                          classpath(root), listing, out], capture_output=True, text=True)
    if run.returncode and (strict or not os.path.exists(out) or "Exception in" in run.stderr):
        sys.stderr.write(run.stderr[:20000])
        raise SystemExit("the tree does not compile")
    facts = load(root, out)
    facts.stderr = run.stderr
    return facts


def load(root, out):
    facts = Facts()
    current = None
    for line in open(out, encoding="utf-8"):
        p = line.rstrip("\n").split("\t")
        if p[0] == "F":
            current = os.path.relpath(p[1], root)
            facts.package[current] = p[2]
        elif p[0] == "R":
            facts.refs[current].append((p[1], p[2], int(p[3]), p[4], p[5].replace(root + "/", ""), p[6]))
        elif p[0] == "D":
            facts.docs[current].append((int(p[1]), p[2], p[3]))
        elif p[0] == "P":
            facts.places.setdefault(p[1], (current, int(p[2]), int(p[3]), p[4]))
        elif p[0] == "A":
            facts.access[current].add(p[1])
        elif p[0] == "E":
            facts.errors.append((p[1], os.path.relpath(p[2], root) if p[2] else "", int(p[3]), p[4:]))
        elif p[0] == "X" and p[1] != "-":
            facts.deps[current].add(p[1].split("$")[0])
    return facts


if __name__ == "__main__":
    f = analyze(sys.argv[1], sys.argv[2])
    print(len(f.package), sum(map(len, f.refs.values())), sum(map(len, f.docs.values())))
