import PermModel

/// The companions of files that may be written: what an editor or a database keeps beside such a file for a while. They are
/// made without asking, and only if their names begin with the name of the file, or the other way about as with `.FILE.swp`.
///
/// A companion was made in this run, is a regular file that nobody can execute, and can only be renamed onto its file.
struct Companions {
  private var files: [AbsolutePath: (file: AbsolutePath, identity: FileKey)] = [:]

  /// Returns the files of which a name would be the companion. They need not exist.
  static func files(of path: AbsolutePath) -> [AbsolutePath] {
    guard let folder = path.parent else { return [] }
    return stems(path.lastName).compactMap { stem in
      stem.isEmpty ? nil : try? AbsolutePath((folder == .root ? [] : folder.bytes) + [0x2f] + stem)
    }
  }

  private static let endings = [
    "-wal", "-shm", "-journal", ".lock", ".tmp", "~", ".swp", ".bak",
  ].map { Array($0.utf8) }
  private static let temporary = Array(".tmp.".utf8)

  private static func stems(_ name: [UInt8]) -> [[UInt8]] {
    var stems = endings.filter { name.suffix($0.count).elementsEqual($0) }.map {
      Array(name.dropLast($0.count))
    }
    // Claude Code and others save with a number or a process in the name: FILE.tmp.4711.99
    for start in name.indices where name[start...].starts(with: temporary) {
      stems.append(Array(name[..<start]))
    }
    if name.starts(with: Array(".#".utf8)) { stems.append(Array(name.dropFirst(2))) }
    if name.first == 0x2e { stems += stems.filter { $0.first == 0x2e }.map { Array($0.dropFirst()) } }
    return stems
  }

  /// Notes that a companion of a file was made.
  mutating func add(_ path: AbsolutePath, of file: AbsolutePath, _ identity: FileKey) {
    files[path] = (file, identity)
  }

  func mayContain(_ path: AbsolutePath) -> Bool { files[path] != nil }

  mutating func remove(_ path: AbsolutePath) { files[path] = nil }

  /// Returns the file to which a companion belongs; `nil` if the name leads to something else, such as a file that
  /// somebody outside has put there.
  func file(of path: AbsolutePath, _ identity: FileKey) -> AbsolutePath? {
    guard let found = files[path], found.identity == identity else { return nil }
    return found.file
  }
}
