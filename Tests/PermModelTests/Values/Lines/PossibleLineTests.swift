import Testing

@testable import PermModel

@Suite("Lines that are read generously")
struct PossibleLineTests {
  /// Returns how certainly a line contains a denied command.
  private func presence(_ denied: String, in line: String) -> CommandStart.Presence? {
    CommandStart(denied).map { start in
      let possible = PossibleLine(line)
      if !possible.commands(in: .start(start)).isEmpty { return .certain }
      return possible.mayContain(.start(start)) ? .possible : .absent
    }
  }

  @Test(
    "A denied command that is plainly there is found with certainty",
    arguments: [
      "git push", "git push origin main", "git  push", " git push", "git push 2>&1", "git push >log",
      "git push;", "\tgit push",
      "git \"push\"", "'git' push", "/usr/bin/git push", "./git push", "git push -f origin main",
      "git push --force",
      "cd x && git push", "make test; git push", "make test | git push", "git push | tee x",
      "git push || true", "true\ngit push",
      "git push &", "(git push)", "( cd x; git push )", "{ git push; }", "if a; then git push; fi",
      "while git push; do a; done",
      "for x in a b; do git push; done", "! git push", "FOO=1 git push", "A=b C=d git push",
      "echo $(git push)", "echo `git push`",
      "echo \"$(git push)\"", "x=$(git push)", "cat <(git push)", "git --no-pager push", "git -C p push",
      "git -c a=b push",
      "git --git-dir=x push", "git push\r\nls", "git \\\n push", "git pu\\\nsh", ">f git push",
      "2>/dev/null git push",
      "sudo git push", "nohup git push", "command git push", "exec git push", "env git push",
      "env A=b git push", "time git push",
      "timeout 60 git push", "xargs git push", "git push \"$branch\"", "git push *",
      "case a in a) git push;; esac",
      "echo \"a $(echo \"b $(git push)\")\"", "cat <<E\n$(git push)\nE", "git push # now", "# now\ngit push",
      "a & git push",
    ])
  func certain(line: String) {
    let expected: CommandStart.Presence = line.hasPrefix("cat <<E") ? .possible : .certain
    #expect(presence("git push", in: line) == expected, "\(line)")
  }

  @Test(
    "A denied command that may be there is found",
    arguments: [
      "git -x y push", "git -p push", "git $x", "git $x origin", "g=git; $g push", "$GIT push", "git pus? x",
      "${x} a", "`a` b", "{git,push}",
      "$'git' push", "git $'push'", "sh -c 'git push'", "bash -lc \"cd x && git push\"", "eval 'git push'",
      "eval git push",
      "ssh host git push", "ssh host 'cd a; git push'", "su -c 'git push' x", "sudo -u x git push",
      "nice -n 5 git push",
      "timeout -s KILL 60 git push", "find . -exec git push ;", "find . -exec sh -c 'git push' ;",
      "echo push | xargs git", "xargs -n 1 git",
      "echo git push | sh", "echo 'git push' | bash", "bash <<E\ngit push\nE", "bash <<'E'\ngit push\nE",
      "sh <<< 'git push'",
      "printf 'a\\ngit push' | sudo sh", "python3 -c \"import os; os.system('git push')\"",
      "perl -e 'system(\"git\", \"push\")'",
      "awk 'BEGIN { system(\"git push\") }'", "node -e 'x(`git push`)'", "make --eval='x: ; git push' x",
      "watch git push",
      "watch 'git push'", "git -c alias.x='!git push' x", "git -c alias.x=push x",
      "git submodule foreach 'git push'",
      "git rebase -x 'git push' main", "git bisect run git push", "trap 'git push' EXIT",
      "alias g='git push'; g",
      "GIT_SSH_COMMAND='git push' git fetch", "tar --to-command='git push' -xf a", "busybox sh -c 'git push'",
      "echo \"it's\" # don't\ngit push", "echo \"`echo \\`git push\\``\"", "a ${x:-'}'; git push; '}",
      "echo $'\\'' ; git push ; echo '",
      "f() { git push; }; f", "function f { git push; }", "echo \"$\\\n(git push)\"",
      "x=\"$(cat <<'END'\na\nEND)\"; git push; : \"\nEND\n)\"",
      "npx -c 'git push'", "npm exec -- git push", "uv run git push", "docker exec a git push",
      "parallel git push ::: a", "/lib64/ld-linux-x86-64.so.2 git push",
      "env -S 'git push'", "env --split-string='git push'", "flock f git push", "script -c 'git push'",
      "coproc git push", "a=(git push)",
      "git push\" x", "git 'push", "cat <<'E'\na\n  E\ngit push\nE", "bwrap --bind a b git push",
      "[[ -n $(git push) ]]",
    ])
  func possible(line: String) {
    #expect(presence("git push", in: line).map { $0 >= .possible } == true, "\(line)")
  }

  @Test(
    "A denied command that is only named is not found",
    arguments: [
      "git commit -m \"git push\"", "git commit -m 'then; git push'", "echo git push",
      "grep 'git push' README", "git log push", "git pull",
      "git commit -m push", "git -C push status", "git stash push", "cat <<'E' > f\ngit push\nE",
      "ls # git push", "git status && echo push",
      "git -C \"$dir\" status", "git --no-pager log", "mygit push", "git-push", "git pushed", "git help push",
      "echo \"a; git push\"",
      "git commit -m \"$(cat <<'EOF'\nTitle\n\ngit push\nEOF\n)\"", "gh pr create --body 'git push'",
      "x=1 git status", "a | grep push",
      "git fetch && npm test 2>&1 | tail -5", "printf '%s' 'git push'", "sed -n 1,5p f",
    ])
  func absent(line: String) { #expect(presence("git push", in: line) == .absent, "\(line)") }

  @Test(
    "Options of a denied command are found in every spelling",
    arguments: [
      ("rm -rf", "rm -rf x", CommandStart.Presence.certain), ("rm -rf", "rm -fr x", .possible),
      ("rm -rf", "rm -r -f x", .possible),
      ("rm -rf", "rm --recursive --force x", .possible), ("rm -rf", "rm x -rf", .certain),
      ("rm -rf", "rm -r x", .absent), ("rm -rf", "rm x", .absent),
      ("git push --force", "git push origin main --force", .certain),
      ("git push --force", "git push -f", .possible),
      ("git push --force", "git push -u origin main", .absent),
      ("git push --force", "git push origin main", .absent),
      ("rm", "rm", .certain), ("rm", "rmdir x", .absent), ("rm", "/bin/rm x", .certain),
      ("rm", "\\rm x", .certain), ("rm", "r\"\"m x", .certain),
      ("cargo publish", "cargo +nightly publish", .possible),
      ("docker push", "docker --context a push x", .certain),
    ])
  func options(denied: String, line: String, presence: CommandStart.Presence) {
    #expect(self.presence(denied, in: line) == presence)
  }

  @Test("A line of more commands than are looked for may contain every command")
  func tooLong() {
    let line = Array(repeating: "a", count: 65).joined(separator: "\n")
    #expect(presence("git push", in: line) == .possible)
    #expect(ShellLine(line).isAlwaysAsked && !ShellLine("a; a; a").isAlwaysAsked)
  }

  @Test("Texts in texts, brackets in brackets and unfinished lines are read to an end")
  func deep() {
    for text in [
      String(repeating: "(", count: 8192), String(repeating: "$(", count: 4096),
      String(repeating: "`", count: 8191),
      String(repeating: "sh -c '", count: 1000), String(repeating: "sudo ", count: 1600),
      String(repeating: "<<a ", count: 2000),
      String(repeating: "${", count: 4000), String(repeating: "\"$(", count: 2700),
      String(repeating: "a;", count: 4000),
    ] {
      #expect(
        presence("git push", in: text + "git push").map { $0 >= .possible } == true, "\(text.prefix(8))")
    }
  }

  @Test(
    "A program with leading words is written in plain words",
    arguments: [
      "", " ", "git  push", "/bin/rm", "-x", "a;b", "a 'b'", "a $x", "a *", "a\tb", "git push ", "a | b",
      "./x", "a \\b",
    ])
  func refused(text: String) { #expect(CommandStart(text) == nil) }

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
      "echo permtui undo | sh", "alias x=permtui; x undo", "p=permtui; $p undo",
      "git -c alias.x='!permtui undo' x",
      "zellij action x", "kitty @ send-text a", "wezterm cli x", "docker run a", "kubectl exec a",
      "socat a b", "su x", "pkexec a",
      "curl --unix-socket s http://x", "nc -U /run/user/1000/permtui/control",
      "cat /run/user/1000/permtui/control", "a &", "a & b",
      "nohup a", "setsid a", "a; disown", "make 'permtui'", "./run.sh permtui", "x=permtui && $x", "gdb -p 1",
      "vim --remote a",
      "sudo -A x", "explorer.exe .", "echo 'tmux kill-server' | sh", "\"$(echo permtui)\" x", "xdg-open a",
      "code .",
    ])
  func alwaysAsked(line: String) { #expect(ShellLine(line).isAlwaysAsked, "\(line)") }

  @Test(
    "Other lines are not, even if they have such a word",
    arguments: [
      "git commit -m \"at last\"", "ls permtui", "echo screen", "man tmux", "cat at",
      "git commit -m 'fix, at last'",
      "grep -r tmux .", "ls *.swift", "echo look at it > f", "A=at ls",
      "git commit -m \"Fix\n\nat first the screen\nwatch it\"",
      "grep permtui README", "cd ~/src/permtui && make", "git commit -m \"permtui: fix\"",
      "python3 -c \"open('x').read()\"",
      "xargs grep at", "find . -name screen", "sudo apt install screen", "a 2>&1", "a &> f", "a && b",
      "a |& b", "docker ps", "docker compose logs a",
      "systemctl status x", "tmux ls", "command -v docker", "gdb a", "curl http://x", "vim a", "$x a",
      "npm run code", "make open",
      "git commit -m \"$(cat <<'EOF'\nat first\nEOF\n)\"", "cat <<'E' > f\ntmux\nE",
      "git clone https://x/permtui",
    ])
  func notAlwaysAsked(line: String) { #expect(!ShellLine(line).isAlwaysAsked, "\(line)") }
}
