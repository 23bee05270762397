import Machine

/// The names of files and folders that can start programs or change permissions when they are written. No wider scope
/// covers writing to them; each of them must be allowed by itself.
package struct ProtectedNames: Hashable, Sendable {
  private let home: AbsolutePath?
  /// The home folder under all of its names.
  private let homes: [AbsolutePath]
  /// The files and folders that are protected at one place only, each with everything below it.
  private var places: [AbsolutePath] { didSet { lowered = places.map(\.inLowerCase) } }
  private var lowered: [AbsolutePath]
  /// The beginnings of the paths of a store, of the files beside it and of the sockets.
  private var beginnings: Set<[UInt8]> = []
  /// Whether what git stores in a repository is protected, and not only what makes git run something.
  private var coversRepositoryData = true

  /// - Parameters:
  ///   - home: The user's home folder; `nil` if it is unknown.
  ///   - own: The files and folders in which permissions themselves are kept.
  package init(home: AbsolutePath?, own: [AbsolutePath] = []) {
    self.home = home
    let below = home.map { home in Self.belowHome.compactMap { home.appending($0) } } ?? []
    places = (below + own).withTargets
    lowered = places.map(\.inLowerCase)
    homes = [home].compactMap(\.self).withTargets
  }

  /// The same names for a program behind walls, where what git stores in a repository is written along with its folder.
  package var behindWalls: ProtectedNames {
    var names = self
    names.coversRepositoryData = false
    return names
  }

  /// Whether a file or folder is protected. A protected folder includes everything below it.
  package func contain(_ path: AbsolutePath) -> Bool { protection(of: path) != nil }

  /// The protected name on a path, and the reason for it, in words; `nil` if the path is not protected.
  package func protection(of path: AbsolutePath) -> (name: String, reason: String)? {
    // Some file systems do not tell upper and lower case apart.
    let path = path.inLowerCase
    if let place = lowered.first(where: { $0 == path || $0.isAbove(path) }) {
      return (place.lastPart, Self.placeReason)
    }
    if beginnings.contains(where: path.bytes.starts) { return ("permtui", Self.placeReason) }
    let parts = path.parts.map { String(decoding: $0, as: UTF8.self) }
    guard let found = ProtectedPattern.first(on: parts), coversRepositoryData || Self.counts(found, parts)
    else {
      return nil
    }
    return (found.parts.last ?? "", found.reason)
  }

  private static let placeReason =
    "programs that start by themselves, or PermTUI itself, obey what is written here"

  /// Whether a name counts behind walls.
  private static func counts(_ found: ProtectedPattern, _ parts: [String]) -> Bool {
    switch found.parts {
    case [".venv", "bin"], ["node_modules", ".bin"], [".gitattributes"]: false
    // Among the modules of an environment for Python, which are code, too.
    case ["*.pth"]: !parts.contains("site-packages")
    case [".git"]:
      parts.last == ".git"
        || settingsOfRepository.contains { Self.contains([".git", $0], parts) } && !isListOfReferences(parts)
    default: true
    }
  }

  /// Whether a file is the list of references for web servers, which `git gc` writes.
  private static func isListOfReferences(_ parts: [String]) -> Bool {
    let ending = parts.suffix(3)
    return ending.starts(with: [".git", "info"]) && ending.count == 3
      && ending.last?.hasPrefix("refs") == true
  }

  private static func contains(_ names: [String], _ parts: [String]) -> Bool {
    parts.indices.contains { parts[$0...].starts(with: names) }
  }

  /// Each of these can make git read another configuration, or run a program.
  private static let settingsOfRepository = [
    "commondir", "gitdir", "info", "modules", "worktrees", "remotes", "branches",
  ]

  /// Whether all values of a scope are protected.
  package func contain(_ scope: Scope) -> Bool {
    switch scope {
    case .path(let path), .folder(let path): contain(path)
    default: false
    }
  }

  /// Whether a folder is the home folder or a folder above it, so that it holds nearly everything.
  package func isTooWide(_ folder: AbsolutePath) -> Bool {
    folder == .root || homes.contains { folder == $0 || folder.isAbove($0) }
  }

  /// Whether a file or folder that is protected at its place only lies below a folder, or would.
  package func areBelow(_ folder: AbsolutePath) -> Bool {
    isTooWide(folder) || places.contains { folder.isAbove($0) }
  }

  /// Returns the folders of values that an alert can offer, the narrowest first: those that are asked for or contain what
  /// is asked for, and the project, if they cover all of the values.
  package func foldersOnOffer(for values: [Scope], project: Scope?) -> [AbsolutePath] {
    let folders = (values.compactMap(\.nearestFolder) + [project].compactMap(\.self)).filter { folder in
      values.allSatisfy(folder.covers)
    }
    return Set(folders.compactMap { if case .folder(let path) = $0 { path } else { nil } })
      .filter { !isTooWide($0) }.sorted { $1.isAbove($0) }
  }

  /// Returns the protected names that exist directly in a folder now; `nil` if there are none. Those deeper in it could
  /// only be found by walking through all of it.
  package func found(in folder: AbsolutePath) -> ProtectedFact? {
    let anywhere = ProtectedPattern.all.filter(\.isPlain).compactMap { folder.appending($0.name) }
    let own = places.filter { $0.parent == folder && !anywhere.contains($0) }
    let there = (anywhere + own).filter { FileStatus($0.bytes) != nil }
    // A folder stands for what is in it.
    let found = there.filter { name in !there.contains { $0.isAbove(name) } }
    return found.first.map { first in
      let name = Scope.escaped(Array(first.bytes.dropFirst(folder.bytes.count + 1)))
      return ProtectedFact(folder: .folder(folder), first: name, count: found.count)
    }
  }

  /// Returns a path as people write it, with `~` in place of the home folder.
  package func shortened(_ path: String) -> String {
    HomeFolder.shortened(path, home: home.map { Scope.path($0).text } ?? "")
  }
}

// MARK: - The names

extension ProtectedNames {
  private static let configurations = [
    "autostart", "systemd", "git", "environment.d", "fish", "kitty", "sway", "i3", "hypr", "pip",
    "containers", "mise",
    "direnv", "nvim",
  ]
  private static let data = ["applications", "dbus-1", "systemd"]
  private static let commands = [
    ".local/bin", "bin", "go/bin", ".deno/bin", ".cargo/bin", ".pyenv/shims", ".nvm",
  ]
  private static let belowHome: [String] =
    configurations.map { ".config/\($0)" } + commands + data.map { ".local/share/\($0)" }
}

extension AbsolutePath {
  /// The path with small letters in place of the capital ones of ASCII.
  fileprivate var inLowerCase: AbsolutePath {
    guard bytes.contains(where: { (0x41...0x5a).contains($0) }) else { return self }
    return (try? AbsolutePath(bytes.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 })) ?? self
  }

  fileprivate var lastPart: String { parts.last.map { String(decoding: $0, as: UTF8.self) } ?? "/" }
}

extension [AbsolutePath] {
  /// The paths, followed by the different paths to which links in them lead. Decisions are about paths without links.
  fileprivate var withTargets: [AbsolutePath] {
    self + compactMap(\.target).filter { !contains($0) }
  }
}

extension AbsolutePath {
  /// The path without links, as far as it exists.
  fileprivate var target: AbsolutePath? {
    for folder in [self] + parents {
      guard let real = Paths.resolved(folder.bytes) else { continue }
      let rest = folder == .root ? bytes[...] : bytes.dropFirst(folder.bytes.count)
      return try? AbsolutePath(real + rest)
    }
    return nil
  }

  fileprivate func appending(_ part: String) -> AbsolutePath? {
    try? AbsolutePath(bytes + "/\(part)".utf8)
  }
}

// MARK: - The names of this user

extension ProtectedNames {
  /// The names that are protected for the user who runs this process.
  package static let current = ProtectedNames(
    environment: Environment.variables, listedHome: Users.homeFolder, user: Users.current)

  /// - Parameter listedHome: The home folder according to the list of users.
  init(environment: [String: String], listedHome: String?, user: UInt32) {
    func folder(_ variable: String) -> String? { Paths.folder(environment[variable]) }
    let home = folder("HOME") ?? listedHome
    let config = folder("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
    let state = folder("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
    let runtime = folder("XDG_RUNTIME_DIR") ?? "/run/user/\(user)"
    var folders = [config, state, runtime].compactMap { $0.map { $0 + "/permtui" } }
    // Programs look for these names below the folders that the variables name, if there are any.
    for (variable, names) in [("XDG_CONFIG_HOME", Self.configurations), ("XDG_DATA_HOME", Self.data)] {
      if let place = folder(variable) { folders += names.map { "\(place)/\($0)" } }
    }
    // A program can be started with another home folder than the one in the list of users.
    let others =
      listedHome == home ? [] : Self.belowHome.compactMap { name in listedHome.map { "\($0)/\(name)" } }
    self.init(
      home: home.flatMap { try? AbsolutePath($0) },
      own: (folders + others).compactMap { try? AbsolutePath($0) })
    // The sockets of a store that does not lie in the usual folder have a longer name.
    for folder in [runtime, "/run/user/\(user)"] { protect("permtui-", in: folder) }
    if let store = environment["PERMTUI_STORE"], !store.isEmpty { self = protecting(storeAt: store) }
  }

  /// Returns the same names, together with those of a store: its file, the files that are kept beside it under similar
  /// names, its backups, and its sockets if they are beside it.
  package func protecting(storeAt path: String) -> ProtectedNames {
    var names = self
    let path = Paths.absolute(path)
    let folder = path.folderOfPath
    let own =
      [path, "\(folder)/backups", "\(folder)/run"] + ["known-links", "connections"].map { "\(folder)/\($0)" }
    names.places += own.compactMap { try? AbsolutePath($0) }.withTargets.filter { !contain($0) }
    let stem = [".sqlite", ".db"].first { path.hasSuffix($0) }.map { path.dropLast($0.count) } ?? path[...]
    let name = String(stem).lastPathPart
    for beginning in ["\(name).", "\(name)-", "run-"] { names.protect(beginning, in: folder) }
    return names
  }

  /// Protects all entries of a folder whose names begin like this, under all names of the folder.
  private mutating func protect(_ beginning: String, in folder: String) {
    let folders = [try? AbsolutePath(folder)].compactMap(\.self).withTargets
    beginnings.formUnion(folders.compactMap { $0.appending(beginning)?.inLowerCase.bytes })
  }
}

extension Scope {
  /// The folder itself, or the folder that contains the entry.
  fileprivate var nearestFolder: Scope? {
    switch self {
    case .path(let path): path.parent.map { .folder($0) }
    case .folder: self
    default: nil
    }
  }
}
