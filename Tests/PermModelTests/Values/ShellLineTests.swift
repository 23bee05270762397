import Testing

@testable import PermModel

@Suite("Lines for a shell")
struct ShellLineTests {
  @Test(
    "A line of plain words belongs to its form",
    arguments: [
      ("git status", "git status"), ("git status -s", "git status"),
      ("git log --oneline -n5 HEAD~2", "git log"),
      ("git log -5", "git log"), ("git diff --cached src/a.swift", "git diff"),
      ("git push origin main", "git push"),
      ("ls -la src", "ls"), ("head -n20 a.txt", "head"), ("cat a b", "cat"), ("swift build", "swift build"),
      ("make -j4 test", "make"), ("npm test", "npm test"), ("wc -l a", "wc"), ("du -sh .", "du"),
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
      "git status\nX", "git\u{a0}status", "git status\u{2028}X", "git  status", "git status ", " git status",
      "git status $(X)", "git status `X`", "git status {a,b}", "git status *", "git status ?",
      "git status [a]",
      "git status ~/x", "git status 'a'", "git status \"a\"", "git status a\\ b", "git status #x",
      "git status !1",
      "git show HEAD:a", "ls --color=X", "cat ~/.ssh/id", "head --bytes=1", "wc --files0-from=F",
      "du --files0-from=F",
      "stat -f a", "make", "make a b", "make -f F a", "make --eval=X a", "make CC=X a", "make -C p a",
      "swift build -Xswiftc X", "swift test --filter X", "swift run", "cargo build --config X", "cargo run",
      "npm test -- X", "npm run build", "./git status", "/usr/bin/git status", "env git status", "",
    ])
  func noForm(line: String) { #expect(CommandForm(of: line) == nil) }

  @Test("A line of more commands than are taken apart is always asked about")
  func manyCommands() {
    let line = { ShellLine(Array(repeating: "a", count: $0).joined(separator: "; ")) }
    #expect(line(32).parts.count == 32 && !line(32).isAlwaysAsked)
    #expect(line(33).parts == [line(33).text] && line(33).isAlwaysAsked)
  }

  @Test(
    "Each form has lines that try to do more with it, and none of them belongs to it",
    arguments: CommandForm.all)
  func escapes(form: CommandForm) throws {
    let lines = try #require(Self.escapes[form.name], "\(form.name) has no such lines")
    for line in lines { #expect(CommandForm(of: "\(form.name) \(line)") == nil, "\(form.name) \(line)") }
    // These end every command, or begin another one, whatever the form.
    let endings = [
      "; X", "&& X", "& X", "| X", "> F", ">F", "$(X)", "`X`", "${X}", "$X", "\nX", "\r\nX", "\tX", "\\ X",
      "#X",
      "!X", "~", "~root", "a:~", "{a,b}", "*", "?", "[a]", "'a'", "\"a\"", "\u{a0}X", "\u{2028}X",
      "&\u{301} X",
      "--", "-", "=a", "^a^b",
    ]
    let start = try #require(Self.examples[form.name])
    #expect(CommandForm(of: start) == form)
    for ending in endings { #expect(CommandForm(of: "\(start) \(ending)") == nil, "\(start) \(ending)") }
    for ending in endings { #expect(CommandForm(of: "\(ending) \(start)") == nil, "\(ending) \(start)") }
    let evasions = [
      "\\", "./", "/tmp/", "A=b ", "env ", "sudo ", "command ", " ", "\t", "-", "'", "\u{200b}",
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

  @Test(
    "A line is taken apart where it joins commands with certainty",
    arguments: [
      ("git add -A && git commit -m \"a; b\"", ["git add -A", "git commit -m \"a; b\""]),
      ("make | tail -20", ["make", "tail -20"]), ("a || b; c", ["a", "b", "c"]), ("ls", ["ls"]),
      ("echo 'a && b'", ["echo 'a && b'"]),
      // A space that is no blank for a shell belongs to the word: this is another program than `a`.
      ("a\u{a0} && b", ["a\u{a0}", "b"]), ("\t a \t;b ", ["a", "b"]), ("a | wc", ["a", "wc"]),
      ("a '\"' && b", ["a '\"'", "b"]), ("a && 'b;' ; c", ["a", "'b;'", "c"]),
      // Signs are read as a shell reads them, whatever stands upon them.
      ("a ;\u{301} b", ["a", "\u{301} b"]),
    ])
  func parts(line: String, parts: [String]) { #expect(ShellLine(line).parts == parts) }

  @Test(
    "A line is left whole where its parts could mean something else",
    arguments: [
      "a | timeout 9 sh", "a | sum", "a | /tmp/cat",
      "cd x && ls", "ls && cd x", "pushd x; ls", "export A=b; ls", "A=b; ls", "alias ls=rm; ls", "eval a; b",
      "source x; b", ". x; b", "exec a; b", "f() { a; }; f", "(a; b)", "{ a; b; }", "a & b", "a |& b",
      "a; b &", "a &&",
      "a && $(b)", "a; `b`", "a; b > F", "a < F; b", "a; b <<E", "a\nb; c", "a; \"b", "a; 'b", "a; b\\",
      "a; # b",
      "if a; then b; fi", "while a; do b; done", "function f; a", "set -e; a", "trap x EXIT; a", "a ;; b",
      "! a; b",
      "command cd x; a", "time a; b", "printf -v PATH x; ls", "[c]d x && ls", "c?d x; ls", "A=\u{301}x; ls",
      "PATH+=x; ls", "hash -p X ls; ls", "bind -x X; ls", "\"cd\" x; ls", "- cd x; ls", "noglob cd x; ls",
      "a | sh", "a | /bin/bash -s", "a | xargs rm", "a | python3.12 -", "a | sudo tee F", "a | \"sh\"",
      "a \"!b\" && c", "a &\u{301} b; c", "a '\u{301} ; b", "a;\u{b} b", "a; b\u{7f}", "a;;b", "a; ; b",
      "; a",
    ])
  func whole(line: String) { #expect(ShellLine(line).parts == [line]) }

  @Test(
    "A line that could answer requests or leave the program's reach is always asked about",
    arguments: [
      "permtui allow x y", "/usr/bin/permtui allow x y", "ls; permtui x", "ls && tmux send-keys a",
      "env A=b permtui x",
      "sudo -u root permtui x", "nohup permtui x", "time systemd-run a", "xargs permtui", "p\"ermtui\" x",
      "\\permtui x", "A=b permtui x", "echo `permtui x`", "echo $(permtui x)", "(crontab -e)", "a | at now",
      "a & screen", "command permtui", "exec permtui", "bash -c 'permtui x'", "{ busctl; }", "a\ngdbus call",
      "a\r\ngdbus call", ">f permtui x", "2>/dev/null permtui x", "2>&1 permtui x",
      "> f permtui x", ">>f A=b <g permtui x", "{permtui,allow,x}", "if permtui x; then a; fi",
      "/usr/bin/tmu? x", "t*x new", "permtui-askpass", "flock F tmux", "ssh localhost tmux",
      "A=b env B=c at now",
      "a;tmux", "perm\\\ntui allow a b", "python3 run.py permtui", "env --split-string=tmux", "! permtui x",
      "while permtui; do a; done",
      "find . -exec permtui x", "t\"\"mux", "'tmux'", "$(tmux)", "a || \\tmux",
    ])
  func alwaysAsked(line: String) { #expect(ShellLine(line).isAlwaysAsked) }

  @Test(
    "Other lines are not, even if they have such a word",
    arguments: [
      "git commit -m \"at last\"", "ls permtui", "echo screen", "man tmux", "cat at",
      "git commit -m 'fix, at last'",
      "grep -r tmux .", "ls *.swift", "echo look at it > f", "A=at ls",
    ])
  func notAlwaysAsked(line: String) { #expect(!ShellLine(line).isAlwaysAsked) }
}
