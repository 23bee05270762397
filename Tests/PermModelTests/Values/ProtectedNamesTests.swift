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
      "/home/ana/.local/share/applications/a.desktop", "/srv/permtui", "/srv/permtui/permissions.sqlite",
    ])
  func protected(path: String) throws { #expect(Self.names.contain(try AbsolutePath(path))) }

  @Test(
    "Others are not",
    arguments: [
      "/x/.git/objects/a", "/x/git/config", "/x/.gitignore", "/x/.github/a", "/x/config", "/x/.ssh2",
      "/other/.local/bin/ls", "/home/ana/.config/app/a", "/home/ana/.local/share/a", "/srv/permtui2",
      "/home/ana",
    ])
  func notProtected(path: String) throws { #expect(!Self.names.contain(try AbsolutePath(path))) }

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
}
