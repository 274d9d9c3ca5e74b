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
    Tests::{self, IfSaid, IfScript},
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
const INSTALLS: &[&str] = &["add", "ci", "get", "i", "install", "remove", "uninstall"];

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
    of("./gradlew").tests(IfSaid),
    of("./mvnw").tests(IfSaid),
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
    of("apply_patch").writes(Written::Patch),
    of("apt").effect(WritesFor(INSTALLS)),
    of("apt-get").effect(WritesFor(INSTALLS)),
    of("ava").tests(Tests::Always),
    of("awk").ordered().prints(Awk),
    of("bash").ordered().interprets(Shell).tests(IfScript),
    of("bat").reads().prints(Whole("")),
    of("batcat").reads().prints(Whole("")),
    of("bazel").tests(IfSaid),
    of("builtin").wraps(BehindOptions("")),
    of("bun").tests(IfSaid).display(&display::NPM),
    of("bundle").wraps(Behind("exec")),
    of("bunx").wraps(BehindOptions("p")),
    of("cargo")
        .effect(WritesFor(INSTALLS))
        .tests(IfSaid)
        .display(&display::CARGO),
    of("cat")
        .reads()
        .options(Bundle, "")
        .prints(Whole(""))
        .pages(WithoutOperands),
    of("cd").effect(Nothing).ordered().decorates(Goes),
    of("chmod")
        .writes(Written::AllButFirst)
        .options(Bundle, "mdrt"),
    of("chown").writes(Written::AllButFirst),
    of("chronic").wraps(BehindOptions("")),
    of("clear").effect(Nothing).decorates(Decorates::Always),
    of("cmp").asks(Asks::Always),
    of("command").asks(Asks::Always).wraps(UnlessOptions),
    of("conda")
        .effect(WritesFor(INSTALLS))
        .ordered()
        .decorates(Activates),
    of("cp").writes(Written::Last).options(Bundle, "tS"),
    of("ctest").tests(Tests::Always),
    of("curl").ordered(),
    of("cut").reads().options(Bundle, "dfcb"),
    of("dash").interprets(Shell).tests(IfScript),
    of("deno").tests(IfSaid),
    of("df").options(Bundle, "UdB"),
    of("diff").reads().options(Bundle, "UdB").asks(Asks::Always),
    of("doas").wraps(BehindAssignments("ugpCrthRDT")),
    of("docker").ordered(),
    of("dotnet").tests(IfSaid),
    of("du").reads().options(Bundle, "UdB"),
    of("echo").effect(Nothing).ordered().decorates(Speaks),
    of("ed").writes(Written::None),
    of("env").wraps(BehindAssignments("uCS")),
    of("exec").wraps(BehindOptions("")),
    of("exit").effect(Nothing).decorates(Decorates::Always),
    of("export").effect(Nothing).ordered().decorates(SetsUp),
    of("expr").ordered(),
    of("false").effect(Nothing),
    of("ffmpeg").ordered(),
    of("file").reads(),
    of("find").effect(Finds).ordered(),
    of("gawk").prints(Awk),
    of("git")
        .effect(WritesFor(GIT_WRITERS))
        .asks(Asks::For(&["diff", "grep"])),
    of("go")
        .effect(WritesFor(INSTALLS))
        .tests(IfSaid)
        .display(&display::GO),
    of("gradle").tests(IfSaid),
    of("gradlew").tests(IfSaid),
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
    of("jest").tests(Tests::Always).display(&display::JEST),
    of("ksh").interprets(Shell),
    of("kubectl").ordered(),
    of("less").reads().prints(Whole("")).pages(WithoutOperands),
    of("ln").writes(Written::Last).options(Bundle, "tS"),
    of("ls").reads().options(Bundle, "IwT"),
    of("make").tests(IfSaid).display(&display::MAKE),
    of("mamba").ordered().decorates(Activates),
    of("md5sum").reads(),
    of("mix").tests(IfSaid),
    of("mkdir").writes(Written::All).options(Bundle, "mdrt"),
    of("mocha").tests(Tests::Always).display(&display::JEST),
    of("more").reads().prints(Whole("")).pages(WithoutOperands),
    of("mv").writes(Written::All).options(Bundle, "tS"),
    of("mvn").tests(IfSaid),
    of("nice").wraps(BehindOptions("n")),
    of("nl")
        .reads()
        .options(Bundle, "bdfhilnsvw")
        .prints(Whole("bdfhilnsvw")),
    of("node").ordered().interprets(Node).tests(IfSaid),
    of("nohup").wraps(BehindOptions("")),
    of("nosetests").tests(Tests::Always),
    of("npm")
        .effect(WritesFor(INSTALLS))
        .ordered()
        .tests(IfSaid)
        .display(&display::NPM),
    of("npx").wraps(BehindOptions("p")),
    of("patch").writes(Written::None),
    of("pdm").wraps(Behind("run")),
    of("perl").effect(EditsOrRuns).ordered(),
    of("pgrep").asks(Asks::Always),
    of("php").ordered(),
    of("phpunit").tests(Tests::Always),
    of("pip").effect(WritesFor(INSTALLS)).anywhere(),
    of("pipenv").wraps(Behind("run")),
    of("pnpm")
        .effect(WritesFor(INSTALLS))
        .wraps(Behind("exec"))
        .tests(IfSaid)
        .display(&display::NPM),
    of("podman").ordered(),
    of("poetry").wraps(Behind("run")),
    of("popd").effect(Nothing),
    of("printf").effect(Nothing).ordered().decorates(Speaks),
    of("ps").options(Bundle, ""),
    of("pushd").effect(Nothing).ordered().decorates(Goes),
    of("pwd").reads().options(Bundle, ""),
    of("pytest")
        .long_options(Single, "kmc", &["--deselect", "--ignore", "--rootdir"])
        .tests(Tests::Always)
        .display(&display::PYTEST)
        .anywhere(),
    of("python").ordered().interprets(Python),
    of("rake").tests(IfSaid),
    of("rg")
        .reads()
        .long_options(Bundle, "ABCefmdDgtT", SEARCHES)
        .asks(Asks::Always),
    of("rm").writes(Written::All).options(Bundle, ""),
    of("rmdir").writes(Written::All).options(Bundle, ""),
    of("rspec").tests(Tests::Always),
    of("ruby").ordered(),
    of("rye").wraps(Behind("run")),
    of("sbt").tests(IfSaid),
    of("sed").effect(Edits).prints(Sed),
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
    of("swift").tests(IfSaid),
    of("tail")
        .reads()
        .long_options(BundleOrLines, "nc", &["--lines", "--bytes"])
        .prints(Tail)
        .pages(WithCount),
    of("tar").ordered(),
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
    of("type").asks(Asks::Always),
    of("ulimit").decorates(SetsUp),
    of("umask").decorates(SetsUp),
    of("unbuffer").wraps(BehindOptions("")),
    of("uniq").reads().options(Bundle, ""),
    of("unittest").tests(Tests::Always),
    of("unset").effect(Nothing).ordered().decorates(SetsUp),
    of("uv").wraps(Behind("run")),
    of("vitest").tests(Tests::Always).display(&display::JEST),
    of("wc").reads().options(Bundle, "UdB"),
    of("which").reads().asks(Asks::Always),
    of("xargs").ordered(),
    of("xvfb-run").wraps(BehindOptions("nsfe")),
    of("yarn")
        .effect(WritesFor(INSTALLS))
        .tests(IfSaid)
        .display(&display::NPM),
    of("zig").tests(IfSaid),
    of("zsh").ordered().interprets(Shell).tests(IfScript),
];
