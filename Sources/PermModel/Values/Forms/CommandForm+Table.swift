// The forms. Each has a test of lines that look alike and do more.

extension CommandForm {
  /// All forms.
  package static let all = looking + lookingAtRepositories + running + sending

  private static let folder = Operands.paths(orFolder: true)
  private static let paths = Operands.paths(orFolder: false)
  private static let anything = OptionList(areNone: true)

  private static func options(
    _ flags: String = "", numbers: String = "", texts: String = "", _ words: String = "", valued: String = "",
    required: Set<String> = [], endsAtDashes: Bool = false
  ) -> OptionList {
    OptionList(
      flags: flags, numbers: numbers, texts: texts, words: set(words), valued: set(valued),
      required: required,
      endsAtDashes: endsAtDashes)
  }

  private static func set(_ words: String) -> Set<String> {
    Set(words.split(separator: " ").map(String.init))
  }

  // MARK: Looking at files

  private static let looking: [CommandForm] = [
    CommandForm("cat", .reads, paths, options("nAb")),
    CommandForm("cmp", .reads, .files(2...2), options("sbl")),
    CommandForm("column", .reads, .input, anything),
    CommandForm("cut", .reads, .files(0...9), options("s", texts: "dfcb")),
    CommandForm("diff", .reads, .files(2...2), options("uqNbwBiy", numbers: "U")),
    CommandForm("du", .reads, folder, options("shac", numbers: "d", "--max-depth=N")),
    CommandForm("echo", .reads, .texts, anything),
    CommandForm("file", .reads, .files(1...9), options("bi", "--mime-type")),
    CommandForm(
      "find", .reads, folder,
      options(
        "", "( ) -not -o -a -empty -print -print0 -prune",
        valued: "-name -iname -path -ipath -type -maxdepth -mindepth -size -mtime -mmin")),
    CommandForm(
      "grep", .reads, .pattern(orFolderWith: ["r"]),
      options("rinlcoEFGwxqhsv", numbers: "ABCm", "--include= --exclude= --exclude-dir= --color=")),
    CommandForm("head", .reads, paths, options(numbers: "nc")),
    CommandForm("jq", .reads, .filter, options("rceSs")),
    CommandForm("ls", .reads, folder, options("laAhR1rtSdFp", "--color=never --color=auto")),
    CommandForm("md5sum", .reads, .files(1...9), options("bt")),
    CommandForm("nl", .reads, .files(0...9)),
    CommandForm("printf", .reads, .format, anything),
    CommandForm("pwd", .reads, .none),
    CommandForm(
      "rg", .reads, .pattern(orFolderWith: ["--no-config"]),
      options("inlcowsFv", numbers: "ABCm", texts: "gt", "--no-config", required: ["--no-config"])),
    CommandForm("sed", .reads, .lines, options("n")),
    CommandForm("sha256sum", .reads, .files(1...9), options("bt")),
    CommandForm("sort", .reads, .files(0...9), options("nruh", texts: "kt")),
    CommandForm("stat", .reads, paths),
    CommandForm("tail", .reads, paths, options(numbers: "nc")),
    CommandForm("test", .reads, .test, anything),
    CommandForm("tr", .reads, .input, anything),
    CommandForm("tree", .reads, folder, options("ad", numbers: "L")),
    CommandForm("uniq", .reads, .files(0...1), options("cdui")),
    CommandForm("wc", .reads, paths, options("lwcm")),
    CommandForm("which", .reads, .names(1...9), options("a")),
  ]

  // MARK: Looking at a repository

  private static let names = Effect.looksAtRepository(printsFiles: false)
  private static let contents = Effect.looksAtRepository(printsFiles: true)
  private static let logWords = """
    --oneline --stat --shortstat --numstat --name-only --name-status --no-color --graph --all --reverse --merges --no-merges \
    --first-parent --decorate --max-count=N --no-patch --since= --until= --after= --before= --author= --grep= \
    --format=oneline --format=short --format=medium --format=full --format=reference --no-ext-diff --no-textconv --no-pager
    """
  private static let logOptions = options("ps", numbers: "nU", logWords, endsAtDashes: true)

  private static let lookingAtRepositories: [CommandForm] = [
    CommandForm("git blame", contents, .revisions(), options("w", texts: "L", endsAtDashes: true)),
    CommandForm("git branch", names, .none, options("arv", "--list --show-current")),
    CommandForm("git check-ignore", names, .revisions(), options("vqn", endsAtDashes: true)),
    CommandForm("git describe", names, .revisions(), options("", "--tags --always --long --abbrev=N")),
    CommandForm(
      "git diff", contents, .revisions(),
      options(
        "ws", numbers: "U",
        """
        --stat --shortstat --numstat --summary --name-only --name-status --cached --staged --no-color --check
        """,
        endsAtDashes: true)),
    CommandForm("git grep", contents, .revisions(), options("nilwcEFh", endsAtDashes: true)),
    CommandForm("git log", names, .revisions(), logOptions),
    CommandForm("git ls-files", names, .revisions(), options("cdmsz", endsAtDashes: true)),
    CommandForm("git ls-tree", names, .revisions(), options("rtdl", "--name-only")),
    CommandForm("git remote -v", names, .none),
    CommandForm(
      "git rev-parse", names, .revisions(), options("", "--show-toplevel --abbrev-ref --short --verify")),
    CommandForm("git show", contents, .revisions(withPaths: true), logOptions),
    CommandForm("git stash list", names, .none),
    CommandForm(
      "git status", names, .revisions(),
      options("sb", "--short --branch --porcelain --ignored", endsAtDashes: true)),
    CommandForm("git worktree list", names, .none),
  ]

  // MARK: Running what the files say, and sending

  private static let running: [CommandForm] = [
    CommandForm(
      "cargo build", .runsFolder(["Cargo.toml"]), .none, options("q", "--release --workspace --all-targets")),
    CommandForm(
      "cargo check", .runsFolder(["Cargo.toml"]), .none, options("q", "--release --workspace --all-targets")),
    CommandForm(
      "cargo test", .runsFolder(["Cargo.toml"]), .names(0...1), options("q", "--release --workspace --lib")),
    CommandForm("go build", .runsFolder(["go.mod"]), .names(0...1), options("v", "-race")),
    CommandForm(
      "go test", .runsFolder(["go.mod"]), .names(0...1),
      options("v", "-race -short -count=N", valued: "-run -timeout")),
    CommandForm(
      "make", .runsFolder(["GNUmakefile", "makefile", "Makefile"]), .names(0...1), options(numbers: "j")),
    CommandForm("npm run", .runsFolder(["package.json"]), .names(1...1), options("s", "--silent")),
    CommandForm("npm test", .runsFolder(["package.json"]), .none, options("s", "--silent")),
    CommandForm(
      "pytest", .runsFolder(["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"]), .tests,
      options("qvxs", "--lf --ff --tb= --maxfail=N", valued: "-k -m")),
    CommandForm("swift build", .runsFolder(["Package.swift"]), .none, options("", "--build-tests")),
    CommandForm("swift test", .runsFolder(["Package.swift"]), .none, options("", "--parallel")),
  ]

  private static let sending = [CommandForm("git push", .sends, .remoteAndBranch)]
}
