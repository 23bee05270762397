import CFuse
import Machine
import PermModel

/// The names in the home folder to which known programs write whenever they run, and which nobody has to be asked about:
/// what is written there goes to a private copy of the run.
enum OwnNames {
  /// The caches and settings of each program. A slash at the end means a folder, a star all names that begin like this.
  private static let names: [String: [String]] = {
    let npm = [".npm/", ".cache/node-gyp/"]
    let pip = [".cache/pip/"]
    return [
      "deno": [".cache/deno/"], "npm": npm, "npx": npm, "pip": pip, "pip3": pip,
      "cargo": [
        ".cargo/registry/", ".cargo/git/", ".cargo/.package-cache", ".cargo/.package-cache-mutate",
        ".cargo/.global-cache", ".cargo/.global-cache-journal",
      ],
      "go": [".cache/go-build/", "go/pkg/mod/", "go/pkg/sumdb/"],
      "claude": [".claude.json*", ".claude/*"], "codex": [".codex/*"],
    ]
  }()

  /// The beginnings of the names of files with logins. A token that is renewed in a copy would be lost with it, and the
  /// person would be logged out, so these files are never copied.
  private static let logins = [".credentials.json", "auth.json"]

  private static let settings = [
    "claude": [
      ".claude.json", ".claude/settings.json", ".claude/settings.local.json", ".claude/CLAUDE.md",
    ],
    "codex": [".codex/config.toml", ".codex/AGENTS.md"],
  ]

  /// Returns the settings among these names, of which the person is told if a run has changed them.
  static func settings(of program: String, home: String?) -> [AbsolutePath] {
    guard let home, let real = Paths.resolved(Array(home.utf8)) else { return [] }
    return (settings[program.lastPathPart] ?? []).compactMap {
      try? AbsolutePath(real + [0x2f] + Array($0.utf8))
    }
  }

  /// Returns the names to which a program writes, as they are on this machine.
  ///
  /// - Parameter isAllowed: Returns whether the program may write a file, or all of a folder, outside.
  static func covers(
    of program: String, home: String?, unless isAllowed: (AbsolutePath, _ isFolder: Bool) -> Bool
  ) -> [CopyCover] {
    guard let home else { return [] }
    let found = (names[program.lastPathPart] ?? []).compactMap { cover($0, home) }
      .filter { !isAllowed($0.path, $0.isFolder) }
    return Array(Set(found.filter { cover in !found.contains { $0.path.isAbove(cover.path) } }))
      .map { excepting($0, isAllowed) }
  }

  private static func cover(_ name: String, _ home: String) -> CopyCover? {
    if name.hasSuffix("/*") { return inside(String(name.dropLast(2)), home) }
    if name.hasSuffix("*") {
      return missing(String(name.dropLast()), home).map { CopyCover(path: $0, reach: .beginning) }
    }
    let isFolder = name.hasSuffix("/")
    let path = isFolder ? String(name.dropLast()) : name
    if let bytes = Paths.resolved(Array("\(home)/\(path)".utf8)) {
      guard let status = FileStatus(bytes), status.kind == (isFolder ? .folder : .file),
        let found = try? AbsolutePath(bytes)
      else { return nil }
      return CopyCover(path: found, reach: isFolder ? .folder : .file)
    }
    if let found = missing(path, home) { return CopyCover(path: found, reach: isFolder ? .folder : .file) }
    // The folder of all caches may be missing, too. Then there is nothing in it that somebody else could need.
    guard path.hasPrefix(".cache/"), let found = missing(".cache", home) else { return nil }
    return CopyCover(path: found, reach: .folder)
  }

  /// All that is in a folder, except logins. If there is no such folder yet, there are none.
  private static func inside(_ name: String, _ home: String) -> CopyCover? {
    guard let folder = cover(name + "/", home) else { return nil }
    guard FileStatus(folder.path.bytes) != nil else { return folder }
    return CopyCover(path: folder.path, reach: .inside(except: logins))
  }

  /// Leaves out what the program may write outside.
  private static func excepting(
    _ cover: CopyCover, _ isAllowed: (AbsolutePath, _ isFolder: Bool) -> Bool
  ) -> CopyCover {
    guard case .inside(let logins) = cover.reach else { return cover }
    let allowed = Folder.names(in: String(decoding: cover.path.bytes, as: UTF8.self)).filter { name in
      guard let path = try? AbsolutePath(cover.path.bytes + [0x2f] + Array(name.utf8)) else { return false }
      return isAllowed(path, FileStatus(path.bytes)?.kind == .folder)
    }
    return CopyCover(path: cover.path, reach: .inside(except: logins + allowed))
  }

  /// The path of a name that does not exist yet, in a folder that does.
  private static func missing(_ name: String, _ home: String) -> AbsolutePath? {
    let whole = "\(home)/\(name)"
    guard let folder = Paths.resolved(Array(whole.folderOfPath.utf8)), FileStatus(folder)?.kind == .folder
    else { return nil }
    return try? AbsolutePath(folder + [0x2f] + Array(whole.lastPathPart.utf8))
  }
}
