import CFuse
import Machine
import PermModel

/// The names in the home folder to which known programs write whenever they run, and which nobody has to be asked about:
/// what is written there goes to a private copy of the run.
enum OwnNames {
  /// The caches of each program. A slash at the end means a folder.
  private static let caches: [String: [String]] = {
    let npm = [".npm/", ".cache/node-gyp/"]
    let pip = [".cache/pip/"]
    return [
      "deno": [".cache/deno/"], "npm": npm, "npx": npm, "pip": pip, "pip3": pip,
      "cargo": [
        ".cargo/registry/", ".cargo/git/", ".cargo/.package-cache", ".cargo/.package-cache-mutate",
        ".cargo/.global-cache", ".cargo/.global-cache-journal",
      ],
      "go": [".cache/go-build/", "go/pkg/mod/", "go/pkg/sumdb/"],
    ]
  }()

  /// A name of which the run gets a private copy.
  struct Cover: Hashable {
    var path: AbsolutePath
    var isFolder: Bool
  }

  /// Returns the names to which a program writes, as they are on this machine.
  static func covers(of program: String, home: String?) -> [Cover] {
    guard let home else { return [] }
    let found = (caches[program.lastPathPart] ?? []).compactMap { cover($0, home) }
    return Array(Set(found.filter { cover in !found.contains { $0.path.isAbove(cover.path) } }))
  }

  private static func cover(_ name: String, _ home: String) -> Cover? {
    let isFolder = name.hasSuffix("/")
    let path = isFolder ? String(name.dropLast()) : name
    if let bytes = Paths.resolved(Array("\(home)/\(path)".utf8)) {
      guard let status = FileStatus(bytes), status.kind == (isFolder ? .folder : .file),
        let found = try? AbsolutePath(bytes)
      else { return nil }
      return Cover(path: found, isFolder: isFolder)
    }
    if let found = missing(path, home) { return Cover(path: found, isFolder: isFolder) }
    // The folder of all caches may be missing, too. Then there is nothing in it that somebody else could need.
    guard path.hasPrefix(".cache/"), let found = missing(".cache", home) else { return nil }
    return Cover(path: found, isFolder: true)
  }

  /// The path of a name that does not exist yet, in a folder that does.
  private static func missing(_ name: String, _ home: String) -> AbsolutePath? {
    let whole = "\(home)/\(name)"
    guard let folder = Paths.resolved(Array(whole.folderOfPath.utf8)), FileStatus(folder)?.kind == .folder
    else { return nil }
    return try? AbsolutePath(folder + [0x2f] + Array(whole.lastPathPart.utf8))
  }
}
