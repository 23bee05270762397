import Testing

@testable import PermModel

/// The meaning of decisions for lines that contain a denied command, however it is spelled.
@Suite("Denied commands")
struct DeniedCommandTests {
  private static func decision(
    _ verdict: Verdict, _ text: String, everyone: Bool = false, at moment: Int64 = 1
  ) throws -> Decision {
    let atom = try #require(try CapabilityCatalogue.builtIn.parse("commands:run@\(text)").atoms.first)
    return Decision(
      subject: everyone ? .everyone : Subject(label: "claude"), atom: atom, verdict: verdict,
      lifetime: .forever,
      origin: .library, decidedAt: Timestamp(microseconds: moment))
  }

  private static func state(
    of line: String, _ decisions: [Decision], restricted: [String] = [], forms: Set<String> = []
  ) throws -> AtomState {
    var facts = ValueFacts()
    facts.forms = forms
    let forbidden = try restricted.map { Atom("commands", "run", try Scope($0, kind: .command)) }
    let decided = DecidedAtoms(
      Capability.Commands.definition, decisions: decisions, restricted: Set(forbidden), facts: facts)
    return decided.state(of: Atom("commands", "run", .command(line)))
  }

  /// Spellings in which the command is plainly there.
  static let plain = [
    "git push", "git push origin main", "git  push origin main", "git push origin main 2>&1",
    "git push > log", "git push;",
    "cd x && git push", "make; git push", "make || git push", "make | git push", "git push | tee x",
    "true\ngit push", "git push &",
    "(git push)", "{ git push; }", "if a; then git push; fi", "for x in a b; do git push; done",
    "while git push; do a; done",
    "! git push", "FOO=1 git push", "A=1 B=2 git push", "echo $(git push)", "echo `git push`",
    "echo \"$(git push)\"", "x=$(git push)",
    "cat <(git push)", "git --no-pager push", "git -C p push", "git -c a=b push", "git --git-dir=x push",
    "git push -u origin main",
    "git push --force", "git push -f origin main", "git push origin +main", "/usr/bin/git push", "./git push",
    "git \"push\"", "'git' push",
    "g\"i\"t push", "\\git push", "git pu\\\nsh", "git \\\n  push", ">f git push", "sudo git push",
    "nohup git push", "env A=b git push",
    "command git push", "exec git push", "time git push", "timeout 60 git push", "git push \"$branch\"",
    "git push # now",
    "# first\ngit push", "case a in a) git push;; esac", "git status && git push",
    "git push 2>/dev/null || true",
  ]

  /// Spellings in which it may be there.
  static let hidden = [
    "git -p push", "git $x origin", "g=git; $g push", "$GIT push", "gi? push", "{git,push}", "$'git' push",
    "git $'push'",
    "sh -c 'git push'", "bash -lc \"cd x && git push\"", "dash -c 'true; git push'", "zsh -ic 'git push'",
    "eval 'git push'", "eval git push",
    "sudo -u x git push", "nice -n 5 git push", "timeout -s KILL 60 git push", "find . -exec git push ;",
    "echo push | xargs git",
    "echo git push | sh", "echo 'git push' | bash -s", "bash <<E\ngit push\nE", "bash <<'E'\ngit push\nE",
    "sh <<< 'git push'",
    "python3 -c \"import os; os.system('git push')\"", "perl -e 'system(\"git\", \"push\")'",
    "awk 'BEGIN { system(\"git push\") }'",
    "node -e 'x(`git push`)'", "ruby -e 'system(\"git push\")'", "make --eval='x: ; git push' x",
    "watch git push", "git -c alias.x='!git push' x",
    "git -c alias.x=push x", "git submodule foreach 'git push'", "git rebase -x 'git push' main",
    "git bisect run git push",
    "trap 'git push' EXIT", "alias g='git push'; g", "GIT_PAGER='git push' git log",
    "tar --to-command='git push' -xf a",
    "busybox sh -c 'git push'", "f() { git push; }; f", "npx -c 'git push'", "npm exec -- git push",
    "uv run git push", "parallel git push ::: a",
    "/lib64/ld-linux-x86-64.so.2 /usr/bin/git push", "env -S 'git push'", "flock f git push",
    "script -c 'git push' x", "coproc git push",
    "cat <<E\n$(git push)\nE", "x=\"$(cat <<'END'\na\nEND)\"; git push; : \"\nEND\n)\"",
    "echo \"it's\" # don't\ngit push", "stdbuf -o L git push",
  ]

  @Test("Of more than a hundred spellings of a denied command, none is allowed", arguments: plain + hidden)
  func spellings(line: String) throws {
    #expect(Self.plain.count + Self.hidden.count > 100)
    let isPlain = Self.plain.contains(line)
    for isForEveryone in [true, false] {
      let decisions = [
        try Self.decision(.deny, "git push …", everyone: isForEveryone),
        try Self.decision(.allow, "*", at: 2),
      ]
      let state = try Self.state(of: line, decisions)
      #expect(state == .denied || !isPlain && state == .undecided, "\(line)")
    }
    let everything = try Self.decision(.allow, "*")
    let state = try Self.state(of: line, [everything], restricted: ["git push …"])
    #expect(state == .restricted || !isPlain && state == .undecided, "\(line)")
  }

  @Test(
    "An exact line that was allowed after the denial is not asked about again, if the command only may be there"
  )
  func allowedAfterwards() throws {
    let denial = try Self.decision(.deny, "git push …", everyone: true, at: 5)
    for line in ["make --eval='x: ; git push' x", "g=git; $g push"] {
      #expect(try Self.state(of: line, [denial, Self.decision(.allow, line, at: 9)]) == .allowed)
      #expect(try Self.state(of: line, [denial, Self.decision(.allow, line, at: 2)]) == .undecided)
      #expect(try Self.state(of: line, [denial, Self.decision(.allow, "*", at: 9)]) == .undecided)
    }
    let plain = "git push origin main 2>&1"
    #expect(try Self.state(of: plain, [denial, Self.decision(.allow, plain, at: 9)]) == .denied)
  }

  @Test("A narrower decision of the same program outweighs its denial of leading words")
  func narrower() throws {
    let denial = try Self.decision(.deny, "git …")
    let status = try Self.decision(.allow, "git status …")
    let line = try Self.decision(.allow, "git push origin main")
    let decisions = [denial, status, line, try Self.decision(.allow, "*")]
    func state(_ text: String) throws -> AtomState {
      try Self.state(of: text, decisions, forms: ["git status"])
    }
    #expect(try state("git status -s") == .allowed)
    #expect(try state("git push origin main") == .allowed)
    #expect(try state("git status && git push origin main") == .allowed)
    #expect(try state("git push origin other") == .denied)
    #expect(try state("git status && git log") == .denied)
    #expect(try state("ls") == .allowed)
    let everyone = [try Self.decision(.deny, "git …", everyone: true), status, line]
    #expect(try Self.state(of: "git status -s", everyone, forms: ["git status"]) == .denied)
  }

  @Test("A denial of leading words that are a form's name is about every line that begins so")
  func formNames() throws {
    let denial = try Self.decision(.deny, "git push …")
    #expect(denial.atom.scope == .form("git push"))
    let all = try Self.decision(.allow, "*")
    #expect(try Self.state(of: "git push --force origin main", [denial, all]) == .denied)
    #expect(try Self.state(of: "git pull", [denial, all]) == .allowed)
    // A later answer about the same scope replaces it.
    let decided = DecidedAtoms(Capability.Commands.definition, decisions: [denial])
      .answering(.allow, [Atom("commands", "run", .form("git push"))], at: Timestamp(microseconds: 9))
    #expect(decided.state(of: Atom("commands", "run", .command("git push -f"))) == .undecided)
  }

  @Test("An exact denied line is found in every spelling of its words")
  func exactLines() throws {
    let decisions = [
      try Self.decision(.deny, "curl evil.example"), try Self.decision(.deny, "rm \"a b\""),
      try Self.decision(.allow, "*", at: 2),
    ]
    for line in [
      "true | curl evil.example", "curl evil.example | tee x", "cd /tmp && curl evil.example",
      "echo $HOME; curl evil.example",
      "curl evil.example &", "curl  'evil.example'", "ls | rm 'a b'", "ls; rm \"a b\"",
      "sudo curl evil.example",
    ] {
      #expect(try Self.state(of: line, decisions) == .denied, "\(line)")
    }
    #expect(try Self.state(of: "sh -c 'curl evil.example'", decisions) == .undecided)
    #expect(try Self.state(of: "curl evil.example/x", decisions) == .allowed)
    #expect(try Self.state(of: "rm a b", decisions) == .allowed)
  }

  @Test("A program that Deno starts can have any arguments")
  func deno() throws {
    var facts = ValueFacts()
    facts.dialect = .deno
    let decisions = [
      try Self.decision(.deny, "git push …", everyone: true),
      try Self.decision(.deny, "rm …", everyone: true),
      try Self.decision(.allow, "*"),
    ]
    let decided = DecidedAtoms(Capability.Commands.definition, decisions: decisions, facts: facts)
    func state(_ program: String) -> AtomState {
      decided.state(of: Atom("commands", "run", .command(program)))
    }
    #expect(state("git") == .undecided && state("/bin/rm") != .allowed && state("ls") == .allowed)
  }

  @Test("A denial of a program holds in the store, too, whatever stands around the program")
  func stored() throws {
    let store = MemoryStore(environment: .linux(sessionFolder: nil))
    let claude = Subject(label: "claude")
    func decide(_ verdict: Verdict, _ subject: Subject, _ text: String) throws {
      let atoms = try CapabilityCatalogue.builtIn.parse("commands:run@\(text)").atoms
      _ = try store.decide(Ruling(verdict, subject: subject, atoms: atoms), by: .commandLine)
    }
    try decide(.deny, .everyone, "rm …")
    try decide(.deny, claude, "git push --force …")
    try decide(.allow, claude, "*")
    func state(_ line: String) throws -> AtomState {
      let atom = Atom("commands", "run", .command(line))
      let facts = ValueFacts()
      let standing = try store.standing(of: claude, capability: "commands", asking: facts.needed(for: [atom]))
      let judge = Judge(of: claude, Capability.Commands.definition, under: .none)
      return judge.judgement(on: [atom], standing, facts).decided.state(of: atom)
    }
    #expect(try state("ls; rm -rf x") == .denied)
    #expect(try state("echo $(rm x)") == .denied)
    #expect(try state("git push origin --force") == .denied)
    #expect(try state("git push -f") == .undecided)
    #expect(try state("$x y") == .undecided)
    #expect(try state("git push") == .allowed)
    #expect(try state("ls") == .allowed)
  }

  @Test("Of ordinary lines, few are asked about because of a word in an argument")
  func ordinary() throws {
    let decisions = try ["rm …", "git push …", "curl …", "sudo …"].map {
      try Self.decision(.deny, $0, everyone: true)
    }
    let all = try Self.decision(.allow, "*")
    let asked = try Self.ordinary.filter { try Self.state(of: $0, decisions + [all]) != .allowed }
    #expect(asked.count * 100 <= 3 * Self.ordinary.count, "\(asked)")
  }

  static let ordinary = [
    "ls -la", "git status", "git log --oneline -5", "git diff HEAD~1", "npm test 2>&1 | tail -40",
    "cd src && ls", "cat README.md",
    "grep -rn 'rm -rf' scripts", "grep -n \"git push\" docs/*.md",
    "git commit -m \"Explain why git push fails\"", "git add -A",
    "git commit -m \"$(cat <<'EOF'\nRemove rm and curl\n\nNo git push any more.\nEOF\n)\"",
    "python3 -c \"print(1)\"", "swift build", "swift test --filter X",
    "cargo build --release", "find . -name '*.swift' | head -20", "wc -l src/*.py", "mkdir -p build",
    "echo done", "pwd", "which curl",
    "sed -n '1,20p' a.txt", "awk '{ print $1 }' a.txt", "git show HEAD:a.swift", "git stash list",
    "git branch --show-current", "npm run build",
    "npx tsc --noEmit", "node -e 'console.log(1)'", "pytest tests -k remove -x", "test -f a && echo yes",
    "[ -d b ] || mkdir b", "cp a b", "mv a b",
    "touch a", "tail -n 50 build.log", "head -5 a", "ps aux | grep node", "make -j4", "export A=b && make",
    "docker ps", "gh pr view 5",
    "gh pr create --title 'Stop git push' --body 'uses curl'", "jq -r '.name' package.json",
    "tar -xzf a.tar.gz", "chmod +x run.sh", "./run.sh --fast",
    "for f in *.txt; do echo $f; done", "if [ -f a ]; then cat a; fi",
    "while read l; do echo \"$l\"; done < a", "echo \"$HOME\"", "printf '%s\\n' a",
    "git fetch origin", "git pull --rebase", "git checkout -b fix/push", "git log --grep=push",
    "git stash push -m x", "uv run pytest", "pip install -r requirements.txt",
    "sleep 1; ls", "date +%s", "cat > a.sh <<'EOF'\nrm -rf build\ngit push\nEOF",
    "cat <<'EOF' | python3\nprint(1)\nEOF", "echo 'rm x' >> notes.txt", "diff a b",
    "sort a | uniq -c | sort -rn | head",
    "xargs -n1 basename < list", "find . -type f -exec grep -l push {} +", "git config --get user.name",
    "git remote -v", "python3 manage.py migrate",
    "npm install --save-dev eslint", "yarn test", "pnpm -r build", "go test ./...", "go build ./cmd/push",
    "tree -L 2", "env | sort", "history", "time make",
    "command -v git", "ls | wc -l", "basename /a/b", "dirname $0", "realpath .", "stat a", "file a",
    "du -sh .", "df -h", "id", "uname -a", "curlie x", "rmdir empty",
    "git rm --cached a", "npm rm x", "echo rm", "man rm", "git help push", "git reset HEAD~1", "true",
    "seq 1 5", "type curl",
  ]
}

/// Many spellings of one command that is denied, each in many surroundings.
@Suite("Spellings of a denied command")
struct DeniedSpellingTests {
  private static let plain = [
    "git push", "git push -f origin main", "/usr/bin/git push", "git  push", "git -C x push",
    "git --no-pager push",
    "git \"push\"", "\"git\" push", "git\tpush origin",
  ]
  private static let hidden = [
    "g\"i\"t push", "\\git push", "$(echo git) push", "`echo git` push", "G=git; $G push", "git pu\\\nsh",
    "git $x",
    "git -c alias.x=push x", "git {push,x}", "git pus?", "git -c a=b push", "gi\\t push", "git $'push'",
  ]
  private static let surroundings = [
    "@", "a; @", "a && @", "a || @", "a | @", "(@)", "{ @; }", "env @", "sudo @", "nice -n 5 @",
    "timeout 5 @", "time @",
    "if a; then @; fi", "while a; do @; done", "echo $(@)", "echo `@`", "a\n@", "command @", "exec @",
    "X=y @", "! @",
    "nohup @", "sh -c '@'", "bash -lc '@'", "eval '@'", "xargs -n 1 @", "a <<E\n$(@)\nE",
    "case a in a) @;; esac",
    "f() { @; }; f", "find . -exec @ {} +", "a & @", "for x in a; do @; done", "coproc @", "a > f; @",
    "strace -f @",
  ]

  static let lines = surroundings.flatMap { around in
    // Backticks end each other.
    (plain + hidden).filter { !around.contains("`") || !$0.contains("`") }.map {
      around.replacing("@", with: $0)
    }
  }

  private func state(of line: String) throws -> AtomState {
    let definition = Capability.Commands.definition
    func decision(_ scope: String, _ verdict: Verdict) throws -> Decision {
      Decision(
        subject: Subject(label: "p"), atom: Atom("commands", "run", try Scope(scope, kind: .command)),
        verdict: verdict,
        lifetime: .forever, origin: .commandLine, decidedAt: Timestamp(seconds: 1))
    }
    let decisions = [try decision("*", .allow), try decision("git push …", .deny)]
    return DecidedAtoms(definition, decisions: decisions).state(of: Atom("commands", "run", .command(line)))
  }

  @Test("A denied command is not allowed in any spelling, although everything else is")
  func spellings() throws {
    #expect(Self.lines.count >= 700)
    for line in Self.lines { #expect(try state(of: line) != .allowed, "\(line)") }
  }

  @Test("The plain ones are denied")
  func plain() throws {
    for line in Self.plain { #expect(try state(of: line) == .denied, "\(line)") }
  }

  @Test("Ordinary lines are not asked about because of a word in an argument")
  func ordinary() throws {
    let lines = [
      "git commit -m 'git push later'", "grep -rn 'git push' docs", "echo 'do not git push'",
      "git log --grep=push",
      "npm test -- push", "ls push", "cat git push", "git stash", "git status", "swift test --filter push",
      "cd push && ls",
      "git commit -m \"$(cat <<'EOF'\ngit push\nEOF\n)\"", "rg 'git push' src", "mkdir -p git/push",
      "touch push",
    ]
    for line in lines { #expect(try state(of: line) == .allowed, "\(line)") }
  }
}
