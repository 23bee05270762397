import CFuse
import CWalls
import PermModel

/// The layers of a run's private copies: what the program has written lies in a folder of the run, and covers what is there
/// outside.
///
/// A folder of which both layers have something is *merged*. A folder that was made in the run has nothing below it.
struct CopyLayers {
  /// A folder outside of which some entries are covered, and the folder of the run that has them.
  struct Twin {
    let folder: AbsolutePath
    let identity: FileKey
    let own: AbsolutePath
    let ownIdentity: FileKey
    let descriptor: Int32
    var names = CoveredNames()
  }

  /// By the folders outside.
  private let twins: [FileKey: Twin]
  /// The merged folders of the run, with those that they cover.
  private var merged: [FileKey: FileKey] = [:]
  /// The names that were removed, by the folder of the run: the entries outside are not shown any more.
  private var removed: [FileKey: Set<Name>] = [:]
  /// Descriptors of covered folders. Of many, only the last are kept.
  private var opened: [(key: FileKey, descriptor: Int32)] = []
  private static let mostOpened = 64

  init(_ twins: [Twin]) {
    self.twins = Dictionary(twins.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Paths that are covered, at least one in each folder.
  var roots: [AbsolutePath] {
    twins.values.flatMap { twin in
      twin.names.examples.compactMap { try? AbsolutePath(twin.folder.bytes + [0x2f] + $0) }
    }
  }

  func twin(of folder: FileKey) -> Twin? { twins[folder] }

  /// The path at which something in a folder of the run is shown; `nil` if it is not shown.
  func shown(_ path: AbsolutePath) -> AbsolutePath? {
    guard let twin = twins.values.first(where: { $0.own.isAbove(path) }) else { return nil }
    return try? AbsolutePath(twin.folder.bytes + path.bytes.dropFirst(twin.own.bytes.count))
  }

  /// The path on the host of something that is shown at a path.
  func own(_ shown: [UInt8]) -> [UInt8]? {
    for twin in twins.values where shown.starts(with: twin.folder.bytes + [0x2f]) {
      let rest = shown.dropFirst(twin.folder.bytes.count)
      guard twin.names.contains(rest.dropFirst().prefix { $0 != 0x2f }) else { continue }
      return twin.own.bytes + rest
    }
    return nil
  }

  // MARK: Names

  func isRemoved(_ name: Name, in folder: FileKey) -> Bool { removed[folder]?.contains(name) ?? false }
  func removed(in folder: FileKey) -> Set<Name> { removed[folder] ?? [] }
  mutating func remove(_ name: Name, in folder: FileKey) { removed[folder, default: []].insert(name) }

  // MARK: Folders

  func isMerged(_ folder: FileKey) -> Bool { merged[folder] != nil }
  mutating func merge(_ folder: FileKey, over lower: FileKey) { merged[folder] = lower }

  /// Forgets a folder that is gone: its number can be used again.
  mutating func forget(_ folder: FileKey) {
    merged[folder] = nil
    removed[folder] = nil
  }

  /// A descriptor of the folder that a merged one covers, if it was opened lately.
  func openedLower(of folder: FileKey) -> Int32? {
    merged[folder].flatMap { key in opened.last { $0.key == key }?.descriptor }
  }

  /// A descriptor of the folder that a merged one covers; `nil` if there is none at this path any more.
  mutating func lower(of folder: FileKey, at path: AbsolutePath) -> Int32? {
    guard let key = merged[folder] else { return nil }
    if let known = openedLower(of: folder) { return known }
    let descriptor = walls_open_exactly(path.bytes.map { CChar(bitPattern: $0) } + [0])
    guard descriptor >= 0 else { return nil }
    guard (try? NodeTable.status(descriptor)).map({ FileKey($0) }) == key else {
      close(descriptor)
      return nil
    }
    if opened.count >= Self.mostOpened { close(opened.removeFirst().descriptor) }
    opened.append((key, descriptor))
    return descriptor
  }
}
