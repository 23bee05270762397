import Machine
import PermModel

/// The names that do not exist behind the walls: PermTUI's own configuration, store and sockets.
struct HiddenNames: Sendable {
  private let paths: Set<AbsolutePath>
  /// The beginnings of the names of files that are kept beside a store or a socket, with their folders.
  private let beginnings: [(folder: AbsolutePath, name: [UInt8])]
  private let identities: Set<LinkedFile>
  /// The last names of all of these, so that most names need no further look.
  private let lastNames: Set<[UInt8]>

  init(paths: [AbsolutePath], beginnings: [AbsolutePath]) {
    self.paths = Set(paths.flatMap(Self.withTarget))
    self.beginnings = beginnings.flatMap(Self.withTarget).compactMap { path in
      path.parent.map { ($0, path.lastName) }
    }
    identities = Set(
      self.paths.compactMap { FileStatus($0.bytes).map { LinkedFile(device: $0.device, inode: $0.inode) } })
    lastNames = Set(self.paths.map(\.lastName))
  }

  /// The path as given, and without links as far as it exists.
  private static func withTarget(_ path: AbsolutePath) -> [AbsolutePath] {
    for folder in [path] + path.parents {
      guard let real = Paths.resolved(folder.bytes) else { continue }
      let rest = folder == .root ? path.bytes[...] : path.bytes.dropFirst(folder.bytes.count)
      return [path] + [try? AbsolutePath(real + rest)].compactMap(\.self)
    }
    return [path]
  }

  /// Whether a name could be hidden in some folder.
  func mayContain(_ name: [UInt8]) -> Bool {
    lastNames.contains(name) || beginnings.contains { name.starts(with: $0.name) }
  }

  func contain(_ path: AbsolutePath) -> Bool {
    if paths.contains(path) { return true }
    guard let parent = path.parent else { return false }
    return beginnings.contains { $0.folder == parent && path.lastName.starts(with: $0.name) }
  }

  /// Whether a file is hidden, by whatever name it is reached.
  func contain(device: UInt64, inode: UInt64) -> Bool {
    identities.contains(LinkedFile(device: device, inode: inode))
  }

  /// Whether something hidden lies, or could lie, below a folder.
  func areBelow(_ folder: AbsolutePath) -> Bool {
    paths.contains { folder == $0 || folder.isAbove($0) }
      || beginnings.contains { folder == $0.folder || folder.isAbove($0.folder) }
  }
}

extension HiddenNames {
  /// The names that are hidden from the programs of the user who runs this process.
  static func current(_ environment: [String: String], home: String?, user: UInt32, store: String?)
    -> HiddenNames
  {
    func folder(_ variable: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let homes = [folder("HOME"), home].compactMap(\.self)
    let folders =
      [folder("XDG_CONFIG_HOME"), folder("XDG_STATE_HOME"), folder("XDG_RUNTIME_DIR"), "/run/user/\(user)"]
      .compactMap(\.self) + homes.flatMap { ["\($0)/.config", "\($0)/.local/state"] }
    let beside = store.map { Paths.absolute($0) }.map { store in
      let folder = store.folderOfPath
      let stem =
        [".sqlite", ".db"].first(where: store.hasSuffix).map { String(store.dropLast($0.count)) } ?? store
      return (
        own: [store, "\(folder)/backups", "\(folder)/run"],
        beginnings: [stem + ".", stem + "-", "\(folder)/run-"]
      )
    }
    let paths = folders.map { $0 + "/permtui" } + (beside?.own ?? [])
    let beginnings = folders.map { $0 + "/permtui-" } + (beside?.beginnings ?? [])
    return HiddenNames(
      paths: paths.compactMap { try? AbsolutePath($0) },
      beginnings: beginnings.compactMap { try? AbsolutePath($0) })
  }
}

extension AbsolutePath {
  /// The last part of the path.
  var lastName: [UInt8] { Array(bytes[((bytes.lastIndex(of: 0x2f) ?? -1) + 1)...]) }

  /// The path of an entry of this folder.
  func entry(_ name: Name) throws(Failure) -> AbsolutePath {
    let start = self == .root ? [] : bytes
    guard let path = try? AbsolutePath(start + [0x2f] + name.bytes) else { throw .tooLong }
    return path
  }
}
