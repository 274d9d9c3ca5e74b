//! The programs, in the order of their names.

use super::{
    Asks,
    Decorates::{self, Activates, Assigns, Goes, SetsOptions, SetsUp, Sources, Speaks, Waits},
    Interprets::{Node, Python, Shell},
    Pages::{self, WithCount, WithoutOperands},
    Prints::{Awk, Head, Sed, Tail, Whole},
    Program,
    ProgramEffect::{Edits, EditsOrRuns, Finds, Nothing, WritesFor},
    Short::{Bundle, BundleOrLines, Single},
    Tests::{self, IfScript},
    Wraps::{Behind, BehindAssignments, BehindOptions, BehindOptionsAndWord, UnlessOptions},
    Written, display,
};

/// Other names of programs.
pub(super) static ALIASES: [(&str, &str); 7] = [
    ("egrep", "grep"),
    ("fgrep", "grep"),
    ("gsed", "sed"),
    ("nodejs", "node"),
    ("pip3", "pip"),
    ("py.test", "pytest"),
    ("pytest-3", "pytest"),
];

/// The row of a program.
pub(super) fn row(name: &str) -> Option<&'static Program> {
    let mut slot = slot_of(name.as_bytes());
    // There are empty slots.
    while let Some(row) = PROGRAMS.get(usize::from(SLOTS[slot])) {
        if row.name == name {
            return Some(row);
        }
        slot = (slot + 1) % SLOTS.len();
    }
    None
}

/// The numbers of rows by [`slot_of`] their names, each in the first slot from there on that was free.
static SLOTS: [u16; 1024] = {
    assert!(PROGRAMS.len() * 2 < 1024, "most slots are empty");
    let mut slots = [u16::MAX; 1024];
    let mut row = 0;
    while row < PROGRAMS.len() {
        let mut slot = slot_of(PROGRAMS[row].name.as_bytes());
        while slots[slot] != u16::MAX {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = row as u16;
        row += 1;
    }
    slots
};

/// A slot for a name: a few of its bytes tell most names apart.
const fn slot_of(name: &[u8]) -> usize {
    if let [first, .., last] = name {
        let middle = name[name.len() / 2] as usize;
        let ends = *first as usize * 7 + *last as usize * 31;
        (ends + middle * 97 + name.len() * 13) % 1024
    } else {
        name.len()
    }
}

const fn of(name: &'static str) -> Program {
    Program::named(name)
}

/// Sub-commands of git that change files or the repository.
const GIT_WRITERS: &[&str] = &[
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clone",
    "commit",
    "merge",
    "mv",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "switch",
];

/// Sub-commands of package managers that change what is installed.
const PACKAGES: &[&str] = &[
    "add",
    "create",
    "del",
    "get",
    "i",
    "install",
    "purge",
    "remove",
    "uninstall",
    "update",
    "upgrade",
];

/// The same of those of JavaScript.
const NODE_PACKAGES: &[&str] = &[
    "add",
    "ci",
    "dedupe",
    "get",
    "i",
    "install",
    "link",
    "remove",
    "rm",
    "un",
    "uninstall",
    "up",
    "update",
    "upgrade",
];

/// Sub-commands of go that change modules.
const GO_MODULES: &[&str] = &[
    "get",
    "install",
    "mod download",
    "mod edit",
    "mod init",
    "mod tidy",
    "mod vendor",
    "work sync",
];

/// Long options of searches that take a value.
const SEARCHES: &[&str] = &[
    "--include",
    "--exclude",
    "--exclude-dir",
    "--glob",
    "--type",
    "--max-count",
    "--context",
];

pub(super) static PROGRAMS: &[Program] = &[
    of("")
        .effect(Nothing)
        .decorates(Assigns)
        .tests(Tests::Never),
    of(".").ordered().decorates(Sources),
    of("./gradlew")
        .tests(Tests::IfTask)
        .display(&display::GRADLE),
    of("./mvnw").tests(Tests::IfTask).display(&display::MAVEN),
    of(":").effect(Nothing).decorates(Decorates::Always),
    of("[")
        .effect(Nothing)
        .ordered()
        .asks(Asks::Always)
        .tests(Tests::Never),
    of("[[")
        .effect(Nothing)
        .ordered()
        .asks(Asks::Always)
        .tests(Tests::Never),
    of("ack").asks(Asks::Always),
    of("ag").asks(Asks::Always),
    of("alias").ordered().decorates(SetsUp),
    of("ant").tests(Tests::IfTask),
    of("apk").effect(WritesFor(PACKAGES)),
    of("apply_patch").writes(Written::Patch),
    of("apt").effect(WritesFor(PACKAGES)),
    of("apt-get").effect(WritesFor(PACKAGES)),
    of("ava")
        .tests(Tests::Always)
        .display(&display::JEST)
        .anywhere(),
    of("awk").ordered().prints(Awk),
    of("bash").ordered().interprets(Shell).tests(IfScript),
    of("bat").reads().prints(Whole),
    of("batcat").reads().prints(Whole),
    of("bats").tests(Tests::Always),
    of("bazel").tests(Tests::For(&["coverage", "test"])),
    of("brew").effect(WritesFor(PACKAGES)),
    of("builtin").wraps(BehindOptions("")),
    of("bun")
        .effect(WritesFor(NODE_PACKAGES))
        .tests(Tests::IfRuns)
        .display(&display::NPM),
    of("bundle")
        .wraps(Behind("exec"))
        .effect(WritesFor(&["add", "install", "remove", "update"])),
    of("bunx").wraps(BehindOptions("p")),
    of("c8").wraps(BehindOptions("r")).anywhere(),
    of("cargo")
        .effect(WritesFor(&[
            "add",
            "fetch",
            "install",
            "remove",
            "uninstall",
            "update",
        ]))
        .tests(Tests::For(&[
            "llvm-cov",
            "nextest",
            "t",
            "tarpaulin",
            "test",
        ]))
        .display(&display::CARGO),
    of("cargo-nextest")
        .tests(Tests::Always)
        .display(&display::CARGO),
    of("cat")
        .reads()
        .options(Bundle, "")
        .prints(Whole)
        .pages(WithoutOperands),
    of("cd").effect(Nothing).ordered().decorates(Goes),
    of("chmod")
        .writes(Written::AllButFirst)
        .options(Bundle, "mdrt"),
    of("chown").writes(Written::AllButFirst),
    of("chronic").wraps(BehindOptions("")),
    of("clear").effect(Nothing).decorates(Decorates::Always),
    of("cmp").asks(Asks::Always),
    of("codecept").tests(Tests::Always).anywhere(),
    of("command").asks(Asks::Always).wraps(UnlessOptions),
    of("composer")
        .effect(WritesFor(&["install", "remove", "require", "update"]))
        .tests(Tests::IfRuns),
    of("conda")
        .ordered()
        .decorates(Activates)
        .effect(WritesFor(PACKAGES)),
    of("cp").writes(Written::Last).options(Bundle, "tS"),
    of("ctest").tests(Tests::Always),
    of("curl").ordered(),
    of("cut").reads().options(Bundle, "dfcb"),
    of("cypress").tests(Tests::For(&["run"])).anywhere(),
    of("dash").interprets(Shell).tests(IfScript),
    of("deno").tests(Tests::For(&["test"])),
    of("df").options(Bundle, "UdB"),
    of("diff").reads().options(Bundle, "UdB").asks(Asks::Always),
    of("dnf").effect(WritesFor(PACKAGES)),
    of("doas").wraps(BehindAssignments("ugpCrthRDT")),
    of("docker").ordered(),
    of("dotnet")
        .effect(WritesFor(&[
            "add",
            "remove",
            "restore",
            "tool install",
            "workload install",
        ]))
        .tests(Tests::For(&["test", "vstest"]))
        .display(&display::DOTNET),
    of("du").reads().options(Bundle, "UdB"),
    of("echo").effect(Nothing).ordered().decorates(Speaks),
    of("ed").writes(Written::None),
    of("env").wraps(BehindAssignments("uCS")),
    of("eslint").display(&display::LINTER).anywhere(),
    of("exec").wraps(BehindOptions("")),
    of("exit").effect(Nothing).decorates(Decorates::Always),
    of("export").effect(Nothing).ordered().decorates(SetsUp),
    of("expr").ordered(),
    of("false").effect(Nothing),
    of("ffmpeg").ordered(),
    of("file").reads(),
    of("find").effect(Finds).ordered(),
    of("gawk").prints(Awk),
    of("gem").effect(WritesFor(PACKAGES)),
    of("ginkgo").tests(Tests::Always),
    of("git")
        .effect(WritesFor(GIT_WRITERS))
        .asks(Asks::For(&["diff", "grep"])),
    of("go")
        .effect(WritesFor(GO_MODULES))
        .tests(Tests::For(&["test"]))
        .display(&display::GO),
    of("gotestsum")
        .tests(Tests::Always)
        .display(&display::GOTESTSUM),
    of("gradle").tests(Tests::IfTask).display(&display::GRADLE),
    of("gradlew").tests(Tests::IfTask).display(&display::GRADLE),
    of("grep")
        .reads()
        .long_options(Bundle, "ABCefmdDgtT", SEARCHES)
        .asks(Asks::Always),
    of("hatch").wraps(Behind("run")),
    of("head")
        .reads()
        .long_options(BundleOrLines, "nc", &["--lines", "--bytes"])
        .prints(Head)
        .pages(WithCount),
    of("ionice").wraps(BehindOptions("cn")),
    of("jasmine")
        .tests(Tests::Always)
        .display(&display::MOCHA)
        .anywhere(),
    of("jest")
        .tests(Tests::Always)
        .display(&display::JEST)
        .anywhere(),
    of("just").tests(Tests::IfTask),
    of("karma").tests(Tests::For(&["start"])).anywhere(),
    of("ksh").interprets(Shell),
    of("kubectl").ordered(),
    of("less").reads().prints(Whole).pages(WithoutOperands),
    of("ln").writes(Written::Last).options(Bundle, "tS"),
    of("ls").reads().options(Bundle, "IwT"),
    of("make").display(&display::MAKE).tests(Tests::IfTask),
    of("mamba")
        .ordered()
        .decorates(Activates)
        .effect(WritesFor(PACKAGES)),
    of("md5sum").reads(),
    of("mix").tests(Tests::For(&["test"])),
    of("mkdir").writes(Written::All).options(Bundle, "mdrt"),
    of("mocha")
        .tests(Tests::Always)
        .display(&display::MOCHA)
        .anywhere(),
    of("more").reads().prints(Whole).pages(WithoutOperands),
    of("mv").writes(Written::All).options(Bundle, "tS"),
    of("mvn").tests(Tests::IfTask).display(&display::MAVEN),
    of("mvnw").tests(Tests::IfTask).display(&display::MAVEN),
    of("nice").wraps(BehindOptions("n")),
    of("nl").reads().options(Bundle, "bdfhilnsvw").prints(Whole),
    of("node")
        .ordered()
        .interprets(Node)
        .tests(Tests::IfOption("--test")),
    of("nohup").wraps(BehindOptions("")),
    of("nosetests").tests(Tests::Always),
    of("npm")
        .ordered()
        .effect(WritesFor(NODE_PACKAGES))
        .tests(Tests::IfRuns)
        .display(&display::NPM),
    of("npx").wraps(BehindOptions("p")),
    of("nyc").wraps(BehindOptions("r")).anywhere(),
    of("patch").writes(Written::None),
    of("pdm").wraps(Behind("run")).effect(WritesFor(&[
        "add", "install", "lock", "remove", "sync", "update",
    ])),
    of("perl").effect(EditsOrRuns).ordered(),
    of("pest")
        .tests(Tests::Always)
        .display(&display::PHPUNIT)
        .anywhere(),
    of("pgrep").asks(Asks::Always),
    of("php").ordered().tests(Tests::IfFile),
    of("phpunit")
        .tests(Tests::Always)
        .display(&display::PHPUNIT)
        .anywhere(),
    of("pip").anywhere().effect(WritesFor(PACKAGES)),
    of("pipenv")
        .wraps(Behind("run"))
        .effect(WritesFor(PACKAGES)),
    of("playwright")
        .tests(Tests::For(&["test"]))
        .display(&display::JEST)
        .anywhere(),
    of("pnpm")
        .wraps(Behind("exec"))
        .effect(WritesFor(NODE_PACKAGES))
        .tests(Tests::IfRuns)
        .display(&display::NPM),
    of("podman").ordered(),
    of("poetry").wraps(Behind("run")).effect(WritesFor(&[
        "add", "install", "lock", "remove", "sync", "update",
    ])),
    of("popd").effect(Nothing),
    of("printf").effect(Nothing).ordered().decorates(Speaks),
    of("prove").tests(Tests::Always),
    of("ps").options(Bundle, ""),
    of("pushd").effect(Nothing).ordered().decorates(Goes),
    of("pwd").reads().options(Bundle, ""),
    of("pytest")
        .long_options(Single, "kmc", &["--deselect", "--ignore", "--rootdir"])
        .tests(Tests::Always)
        .display(&display::PYTEST)
        .anywhere(),
    of("python").ordered().interprets(Python),
    of("rails")
        .tests(Tests::IfTask)
        .display(&display::RAKE)
        .anywhere(),
    of("rake")
        .tests(Tests::IfTask)
        .display(&display::RAKE)
        .anywhere(),
    of("rg")
        .reads()
        .long_options(Bundle, "ABCefmdDgtT", SEARCHES)
        .asks(Asks::Always),
    of("rm").writes(Written::All).options(Bundle, ""),
    of("rmdir").writes(Written::All).options(Bundle, ""),
    of("rspec")
        .tests(Tests::Always)
        .display(&display::RSPEC)
        .anywhere(),
    of("ruby").ordered().tests(Tests::IfFile),
    of("rye").wraps(Behind("run")).effect(WritesFor(&[
        "add", "install", "lock", "remove", "sync", "update",
    ])),
    of("sbt").tests(Tests::IfTask),
    of("sed")
        .effect(Edits)
        .long_options(Bundle, "efl", &["--expression", "--file", "--line-length"])
        .prints(Sed),
    of("set").effect(Nothing).ordered().decorates(SetsOptions),
    of("setsid").wraps(BehindOptions("")),
    of("sh").ordered().interprets(Shell).tests(IfScript),
    of("sha256sum").reads(),
    of("shopt").decorates(SetsUp),
    of("sleep").decorates(Waits),
    of("sort").reads().options(Bundle, "ktoST"),
    of("source").ordered().decorates(Sources),
    of("ssh").ordered(),
    of("stat").reads(),
    of("stdbuf").wraps(BehindOptions("ioe")),
    of("sudo").wraps(BehindAssignments("ugpCrthRDT")),
    of("swift").tests(Tests::For(&["test"])),
    of("tail")
        .reads()
        .long_options(BundleOrLines, "nc", &["--lines", "--bytes"])
        .prints(Tail)
        .pages(WithCount),
    of("tar").ordered(),
    of("task").tests(Tests::IfTask),
    of("tee").writes(Written::All).pages(Pages::Always),
    of("test")
        .effect(Nothing)
        .ordered()
        .asks(Asks::Always)
        .tests(Tests::Never),
    of("time").wraps(BehindOptions("fo")),
    of("timeout").wraps(BehindOptionsAndWord("ks")),
    of("touch").writes(Written::All).options(Bundle, "mdrt"),
    of("tox").tests(Tests::Always),
    of("tr").reads(),
    of("tree").reads(),
    of("trial").tests(Tests::Always),
    of("true").effect(Nothing).decorates(Decorates::Always),
    of("truncate").writes(Written::All),
    of("tsc").display(&display::LINTER).anywhere(),
    of("type").asks(Asks::Always),
    of("ulimit").decorates(SetsUp),
    of("umask").decorates(SetsUp),
    of("unbuffer").wraps(BehindOptions("")),
    of("uniq").reads().options(Bundle, ""),
    of("unittest").tests(Tests::Always),
    of("unset").effect(Nothing).ordered().decorates(SetsUp),
    of("uv").wraps(Behind("run")).effect(WritesFor(&[
        "add",
        "lock",
        "pip install",
        "pip uninstall",
        "remove",
        "sync",
    ])),
    of("vitest")
        .tests(Tests::Always)
        .display(&display::JEST)
        .anywhere(),
    of("wc").reads().options(Bundle, "UdB"),
    of("which").reads().asks(Asks::Always),
    of("xargs").ordered(),
    of("xvfb-run").wraps(BehindOptions("nsfe")),
    of("yarn")
        .effect(WritesFor(NODE_PACKAGES))
        .tests(Tests::IfRuns)
        .display(&display::NPM),
    of("yum").effect(WritesFor(PACKAGES)),
    of("zig").tests(Tests::IfTask),
    of("zsh").ordered().interprets(Shell).tests(IfScript),
];
