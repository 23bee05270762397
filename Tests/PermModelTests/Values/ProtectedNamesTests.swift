import Foundation
import Machine
import PermModelTesting
import Testing

@testable import PermModel

@Suite("Names that no wider scope covers")
struct ProtectedNamesTests {
  static let names = ProtectedNames(
    home: try? AbsolutePath("/home/ana"), own: [try? AbsolutePath("/srv/permtui")].compactMap(\.self))

  @Test(
    "These names are protected",
    arguments: [
      "/x/.git/config", "/x/y/.git/hooks/pre-push", "/x/.git/modules/a/config", "/x/.git",
      "/x/.git/commondir",
      "/x/.GIT/Config", "/x/.claude/settings.json", "/x/.mcp.json", "/x/.envrc", "/x/.vscode/tasks.json",
      "/.ssh/authorized_keys", "/root/.bashrc", "/x/.gitconfig", "/home/ana/.config/autostart/a.desktop",
      "/home/ana/.config/systemd/user/a.service", "/home/ana/.local/bin/ls", "/home/ana/.local/bin",
      "/x/.git/objects/a", "/x/.git/HEAD", "/x/.git/info/attributes", "/x/a.pth", "/x/A.PTH",
      "/x/app.code-workspace",
      "/x/.claude.json.bak", "/x/.emacs.d/init.el", "/x/.venv/bin/python", "/x/node_modules/.bin/tsc",
      "/x/.github/workflows/ci.yml", "/x/Jenkinsfile", "/x/.cargo/config.toml", "/x/gradlew",
      "/x/.yarnrc.yml",
      "/home/ana/.Local/BIN/ls", "/home/ana/bin/x", "/home/ana/.config/nvim/init.lua", "/SRV/PermTUI/a",
      "/home/ana/.local/share/applications/a.desktop", "/srv/permtui", "/srv/permtui/permissions.sqlite",
    ])
  func protected(path: String) throws { #expect(Self.names.contain(try AbsolutePath(path))) }

  @Test(
    "Others are not",
    arguments: [
      "/x/git/config", "/x/.venv/lib/a.py", "/x/node_modules/a", "/x/.cargo/registry/a", "/x/bin/x", "/x/pth",
      "/x/.gitignore", "/x/.github/a", "/x/config", "/x/.ssh2",
      "/other/.local/bin/ls", "/home/ana/.config/app/a", "/home/ana/.local/share/a", "/srv/permtui2",
      "/home/ana",
    ])
  func notProtected(path: String) throws { #expect(!Self.names.contain(try AbsolutePath(path))) }

  @Test("Those directly in a folder are found, the most telling first; those deeper in it are not looked for")
  func found() throws {
    let place = try TestFolder()
    let folder = try AbsolutePath(place.path)
    let names = ProtectedNames(home: nil, own: [try AbsolutePath(place.path + "/store")])
    func found() -> ProtectedFact? { names.found(in: folder) }
    func make(_ name: String) throws {
      try FileManager.default.createDirectory(
        atPath: "\(place.path)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["src/.ssh", "other"] { try make(name) }
    #expect(found() == nil)
    for name in [".vscode", "store", ".git/hooks", ".git/config"] { try make(name) }
    #expect(found() == ProtectedFact(folder: .folder(folder), first: ".git", count: 3))
    try FileManager.default.removeItem(atPath: "\(place.path)/.git")
    #expect(found()?.first == ".vscode")
    // As in a further worktree of git, where the file leads to another folder.
    try Data().write(to: URL(filePath: "\(place.path)/.git"))
    #expect(found() == ProtectedFact(folder: .folder(folder), first: ".git", count: 3))
  }

  @Test("Each name has a reason, which says what happens when it is written")
  func reasons() throws {
    let reasons = [
      "/x/.git/hooks/pre-commit": ("hooks", "git runs this file, at every commit for example"),
      "/x/.git/config": ("config", "git runs the programs that this file names"),
      "/x/.git/HEAD": (".git", "git trusts what is stored here, and can be led to run it"),
      "/x/.envrc": (".envrc", "other programs run what this file says"),
      "/home/ana/.config/autostart/a": (
        "autostart", "programs that start by themselves, or PermTUI itself, obey what is written here"
      ),
    ]
    for (path, (name, reason)) in reasons {
      let found = try #require(Self.names.protection(of: try AbsolutePath(path)))
      #expect(found == (name, reason), "\(path)")
    }
  }

  @Test("Behind walls, what git stores is not protected, but what makes it run something is")
  func behindWalls() throws {
    let names = Self.names.behindWalls
    for path in [
      "/x/.git/objects/a", "/x/.git/index", "/x/.git/HEAD", "/x/.venv/bin/a", "/x/node_modules/.bin/a",
      "/x/.git/info/refs", "/x/.git/info/refs_a", "/x/env/lib/python3.11/site-packages/a.pth",
    ] {
      #expect(!names.contain(try AbsolutePath(path)), "\(path)")
    }
    for path in [
      "/x/.git", "/x/.git/config", "/x/.git/hooks/a", "/x/.git/modules/a", "/x/.git/info/a",
      "/x/.git/info/refs/a", "/x/.ssh/a", "/x/a.pth",
    ] {
      #expect(names.contain(try AbsolutePath(path)), "\(path)")
    }
  }

  @Test("The home folder and the folders above it are too wide")
  func tooWide() throws {
    for path in ["/", "/home", "/home/ana"] { #expect(Self.names.isTooWide(try AbsolutePath(path))) }
    for path in ["/srv", "/home/ana/src", "/home/bo"] {
      #expect(!Self.names.isTooWide(try AbsolutePath(path)))
    }
  }

  @Test("The user's own folders are protected, wherever the environment says that they lie")
  func ofUser() throws {
    let names = ProtectedNames(
      environment: [
        "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": "/r", "PERMTUI_STORE": "/s/a.sqlite",
      ], listedHome: "/l", user: 7)
    let protected = [
      "/c/permtui/config.toml", "/h/.local/state/permtui/permissions.sqlite", "/r/permtui/control",
      "/s/a.sqlite",
      "/s/a.sqlite-wal", "/s/a.changed", "/h/.local/bin/a", "/l/.local/bin/a",
    ]
    for path in protected { #expect(names.contain(try AbsolutePath(path)), "\(path)") }
    for path in ["/s/b", "/c/a"] { #expect(!names.contain(try AbsolutePath(path)), "\(path)") }
    let plain = ProtectedNames(environment: [:], listedHome: "/l", user: 7)
    #expect(plain.contain(try AbsolutePath("/run/user/7/permtui/ask")))
  }

  @Test("Settings and data that start programs are protected where variables put them, too")
  func elsewhere() throws {
    let names = ProtectedNames(
      environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"], listedHome: "/l", user: 7)
    let protected = [
      "/c/autostart/a.desktop", "/c/systemd/user/a.service", "/c/git/config", "/c/environment.d/a.conf",
      "/c/fish/config.fish", "/d/applications/a.desktop", "/d/dbus-1/services/a.service", "/d/systemd",
    ]
    for path in protected { #expect(names.contain(try AbsolutePath(path)), "\(path)") }
    for home in ["/h", "/l"] {
      for name in [".config/autostart/a", ".config/git/config", ".local/share/systemd/a", ".local/bin/a"] {
        #expect(names.contain(try AbsolutePath("\(home)/\(name)")), "\(home) \(name)")
      }
    }
    for path in ["/c/a", "/c/applications", "/d/autostart", "/d/a", "/c", "/d"] {
      #expect(!names.contain(try AbsolutePath(path)), "\(path)")
    }
    // A variable that names no absolute folder is ignored, as the specification of these folders says.
    let relative = ProtectedNames(
      environment: ["HOME": "/h", "XDG_CONFIG_HOME": "c"], listedHome: "/h", user: 7)
    #expect(relative.contain(try AbsolutePath("/h/.config/git/config")))
  }

  @Test(
    "A store elsewhere is protected with what lies beside it, its backups and its sockets; nothing else is")
  func storeElsewhere() throws {
    let plain = ProtectedNames(environment: ["XDG_RUNTIME_DIR": "/r"], listedHome: "/l", user: 7)
    let names = plain.protecting(storeAt: "/s/a.sqlite")
    let protected = [
      "/s/a.sqlite", "/s/a.sqlite-wal", "/s/a.sqlite-journal", "/s/a.sqlite.broker", "/s/a.changed",
      "/s/a.lock",
      "/s/a-2026-11-22.sqlite", "/s/backups/a-2026.sqlite", "/s/known-links", "/s/run/control",
      "/s/run-0123456789abcdef/control", "/r/permtui-0123456789abcdef/control", "/run/user/7/permtui-01/ask",
    ]
    for path in protected { #expect(names.contain(try AbsolutePath(path)), "\(path)") }
    for path in protected[..<11] { #expect(!plain.contain(try AbsolutePath(path)), "\(path)") }
    for path in ["/s", "/s/b", "/s/ab", "/s/runner", "/r/other", "/r"] {
      #expect(!names.contain(try AbsolutePath(path)), "\(path)")
    }
    #expect(names.protecting(storeAt: "/s/a.sqlite") == names)
  }

  @Test("A store's own files are asked about by themselves, wherever the store is")
  func ofStore() throws {
    let place = try TestFolder()
    let world = FixedEnvironment()
    let store = try SQLiteStore(path: place.storePath, environment: world.environment)
    let path = try #require(Paths.resolved(Array(place.storePath.utf8)))
    let file = Atom("files", "write", .path(try AbsolutePath(path)))
    let around = Atom("files", "write", .folder(try #require(try AbsolutePath(path).parent)))
    let subject = Subject(label: "player", path: "/usr/bin/player")
    try store.decide(Ruling(.allow, subject: subject, atoms: [around]), by: .commandLine)
    let judge = Judge(of: subject, Capability.Files.definition, under: .none)
    #expect(try store.judgement(on: [file], by: judge).open == [file])
    let folder = path.dropLast("permissions.sqlite".utf8.count)
    let other = Atom("files", "write", .path(try AbsolutePath(folder + "other".utf8)))
    #expect(try store.judgement(on: [other], by: judge).isAllowed)
  }
}
