"""One noun a commit: types, the variables and methods that bear their names, and what docs say of them."""
import os, re, shutil, sys, subprocess, tempfile
from collections import defaultdict
import analysis, house

# (title, subject, [(type's last parts, new name, {old identifier: [new ones, the first that is free]})])
NOUNS = [
    ("Crew", "engine: the crawl context, not the crew",
     [("shared.Crew", "CrawlContext", {"crew": ["context", "crawlContext"]})]),
    ("Roster", "engine: the active domains, not the roster",
     [("shared.Roster", "ActiveDomains", {"roster": ["activeDomains"]})]),
    ("Shift", "engine: a worker task, not a shift",
     [("domain.Shift", "WorkerTask", {"shift": ["task", "workerTask"]})]),
    ("Tenure", "engine: a claimed domain, not a tenure",
     [("domain.Tenure", "ClaimedDomain", {"tenure": ["claimed", "claimedDomain"]})]),
    ("Berths", "engine: request slots, not berths",
     [("shared.Berths", "RequestSlots", {"berths": ["slots", "requestSlots"]})]),
    ("Favours", "engine: robots.txt across domains, not favours",
     [("robots.Favours", "CrossDomainRobots", {"favours": ["crossDomain", "crossDomainRobots"]}),
      ("domain.FavoursOwed", "RobotsForOthers", {"favours": ["forOthers", "robotsForOthers"]})]),
    ("Flight", "engine: fetch tasks and requests in flight, not flights",
     [("shared.Flight", "FetchTask", {"flight": ["task", "fetchTask"]}),
      ("domain.Flights", "InFlightRequests", {"flights": ["inFlight", "requests", "inFlightRequests"]})]),
    ("Landing", "engine: a response handler, not a landing",
     [("domain.Landing", "ResponseHandler", {"landing": ["responses", "responseHandler"]})]),
    ("UrlInHand", "engine: the next URL, not the URL in hand",
     [("domain.UrlInHand", "NextUrl", {"hand": ["nextUrl"]})]),
    ("RobotsDesk", "engine: robots of a domain and of its authorities, not clerk and desk",
     [("domain.RobotsClerk", "DomainRobots", {"clerk": ["robots", "domainRobots"]}),
      ("robots.RobotsDesk", "AuthorityRobots", {"desk": ["authorities", "authorityRobots"]})]),
    ("RobotsShelf", "engine: a robots cache, not a shelf",
     [("robots.RobotsShelf", "RobotsCache", {"shelf": ["cache", "robotsCache"]})]),
    ("Leads", "engine: found links, not leads",
     [("domain.Leads", "FoundLinks", {"leads": ["links", "foundLinks"]})]),
    ("Whereabouts", "engine: an address cache, not whereabouts",
     [("domain.Whereabouts", "AddressCache", {"whereabouts": ["addresses", "addressCache"]})]),
    ("Acquaintances", "engine: reached hosts, not acquaintances",
     [("shared.Acquaintances", "ReachedHosts", {"acquaintances": ["reachedHosts"], "met": ["reached", "reachedHosts"]})]),
    ("Walls", "engine, web: repeated walls, a wall detector and its signatures",
     [("domain.Walls", "RepeatedWalls", {}),
      ("wall.WallSigns", "WallDetector", {"wallSigns": ["wallDetector"]}),
      ("wall.Firewalls", "WallSignatures", {"firewalls": ["wallSignatures"]})]),
    ("Glance", "engine, web: a crawl snapshot and a page sketch, not two glances",
     [("plan.Glance", "CrawlSnapshot", {"glance": ["snapshot", "crawlSnapshot"]}),
      ("wall.Glance", "PageSketch", {"glance": ["sketch", "pageSketch"]})]),
    ("Doors", "policy: known authorities and causes, not doors",
     [("policy.Doors", "KnownAuthorities", {"doors": ["authorities", "knownAuthorities"]}),
      ("Lifecycle$Door", "Cause", {"door": ["cause"]})]),
    ("Heard", "policy: contact with a site, not what was heard",
     [("policy.Heard", "Contact", {"heard": ["contact", "siteContact"]})]),
    ("Lessons", "policy: delay learning and the learned delay",
     [("learning.Lessons", "DelayLearning", {"lessons": ["learning", "delayLearning"]}),
      ("learning.Learning", "LearnedDelay", {})]),
    ("Sane", "util: Require, not Sane", [("Sane", "Require", {})]),
    ("ClosedFor", "policy: a close reason, not what a domain is closed for",
     [("ClosedFor", "CloseReason", {"closedFor": ["closeReason"]})]),
    ("Ledger", "store: a store reader, not a ledger",
     [("report.Ledger", "StoreReader", {"ledger": ["reader", "storeReader"]})]),
    ("Books", "store: claims, frontier writer, settlements, runs and priorities, not books",
     [("crawl.ClaimBook", "Claims", {"claimBook": ["claims"]}),
      ("crawl.UrlBook", "FrontierWriter", {"urlBook": ["frontier", "frontierWriter"]}),
      ("crawl.SettleBook", "Settlements", {"settling": ["settlements"]}),
      ("crawl.RunBook", "Runs", {"runBook": ["runs"]}),
      ("crawl.PriorityBook", "Priorities", {"book": ["priorities"]})]),
    ("Caches", "store, web, trap: domain cache, DNS cache and traps, not books",
     [("crawl.DomainBook", "DomainCache", {"domainBook": ["domains", "domainCache"]}),
      ("NameBook", "DnsCache", {"book": ["cache", "dnsCache"]}),
      ("output.Traps", "TrapFields", {}),
      ("trap.TrapBook", "Traps", {"book": ["traps", "trapsOfDomain"]})]),
    ("Confinement", "store: the scope of a run, not its confinement",
     [("crawl.Confinement", "RunScope", {"confinement": ["runScope"]})]),
    ("Passage", "web, app: egress, not passage",
     [("Passage", "Egress", {"passage": ["egress"]}),
      ("PassageOptions", "EgressOptions", {"way": ["egress", "egressOptions"]})]),
    ("Manner", "app: advanced settings, not manner",
     [("Manner", "AdvancedSettings", {"manner": ["advanced", "advancedSettings"]})]),
    ("Seeing", "app: monitor, options, sampler and counter of a crawl, not seeing",
     [("monitor.Seeing", "CrawlMonitor", {"watching": ["monitor", "crawlMonitor"], "seeing": ["monitor", "crawlMonitor"]}),
      ("monitor.SeeingOptions", "MonitorOptions", {"seeing": ["monitorOptions"]}),
      ("monitor.Watch", "RateSampler", {"watch": ["sampler", "rateSampler"]}),
      ("monitor.CensusTaker", "QueueCounter", {"taker": ["counter", "queueCounter"]})]),
    ("Desk", "app: a data command, not a desk",
     [("command.Desk", "DataCommand", {"desk": ["data", "dataCommand"]})]),
    ("Told", "app: raw values, booleans, timestamps and the environment",
     [("Told", "RawValue", {"told": ["raw", "rawValue"]}),
      ("Truths", "Booleans", {}),
      ("text.Stamps", "Timestamps", {}),
      ("Surroundings", "Environment", {"surroundings": ["environment", "processEnvironment"]})]),
    ("Greeting", "library, app: checks of seeds, not introductions",
     [("comity.Introduction", "SeedCheck", {"introduction": ["seedCheck"]}),
      ("Greeting", "StartCheck", {"greeting": ["check", "startCheck"]})]),
    ("Opening", "app: run banner, run summary, error line and secret mask",
     [("Opening", "RunBanner", {"opening": ["banner"]}),
      ("Closing", "RunSummary", {"closing": ["summary", "runSummary"]}),
      ("CannotGoOn", "ErrorLine", {}),
      ("Masked", "SecretMask", {})]),
    ("SeedNames", "app: environment aliases, not seed names", [("SeedNames", "EnvironmentAliases", {})]),
    ("Trap", "trap: template statistics, template sketch and page novelty",
     [("trap.Tally", "TemplateStats", {"tally": ["stats", "templateStats"]}),
      ("trap.Memory", "TemplateSketch", {"memory": ["sketch", "templateSketch"]}),
      ("trap.Sketch", "HashSketch", {}),
      ("trap.Yield", "PageNovelty", {})]),
    ("Twice", "app, web: one simple name for one idea",
     [("monitor.Tally", "CrawlCounts", {"tally": ["counts", "crawlCounts"]}),
      ("demo.Page", "DemoPage", {}),
      ("http.Failures", "FailureReasons", {}),
      ("http.Watch", "FetchProgress", {"watch": ["progress", "fetchProgress"]})]),
]

# Components of these records are stored under their names, or are keys of settings: they keep them.
STORED = re.compile(r"F:dev\.comity\.core\.(policy|outcome|schedule)\.(?!.*Lifecycle)")
COMMENT = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|(/\*.*?\*/|//[^\n]*)', re.S)


def matches(flat, last):
    return flat == last or flat.endswith("." + last) or ("." not in last and flat.split(".")[-1] == last)


class Edits:
    def __init__(self, root):
        self.root, self.text, self.edits, self.renames = root, {}, defaultdict(dict), {}

    def original(self, f):
        if f not in self.text:
            self.text[f] = house.read(self.root, f)
        return self.text[f]

    def add(self, f, at, old, new):
        text = self.original(f)
        if not text.startswith(old, at):
            return
        known = self.edits[f].get(at)
        if known and known != (old, new):
            return
        self.edits[f][at] = (old, new)

    def result(self, f):
        text = self.original(f)
        for at in sorted(self.edits[f], reverse=True):
            old, new = self.edits[f][at]
            text = text[:at] + new + text[at + len(old):]
        return text


def run(root, only, commit, check):
    facts = analysis.analyze(root)
    edits = Edits(root)
    classes = {}
    for f, p in facts.package.items():
        for how, kind, start, name, key, extra in facts.refs[f]:
            if how == "decl" and kind == "T" and extra != "ctor":
                classes[key[2:]] = (f, extra)
    flags = {f: os.stat(f"{root}/{f}").st_mode for f in facts.package}
    # who declares what
    variables = defaultdict(set)     # file -> names of variables declared in it
    methods = defaultdict(set)       # class -> names of its methods
    kinds = {}                       # key -> (name, type, file)
    for f in facts.package:
        for how, kind, start, name, key, extra in facts.refs[f]:
            if how == "decl" and kind == "V":
                variables[f].add(name)
                kinds.setdefault(key, (name, extra, f))
            if how == "decl" and kind == "M":
                methods[key[2:].split("#")[0]].add(name)
                kinds.setdefault(key, (name, extra, f))
    uses = defaultdict(list)         # key -> [(file, start, name)]
    for f in facts.package:
        for how, kind, start, name, key, extra in facts.refs[f]:
            uses[key].append((f, start, name))
    taken = set(c.split("$")[0].rsplit(".", 1)[0] + "." + c.split("$")[0].rsplit(".", 1)[1] for c in classes)
    done, steps = set(), []
    moved = {}                       # old path -> new path so far
    notes = []
    texts = [f for f in house.text_files(root) if not f.endswith(".java") and f != "CHANGELOG.md"]
    for title, subject, parts in NOUNS:
        if only and title not in only:
            continue
        touched = set()
        todo = []
        for last, new, names in parts:
            hits = [c for c in classes if matches(c, last) and "/src/main/" in classes[c][0]]
            if not hits:
                notes.append(f"{title}: {last} is not there")
                continue
            if len(hits) > 1:
                notes.append(f"{title}: {last} is several: {hits}; left alone")
                continue
            todo.append((hits[0], new, names))
        # tests that bear the name
        for flat, new, names in list(todo):
            simple = re.split(r"[.$]", flat)[-1]
            if "$" in flat:
                continue
            for c in list(classes):
                m = re.fullmatch(simple + r"((?:\w*?)(?:PropertyTest|InCrawlTest|Properties|Simulation|Contract|Oracle|Test|IT))", c.split(".")[-1])
                if m and "/src/test/" in classes[c][0] and classes[c][0].split("/")[0] == classes[flat][0].split("/")[0] and c not in [t[0] for t in todo] and c not in done and (re.match(house.KINDS, m[1]) or len(simple) > 6) \
                        and not any(len(o) > len(simple) and c.split(".")[-1].startswith(o) for o in (re.split(r"[.$]", t[0])[-1] for t in todo)) \
                        and re.sub(house.KINDS, "", c.split(".")[-1]) == simple:
                    todo.append((c, new + m[1], {}))
                    done.add(c)
        for flat, new, names in todo:
            simple = re.split(r"[.$]", flat)[-1]
            package = flat.rsplit(".", 1)[0]
            if f"{package}.{new}" in taken and "$" not in flat:
                notes.append(f"{title}: {package}.{new} is there already; {simple} keeps its name")
                continue
            if "$" not in flat:
                taken.discard(flat)
                taken.add(f"{package}.{new}")
            for f, start, name in uses["T:" + flat]:
                if name == simple:
                    edits.add(f, start, simple, new)
                    touched.add(f)
            for f in facts.package:
                for start, cls, target in facts.docs[f]:
                    if target == flat or target.startswith(flat + "$"):
                        for m in re.finditer(r"[A-Z]\w*", cls):
                            if m[0] == simple:
                                edits.add(f, start + m.start(), simple, new)
                                touched.add(f)
                                break
                # names in comments and strings: whole paths, and what stands as code
                text = edits.original(f)
                if simple in text:
                    for m in re.finditer(re.escape(flat.replace("$", ".")) + r"\b", text):
                        edits.add(f, m.end() - len(simple), simple, new)
                        touched.add(f)
                    for m in re.finditer(r"(?<=[\"=\s(,])" + simple + r"(?=\[\w+=)", text):
                        edits.add(f, m.end() - len(simple), simple, new)
                        touched.add(f)
                    for m in re.finditer(r"\{@code " + simple + r"\b", text):
                        edits.add(f, m.end() - len(simple), simple, new)
                        touched.add(f)
            for f in texts:
                text = edits.original(f)
                if simple in text:
                    for m in re.finditer(re.escape(flat) + r"\b|(?<=`)" + simple + r"(?=[`.#(])|\b" + simple + r"(?=\.java\b)", text):
                        edits.add(f, m.end() - len(simple), simple, new)
                        touched.add(f)
            if "$" not in flat and classes[flat][1] == "top" and os.path.basename(classes[flat][0]) == simple + ".java":
                old = classes[flat][0]
                moved[old] = os.path.dirname(old) + "/" + new + ".java"
                touched.add(old)
            # variables and methods
            for key, (name, typed, f) in kinds.items():
                if typed != flat or name not in names:
                    continue
                owner = re.split(r"[.$]", key[2:].split("#")[0])[-1]
                if STORED.match(key) and re.search(r"\brecord " + owner + r"\b", edits.original(f)):
                    notes.append(f"{title}: {key[2:]} keeps its name, it may be stored under it")
                    continue
                if key.startswith("M:"):
                    occupied = methods[key[2:].split("#")[0]]
                else:
                    occupied = variables[f]
                choice = next((n for n in names[name] if n not in occupied or (f, n) in granted.get(name, ())), None)
                if choice is None:
                    notes.append(f"{title}: {name} in {f} keeps its name, {names[name]} are taken")
                    continue
                granted.setdefault(name, set()).add((f, choice))
                occupied.add(choice)
                for g, start, used in uses[key]:
                    if used == name:
                        edits.add(g, start, name, choice)
                        touched.add(g)
                if key.startswith("M:") or key.startswith("F:"):
                    owner = re.split(r"[.$]", key[2:].split("#")[0])[-1]
                    for t in texts:
                        for m in re.finditer(r"`" + owner + r"[.#]" + name + r"\b", edits.original(t)):
                            edits.add(t, m.end() - len(name), name, choice)
                            touched.add(t)
                mixed = any(g == f and other == name and t != flat for other, t, g in kinds.values())
                for m in () if mixed else re.finditer(r"@param " + name + r"\b", edits.original(f)):
                    edits.add(f, m.end() - len(name), name, choice)
        granted.clear()
        if not touched:
            continue
        steps.append((subject, "Renamed by script, in code, tests and docs:\n" + "\n".join(
            f"{re.split(r'[.$]', flat)[-1]} → {new}" for flat, new, _ in todo),
            [(f, moved.get(f, f), edits.result(f)) for f in sorted(touched)]))
    # every step's files are formatted in one go
    with tempfile.TemporaryDirectory() as place:
        shutil.copy(f"{root}/pom.xml", f"{place}/pom.xml")
        listed = []
        for i, (_, _, files) in enumerate(steps):
            for f, target, text in files:
                house.write(place, f"{i}/{target}", text)
                listed.append(f"{i}/{target}")
        house.format_files(place, listed)
        for i, (subject, body, files) in enumerate(steps):
            for f, target, _ in files:
                if f != target and os.path.exists(f"{root}/{f}"):
                    house.git(root, "mv", f, target)
                house.write(root, target, house.read(place, f"{i}/{target}"))
            house.finish(root, commit, subject, body)
            if check:
                analysis.analyze(root)
    # words of the old names that prose still uses
    for line in notes:
        print(line)
    old = sorted({re.split(r"[.$]", p[0])[-1] for _, _, parts in NOUNS for p in parts}, key=len, reverse=True)
    pattern = re.compile(r"\b(" + "|".join(old) + r")\b")
    with open(f"{house.HERE}/old-words.txt", "w") as out:
        for f in house.text_files(root):
            for number, line in enumerate(house.read(root, f).split("\n"), 1):
                for m in pattern.finditer(line):
                    inside = f.endswith(".md") or re.match(r"\s*(\*|/\*|//)", line)
                    if inside and not re.match(r"(Told|Memory|Step|Opening|Closing|Heard|Walls|Doors|Learning|Traps|Page|Failures|Watch|Seeing)$", m[1]):
                        out.write(f"{f}:{number}: {line.strip()}\n")
    analysis.analyze(root)
    print("the tree compiles; old words that prose still has: old-words.txt")


granted = {}
