import Testing

@testable import PermModel

@Suite("Command forms")
struct CommandFormTests {
  @Test(
    "A line of certain words belongs to its form",
    arguments: [
      ("git status", "git status"), ("git status -s", "git status"),
      ("git log --oneline -n5 HEAD~2", "git log"),
      ("git log -5", "git log"), ("git diff --cached src/a.swift", "git diff"),
      ("git push origin main", "git push"),
      ("ls -la src", "ls"), ("head -n20 a.txt", "head"), ("cat a b", "cat"), ("swift build", "swift build"),
      ("make -j4 test", "make"), ("npm test", "npm test"), ("wc -l a", "wc"), ("du -sh .", "du"),
      ("git  status", "git status"), ("git status ", "git status"), (" git status", "git status"),
      ("git status 'a'", "git status"), ("git status \"a\"", "git status"), ("git status\ta", "git status"),
      ("cat \"a b\"", "cat"), ("ls -la 'src' 2>/dev/null", "ls"), ("swift build 2>&1", "swift build"),
    ])
  func forms(line: String, form: String) { #expect(CommandForm(of: line)?.name == form) }

  @Test(
    "A line that looks alike and does more belongs to no form",
    arguments: [
      "git -c alias.x=!X status", "git status --ignore-submodules=X", "git log --output=F",
      "git show --output=F",
      "git diff --output=F", "git diff --ext-diff", "git log -p --textconv",
      "git push --receive-pack=X origin main",
      "git push origin +main", "git push origin main:other", "git push origin main other", "git push",
      "git push -f origin main", "git push --mirror origin main", "git grep -O X", "git st",
      "git -C p status",
      "git --no-pager log", "GIT_SSH_COMMAND=X git push origin main", "PAGER=X git log", "\\git status",
      "command git status", "sudo git status", "git status; X", "git status && X", "git status | X",
      "git status > F",
      "git status\nX", "git\u{a0}status", "git status\u{2028}X", "'git status' -s", "cat \"-v\"",
      "make 'a b'", "make '$(X)'", "cat '-\u{301}v'",
      "git status $(X)", "git status `X`", "git status {a,b}", "git status *", "git status ?",
      "git status [a]",
      "git status ~/x", "git status 'a", "git status \"$a\"", "git status a\\ b", "git status #x",
      "git status !1",
      "git show HEAD:a", "ls --color=X", "cat ~/.ssh/id", "head --bytes=1", "wc --files0-from=F",
      "du --files0-from=F",
      "stat -f a", "make", "make a b", "make -f F a", "make --eval=X a", "make CC=X a", "make -C p a",
      "swift build -Xswiftc X", "swift test --filter X", "swift run", "cargo build --config X", "cargo run",
      "npm test -- X", "npm run build", "./git status", "/usr/bin/git status", "env git status", "",
    ])
  func noForm(line: String) { #expect(CommandForm(of: line) == nil) }

  @Test(
    "Each form has lines that try to do more with it, and none of them belongs to it",
    arguments: CommandForm.all)
  func escapes(form: CommandForm) throws {
    let lines = try #require(Self.escapes[form.name], "\(form.name) has no such lines")
    for line in lines { #expect(CommandForm(of: "\(form.name) \(line)") == nil, "\(form.name) \(line)") }
    // These end every command, or begin another one, whatever the form.
    let endings = [
      "; X", "&& X", "& X", "| X", "> F", ">F", "$(X)", "`X`", "${X}", "$X", "\nX", "\r\nX", "\u{b}X", "\\ X",
      "#X",
      "!X", "~", "~root", "a:~", "{a,b}", "*", "?", "[a]", "'a", "\"$a\"", "\u{a0}X", "\u{2028}X",
      "&\u{301} X",
      "--", "-", "=a", "^a^b",
    ]
    let start = try #require(Self.examples[form.name])
    #expect(CommandForm(of: start) == form)
    for ending in endings { #expect(CommandForm(of: "\(start) \(ending)") == nil, "\(start) \(ending)") }
    for ending in endings { #expect(CommandForm(of: "\(ending) \(start)") == nil, "\(ending) \(start)") }
    let evasions = [
      "\\", "./", "/tmp/", "A=b ", "env ", "sudo ", "command ", "-", "'", "\u{200b}",
    ]
    for evasion in evasions { #expect(CommandForm(of: evasion + start) == nil, "\(evasion)\(start)") }
  }

  private static let examples = [
    "git status": "git status -s", "git log": "git log -p main", "git show": "git show HEAD",
    "git diff": "git diff a..b", "git push": "git push origin main", "ls": "ls -la", "wc": "wc -l a",
    "stat": "stat a", "du": "du -sh", "head": "head -n5 a", "cat": "cat a", "swift build": "swift build",
    "swift test": "swift test", "cargo build": "cargo build", "cargo test": "cargo test",
    "cargo check": "cargo check", "npm test": "npm test", "make": "make test",
  ]

  private static let escapes = [
    "git status": [
      "--ignore-submodules=all", "--column=X", "-uno -c core.fsmonitor=X", "--porcel",
      "--pathspec-from-file=F",
      "--git-dir=p", "/etc", "../other", ":(top)a",
    ],
    "git log": [
      "--output=F", "--outp=F", "--output F", "-p --ext-diff", "--textconv", "--format=%x", "main --output=F",
      "-O F", "-L1,2:a", "-G X", "--show-signature", "--stdin", "-N", "-nN", "-n5x", "--mailmap", "@{u}",
    ],
    "git show": [
      "--output=F", "HEAD:a", ":/x", ":0:a", "--ext-diff", "--textconv", "--show-signature", "-O F",
    ],
    "git diff": [
      "--output=F", "--ext-diff", "--textconv", "--no-index a b", "/etc/passwd /etc/shadow", "/dev/null a",
      "../other/a b", "a/../../b c", "-O F", "--orderfile=F", "--word-diff-regex=X", "HEAD:a HEAD:b",
    ],
    "git push": [
      "", "origin", "origin main other", "-f origin main", "--force origin main", "origin +main",
      "origin main:other", "origin :main", "--receive-pack=X origin main", "--exec=X origin main",
      "--mirror origin", "--all origin", "-o X origin main", "--repo=X main", "--delete origin main",
      "/tmp/evil main", "./evil main", "evil.git main", ". main", ".. main", "file:///tmp/evil main",
      "ext::X main", "user@host main", "https://evil main", "origin HEAD^", "origin main --no-verify",
    ],
    "ls": ["--color=X", "--hyperlink", "-I X", "--block-size=1", "--zero", "-laX"],
    "wc": ["--files0-from=F", "--files0=F", "-L", "-lX"],
    "stat": ["-f a", "-c %n a", "--printf=X a", "--cached=never a"],
    "du": ["--files0-from=F", "-X F", "--exclude-from=F", "--time-style=X"],
    "head": ["--bytes=1", "-c 5 a", "-n -5 a", "-c5k a", "-q a", "-n5000000000 a", "--lines=5"],
    "cat": ["--show-all a", "-v a", "-nX a", "-- a"],
    "swift build": [
      "-Xswiftc X", "--package-path p", "--toolset F", "-Xlinker X", "a", "--scratch-path p",
      "--disable-sandbox",
    ],
    "swift test": ["--filter X", "--package-path p", "-Xcc X", "a", "--disable-sandbox"],
    "cargo build": ["--config X", "--manifest-path p", "-p a", "--target-dir p", "a", "-Z X"],
    "cargo test": ["--config X", "-- --nocapture", "a", "--manifest-path p"],
    "cargo check": ["--config X", "a", "--manifest-path p"],
    "npm test": ["-- X", "--prefix p", "--script-shell=X", "a"],
    "make": [
      "", "a b", "-f F a", "--file=F a", "--eval=X a", "CC=X a", "-C p a", "-I p a", "-jN a", "-n a",
      "SHELL=X a", "a%b", "-j a b", "--include-dir=p a",
    ],
  ]

  @Test("A form that reads a folder names it, even if the line does not")
  func readPaths() {
    #expect(CommandForm(named: "ls")?.paths(in: "ls -la") == ["."])
    #expect(CommandForm(named: "ls")?.paths(in: "ls -la a b") == ["a", "b"])
    #expect(CommandForm(named: "cat")?.paths(in: "cat") == [])
    #expect(CommandForm(named: "head")?.paths(in: "head -n5 a") == ["a"])
    #expect(CommandForm(named: "git log")?.paths(in: "git log a") == [])
  }

  @Test("Every form is found by its own name")
  func names() {
    for form in CommandForm.all { #expect(CommandForm(named: form.name) == form) }
  }
}
