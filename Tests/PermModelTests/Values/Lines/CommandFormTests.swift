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
      ("git log -5 --since='2 weeks ago' -- src/a", "git log"), ("git -C sub status -sb", "git status"),
      ("git show HEAD:src/a.swift", "git show"), ("git stash list", "git stash list"),
      ("git remote -v", "git remote -v"),
      ("git branch -a", "git branch"), ("git blame -L 1,20 a", "git blame"),
      ("git ls-files src", "git ls-files"),
      ("git rev-parse --abbrev-ref HEAD", "git rev-parse"),
      ("git describe --tags --abbrev=4", "git describe"),
      ("git diff -- 'a b'", "git diff"), ("tail -n 20 a", "tail"), ("tail -20 a", "tail"),
      ("head -c 5 a", "head"),
      ("grep -rn 'a b' src", "grep"), ("grep -n x a --include='*.swift'", "grep"),
      ("rg --no-config -n x src", "rg"),
      ("find . -name '*.swift' -type f", "find"), ("find src -maxdepth 2 -not -name a", "find"),
      ("sed -n 1,20p a", "sed"), ("sed -n '5,$p' a b", "sed"), ("sort -k2,2n -t , a", "sort"),
      ("uniq -c a", "uniq"),
      ("diff -u a b", "diff"), ("cmp a b", "cmp"), ("sha256sum a b", "sha256sum"), ("file -b a", "file"),
      ("tree -L 2 src", "tree"), ("du -d1 .", "du"), ("nl a", "nl"), ("cut -d : -f1 a", "cut"),
      ("test -f a", "test"), ("test '!' -d a", "test"), ("test 1 -lt 2", "test"), ("test a = b", "test"),
      ("echo --- 'a $(b)'", "echo"), ("echo", "echo"), ("printf '%s\\n' a", "printf"), ("pwd", "pwd"),
      ("which -a git", "which"),
      ("make", "make"), ("npm run build:dev", "npm run"), ("go test ./...", "go test"),
      ("go build", "go build"),
      ("pytest -q t/test_a.py::test_b -k x", "pytest"), ("cargo test name", "cargo test"),
      ("echo \"✓ a\"", "echo"), ("printf '%s\\n' 'é'", "printf"), ("grep -n \"\\.a\\|✗\" b", "grep"),
      ("grep -E '^d' a", "grep"), ("echo '=a'", "echo"), ("sort", "sort"), ("uniq -c", "uniq"),
      ("find . \\( -name a -o -name b \\) -type f", "find"), ("tr -d x", "tr"), ("jq -r .a", "jq"),
      ("jq '.a | .b' f.json g.json", "jq"),
      ("git diff --cached --summary", "git diff"), ("git grep -n a -- '*.md'", "git grep"),
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
      "git --no-pager log", "GIT_SSH_COMMAND=X git push origin main", "PAGER=X git log", "\\git status",
      "command git status", "sudo git status", "git status; X", "git status && X", "git status | X",
      "git status > F",
      "git status\nX", "git\u{a0}status", "git status\u{2028}X", "'git status' -s", "cat \"-v\"",
      "make 'a b'", "make '$(X)'", "cat '-\u{301}v'",
      "git status $(X)", "git status `X`", "git status {a,b}", "git status *", "git status ?",
      "git status [a]",
      "git status ~/x", "git status 'a", "git status \"$a\"", "git status a\\ b", "git status #x",
      "git status !1", "cat 'é'", "ls \"é\"", "grep a 'é'", "'é' a", "echo é", "grep ^a b", "echo =ls",
      "printf 'é'",
      "git status 'é'",
      "git show HEAD:../a", "git -C a -C b status", "git -C a", "ls --color=X",
      "cat ~/.ssh/id", "head --bytes=1", "wc --files0-from=F",
      "du --files0-from=F",
      "stat -f a", "make a b", "make -f F a", "make --eval=X a", "make CC=X a", "make -C p a",
      "swift build -Xswiftc X", "swift test --filter X", "swift run", "cargo build --config X", "cargo run",
      "npm test -- X", "npm run", "npm run a b", "./git status", "/usr/bin/git status", "env git status", "",
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
      "=a", "^a^b",
    ]
    let start = try #require(Self.examples[form.name])
    #expect(CommandForm(of: start) == form)
    let takesAll = ["echo", "printf"].contains(form.name)
    for ending in endings where !takesAll || !"=^".contains(ending.first ?? "x") {
      #expect(CommandForm(of: "\(start) \(ending)") == nil, "\(start) \(ending)")
    }
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
    "cargo check": "cargo check", "npm test": "npm test", "make": "make test", "npm run": "npm run x",
    "go build": "go build", "go test": "go test -v", "pytest": "pytest -q", "git blame": "git blame a",
    "git branch": "git branch -a", "git describe": "git describe", "git ls-files": "git ls-files a",
    "git remote -v": "git remote -v", "git rev-parse": "git rev-parse HEAD",
    "git stash list": "git stash list",
    "cmp": "cmp a b", "cut": "cut -f1 a", "diff": "diff -u a b", "echo": "echo a", "file": "file a",
    "find": "find a",
    "grep": "grep x a", "md5sum": "md5sum a", "nl": "nl a", "printf": "printf a", "pwd": "pwd",
    "rg": "rg --no-config x a", "sed": "sed -n 1p a", "sha256sum": "sha256sum a", "sort": "sort a",
    "tail": "tail a", "column": "column -t", "jq": "jq .", "tr": "tr a b",
    "git check-ignore": "git check-ignore a", "git grep": "git grep a", "git ls-tree": "git ls-tree HEAD",
    "git worktree list": "git worktree list",
    "test": "test -f a", "tree": "tree a", "uniq": "uniq a", "which": "which a",
  ]

  private static let escapes = [
    "git status": [
      "--ignore-submodules=all", "--column=X", "-uno -c core.fsmonitor=X", "--porcel",
      "--pathspec-from-file=F",
      "--git-dir=p", "/etc", "../other", ":(top)a", "-u", "-z --", "-- -x", "--ignored=X",
    ],
    "git log": [
      "--output=F", "--outp=F", "--output F", "-p --ext-diff", "--textconv", "--format=%x", "main --output=F",
      "-O F", "-L1,2:a", "-G X", "--show-signature", "--stdin", "-N", "-nN", "-n5x", "--mailmap", "@{u}",
      "--format=%G?", "--pretty=format:%G?", "--pretty", "HEAD:a", "-- /etc", "-n", "--since",
    ],
    "git show": [
      "--output=F", "HEAD:/etc/a", "HEAD:../a", "HEAD:./a", "HEAD:", ":a", "a:b:c", ":/x", ":0:a",
      "--ext-diff", "--textconv", "--show-signature", "-O F",
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
    "head": ["--bytes=1", "-n -5 a", "-c5k a", "-q a", "-n5000000000 a", "--lines=5", "-"],
    "tail": ["-f a", "-F a", "--follow a", "--pid=1 a", "-n x a", "-"],
    "grep": [
      "-R x", "-f F a", "-e x a", "-P x a", "--file=F a", "", "-rL x", "-H x a", "--binary-files=X x",
      "-d read x",
    ],
    "rg": [
      "x", "--no-config --pre=X x", "--no-config --hostname-bin=X x", "--no-config -z x",
      "--no-config -f F x", "--no-config -L x",
    ],
    "find": [
      ". -exec X {} +", ". -delete", ". -ok X", ". -fprint F", ". -fls F", ". -fprintf F x", "-L .", "-H .",
      ". -follow",
      "-files0-from F", ". -execdir X", ". -newer F", ". -name", ". \\( -delete \\)", ". -exec X \\;",
    ],
    "sed": [
      "1p a", "-i -n 1p a", "-n '1w F' a", "-n '1e X' a", "-n -e 1p a", "-n -f F a", "-n 1p", "-n s/a/b/p a",
      "-n '/x/p' a",
      "-n '1,2,3p' a", "-n p a", "-n 1d a", "-ni 1p a", "-s 1p a", "-n 1p -",
    ],
    "sort": [
      "-o F a", "--compress-program=X a", "--files0-from=F", "-T p a", "-S 5 a", "-c a", "--output=F a",
      "-",
    ],
    "uniq": ["a b", "-"], "cut": ["--output-delimiter=X a"], "nl": ["-b a a"],
    "column": ["F", "-t F", "-J"], "tr": ["a b c", "", "-x a"],
    "jq": [
      ". -", "input F", "-f F", "--rawfile a F .", "'$ENV'", "-n input", "'import \"a\" as $a; .'", "-L p .",
    ],
    "git check-ignore": ["--stdin", "/etc", "../a", "--no-index a"],
    "git grep": [
      "-O X a", "-Oless a", "--open-files-in-pager a", "--no-index a", "-f F", "a /etc", "a ../b",
      "--textconv a",
      "--untracked a", "--recurse-submodules a", "-e a -- ../b",
    ],
    "git ls-tree": ["--format=X HEAD", "HEAD:a", "HEAD ../a", "--full-tree HEAD"],
    "git worktree list": ["-v", "add x", "--porcelain x"],
    "diff": ["-r a b", "a", "a b c", "-l a b", "--to-file=F a", "-X F a b", "--paginate a b", "a -"],
    "cmp": ["a", "a b 1", "-i 5 a b"],
    "md5sum": ["-c F", "--check F", ""], "sha256sum": ["-c F", "--check F", ""],
    "file": ["-f F", "-C -m F", "-z a", "-m F a", "", "-L a", "-s a"],
    "tree": ["-o F", "-R", "-l", "--fromfile", "-P x", "--info", "-L x"],
    "test": [
      "", "a", "-v 'a[$(X)]'", "-v a", "-t a", "-f a -a -f b", "a -nt b", "-f", "! -v a", "a -eq b",
      "'(' a ')'", "-o a",
      "-f -a", "x -a y", "-R a", "! ! -f a", "=a = b", "-f '~/a'",
    ],
    "echo": ["$x", "a > F", "*"],
    "printf": ["", "-v x a", "%d a", "%b a", "'%*s' a", "%", "'%q' a", "-va a"],
    "pwd": ["-P", "a"], "which": ["", "--read-alias", "/bin/x", "../x"],
    "git blame": ["--contents F a", "--ignore-revs-file=F a", "-S F a", "/etc/passwd", "../a", "-L"],
    "git branch": [
      "x", "-d x", "-D x", "-m x", "--edit-description", "--set-upstream-to=x", "--format=X", "-f",
    ],
    "git describe": ["--dirty", "--broken", "--contains", "--match x", "--abbrev=x"],
    "git ls-files": ["-X F", "--exclude-from=F", "-o", "--exclude-standard", "--recurse-submodules", "/etc"],
    "git remote -v": ["add x y", "update", "show x"], "git stash list": ["-p", "--output=F"],
    "git rev-parse": [
      "--git-dir", "--sq-quote x", "--parseopt", "--resolve-git-dir p", "/etc", "--git-path x",
    ],
    "go build": ["-o F", "-toolexec=X", "-exec X", "-C p", "/x", "../x", "-mod=mod", "-ldflags X", "a@b"],
    "go test": ["-exec X", "-o F", "-c", "-toolexec=X", "-coverprofile=F", "../x", "a b", "-run"],
    "npm run": ["", "a b", "--prefix p x", "x -- y", "--script-shell=X x", ":x", "../x"],
    "pytest": [
      "-cevil.ini", "-c F", "-pevil", "-p evil", "--junitxml=F", "/else/test_b.py", "../b", "--rootdir=p",
      "-o x=y", "--pyargs x", "--basetemp=p", "--log-file=F",
    ],
    "cat": ["--show-all a", "-v a", "-nX a", "-- a"],
    "swift build": [
      "-Xswiftc X", "--package-path p", "--toolset F", "-Xlinker X", "a", "--scratch-path p",
      "--disable-sandbox",
    ],
    "swift test": ["--filter X", "--package-path p", "-Xcc X", "a", "--disable-sandbox"],
    "cargo build": ["--config X", "--manifest-path p", "-p a", "--target-dir p", "a", "-Z X"],
    "cargo test": ["--config X", "-- --nocapture", "a b", "--manifest-path p", "/a", "../a"],
    "cargo check": ["--config X", "a", "--manifest-path p"],
    "npm test": ["-- X", "--prefix p", "--script-shell=X", "a"],
    "make": [
      "a b", "-f F a", "../a", "/a", "--file=F a", "--eval=X a", "CC=X a", "-C p a", "-I p a", "-jN a",
      "-n a",
      "SHELL=X a", "a%b", "-j a b", "--include-dir=p a",
    ],
  ]

  @Test("A form that reads a folder names it, even if the line does not")
  func readPaths() {
    let paths = [
      "ls -la": ["."], "ls -la a b": ["a", "b"], "head -n5 a": ["a"], "git log a": [], "grep x a": ["a"],
      "grep -r x": ["."],
      "grep x": [], "rg --no-config x": ["."], "sed -n 1p a b": ["a", "b"], "find . -name x": ["."],
      "find -name x": ["."],
      "test -f a": ["a"], "test -n a": [], "pytest a/b.py::c": ["a/b.py"], "echo a": [], "sort -k 2 a": ["a"],
    ]
    for (line, found) in paths { #expect(FormLine(line)?.paths == found, "\(line)") }
    #expect(FormLine("git -C a log -p")?.folder == "a")
    #expect(FormLine("git log -p")?.printsFiles == true)
    #expect(FormLine("git log")?.printsFiles == false)
    #expect(FormLine("git push origin main")?.remote == "origin")
  }

  @Test("Every form is found by its own name")
  func names() {
    for form in CommandForm.all { #expect(CommandForm(named: form.name) == form) }
  }
}
