import PermModel

/// The names in a `.git`: git's data, which is written along with the folder, and its settings, each of which can make
/// git run a program or use another repository.
enum RepositoryName: Hashable {
  case outside
  /// Objects, references, the index and the like.
  case data
  /// The file that says which commit is checked out. Git replaces it by renaming another file.
  case head
  /// Everything else, and the `.git` itself.
  case setting

  init(_ path: AbsolutePath) {
    let parts = path.bytes.split(separator: 0x2f).map { String(decoding: $0, as: UTF8.self) }
    guard let git = parts.lastIndex(where: { $0.lowercased() == ".git" }) else {
      self = .outside
      return
    }
    self = Self(in: Array(parts[(git + 1)...]))
  }

  private init(in parts: [String]) {
    guard let first = parts.first else {
      self = .setting
      return
    }
    if parts == ["HEAD"] {
      self = .head
    } else if parts.starts(with: ["objects", "info", "alternates"]) {
      self = .setting
    } else if Self.folders.contains(first) {
      self = .data
    } else if first == "info", parts.count == 2, parts[1] == "refs" || parts[1].hasPrefix("refs_") {
      // A list of references for web servers, which `git gc` writes.
      self = .data
    } else if parts.count == 1, Self.isDataFile(first) {
      self = .data
    } else {
      self = .setting
    }
  }

  private static let folders: Set<String> = [
    "objects", "refs", "logs", "sequencer", "rebase-apply", "rebase-merge",
  ]
  private static let files: Set<String> = [
    "index", "packed-refs", "shallow", "COMMIT_EDITMSG", "AUTO_MERGE", "gc.pid", "gc.log",
  ]

  private static func isDataFile(_ name: String) -> Bool {
    files.contains(name) || ["_HEAD", ".lock"].contains(where: name.hasSuffix)
      || ["MERGE_", "index.", "packed-refs."].contains(where: name.hasPrefix)
  }

  /// Whether contents are fit for a `HEAD`: a reference below `refs/`, or a hash.
  static func isHead(_ contents: [UInt8]) -> Bool {
    let text = String(decoding: contents, as: UTF8.self)
    let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
    if line.utf8.count == 40 || line.utf8.count == 64, line.utf8.allSatisfy(isHexadecimal) { return true }
    guard line.hasPrefix("ref: refs/"), line.utf8.count < 1024 else { return false }
    return !line.utf8.contains { $0 <= 0x20 && $0 != 0x20 || $0 == 0x7f } && !line.contains("..")
      && !line.dropFirst(5).contains(" ")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}
