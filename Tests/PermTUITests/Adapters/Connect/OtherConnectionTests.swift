import Foundation
import Machine
import PermModel
import Testing

@testable import PermTUI

@Suite("Connecting Deno, ssh, git and tmux")
struct OtherConnectionTests {
  private let trial: ConnectTrial

  init() throws {
    trial = try ConnectTrial()
    try Folder.make(trial.path("app/.git/hooks"))
  }

  private func file(of program: ConnectableProgram) -> String {
    switch program {
    case .deno: ".config/environment.d/60-permtui-deno.conf"
    case .ssh: ".config/systemd/user/ssh-agent.service.d/60-permtui.conf"
    case .tmux: ".tmux.conf"
    case .git: "app/.git/hooks/pre-push"
    case .claude, .codex, .notify, .portal: ""
    }
  }

  @Test("The text that is written, byte for byte")
  func bytes() throws {
    for program in [ConnectableProgram.deno, .ssh, .tmux] { try trial.run(program, .write) }
    #expect(
      trial.text(file(of: .deno))
        == """
        # >>> permtui connect deno (--remove takes these lines out)
        DENO_PERMISSION_BROKER_PATH=\(trial.home)/run/deno
        # <<< permtui connect deno

        """)
    #expect(
      trial.text(file(of: .ssh))
        == """
        # >>> permtui connect ssh (--remove takes these lines out)
        [Service]
        Environment=SSH_ASKPASS=\(trial.home)/bin/permtui-askpass
        Environment=SSH_ASKPASS_REQUIRE=force
        # <<< permtui connect ssh

        """)
    #expect(
      trial.text(file(of: .tmux))
        == """
        # >>> permtui connect tmux (--remove takes these lines out)
        bind P display-popup -E -w 80% -h 80% "\(trial.home)/bin/permtui answer"
        # <<< permtui connect tmux

        """)
  }

  @Test(
    "A new file is made once, and taken away whole", arguments: [ConnectableProgram.deno, .ssh, .tmux, .git])
  func newFile(program: ConnectableProgram) throws {
    let shown = try trial.run(program)
    #expect(shown.output.contains("a new file"))
    #expect(trial.text(file(of: program)) == nil)
    try trial.run(program, .write)
    let text = try #require(trial.text(file(of: program)))
    #expect(try trial.run(program, .write).output.isEmpty)
    #expect(trial.text(file(of: program)) == text)
    try trial.run(program, .remove)
    #expect(trial.text(file(of: program)) == nil)
    #expect(trial.names(in: file(of: program).folderOfPath).allSatisfy { !$0.contains("permtui") })
    #expect(try trial.run(program, .remove).error?.status == .denied)
  }

  @Test(
    "Lines of the person's around ours stay as they are",
    arguments: ["set -g mouse on\n", "set -g mouse on", "", "\n\n", "a\r\nb\r\n"])
  func others(text: String) throws {
    try trial.file(".tmux.conf", text)
    try trial.run(.tmux, .write)
    #expect(trial.text(".tmux.conf")?.hasPrefix(text) == true)
    try trial.run(.tmux, .remove)
    #expect(trial.text(".tmux.conf") == text)
    try trial.run(.tmux, .write)
    let connected = try #require(trial.text(".tmux.conf"))
    try trial.file(".tmux.conf", "# first\n" + connected + "\n# last\n")
    try trial.run(.tmux, .remove)
    let rest = try #require(trial.text(".tmux.conf"))
    #expect(rest.hasPrefix("# first\n" + text))
    #expect(rest.hasSuffix("\n# last\n"))
    #expect(!rest.contains("permtui"))
  }

  @Test("Lines of ours without their end are not guessed at")
  func noEnd() throws {
    try trial.run(.tmux, .write)
    let text = try #require(trial.text(".tmux.conf")).replacingOccurrences(
      of: "# <<< permtui connect tmux\n", with: "")
    try trial.file(".tmux.conf", "\n" + text)
    for step in [ConnectionWork.Step.write, .remove] {
      #expect(try trial.run(.tmux, step).error?.message.contains(".tmux.conf, line 2: ") == true)
    }
    #expect(trial.text(".tmux.conf") == "\n" + text)
  }

  @Test("ssh needs permtui-askpass beside permtui")
  func noHelper() throws {
    Files.remove(trial.path("bin/permtui-askpass"))
    #expect(try trial.run(.ssh, .write).error?.message.contains("there is no permtui-askpass") == true)
    symlink("permtui", trial.path("bin/permtui-askpass"))
    #expect(try trial.run(.ssh, .write).error == nil)
  }

  @Test("A hook of the person's is left alone")
  func ownHook() throws {
    try trial.file("app/.git/hooks/pre-push", "#!/bin/sh\nexit 0\n", mode: 0o755)
    let run = try trial.run(.git, .write)
    #expect(run.error?.message.contains("is a hook of yours") == true)
    #expect(trial.text("app/.git/hooks/pre-push") == "#!/bin/sh\nexit 0\n")
    #expect(try trial.run(.git, .remove).error?.status == .denied)
  }

  @Test("The hook asks about the address to which the push goes")
  func address() throws {
    try trial.run(.git, .write)
    let text = try #require(trial.text(file(of: .git)))
    #expect(text.contains("to=$2\n"))
    #expect(text.contains("line=\"git push $1 $to\""))
    #expect(text.contains("{ printf 'to %s\\n' \"$to\"; cat; } |\n\(trial.home)/bin/permtui request "))
  }

  @Test(
    "If git would run other hooks, the hook is not written, but can be taken away",
    arguments: [
      ("app/.git/config", "[core]\n\thooksPath = x\n"), ("app/.git/config", "[CORE] HOOKSPATH=x"),
      ("app/.git/config", "[include]\npath = x"), ("app/.git/config.worktree", "[core]\nhookspath\n"),
      (".gitconfig", "[core]\nhooksPath = /x\n"), (".config/git/config", "[core]\nhooksPath = /x\n"),
      ("root/etc/gitconfig", "[core]\nhooksPath = /x\n"),
    ])
  func otherHooks(name: String, text: String) throws {
    try trial.run(.git, .write)
    try trial.file(name, text)
    #expect(try trial.run(.git, .write).error?.message.contains("core.hooksPath") == true)
    #expect(try trial.run(.git, .remove).error == nil)
  }

  @Test("Settings of git without another folder of hooks are no reason; a linked file of a repository is")
  func linkedSettings() throws {
    try trial.file("app/.git/config", "[core]\n  # hooksPath = x\n\tbare = false\n")
    try trial.file(".gitconfig", "[include]\npath = x\n")
    try trial.run(.git, .write)
    #expect(trial.text(file(of: .git)) != nil)
    Files.remove(trial.path("app/.git/config"))
    try trial.file("other", "")
    symlink(trial.path("other"), trial.path("app/.git/config"))
    #expect(try trial.run(.git, .write).error?.message.contains("cannot be read") == true)
  }

  @Test(
    "A key of tmux that is bound already is mentioned",
    arguments: [
      ("bind P paste-buffer\n", true), ("bind-key -r 'P' x\n", true), ("bind p x\n# bind P x\n", false),
    ])
  func boundKey(text: String, isBound: Bool) throws {
    try trial.file(".tmux.conf", text)
    #expect(try trial.run(.tmux).messages.contains("bind prefix P already") == isBound)
    try trial.run(.tmux, .write)
    #expect(try trial.run(.tmux).messages.contains("bind prefix P already") == isBound)
  }

  @Test("A hook that was changed since is not removed")
  func changedHook() throws {
    try trial.run(.git, .write)
    let text = (trial.text("app/.git/hooks/pre-push") ?? "").replacingOccurrences(
      of: "esac\n", with: "esac\nmake lint || exit\n")
    try trial.file("app/.git/hooks/pre-push", text, mode: 0o700)
    #expect(try trial.run(.git, .remove).error?.message.contains("was changed") == true)
    #expect(trial.text("app/.git/hooks/pre-push") == text)
  }

  @Test("Outside of a repository there is no hook to write")
  func noRepository() throws {
    var places = trial.places
    places.here = trial.path("bin")
    #expect(try trial.run(.git, .write, places: places).error?.message == "there is no repository here")
  }
}
