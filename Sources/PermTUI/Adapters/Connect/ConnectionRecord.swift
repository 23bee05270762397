import Machine
import PermModel

/// The file beside the store in which `permtui connect` notes which lists it made in which settings, so that it removes
/// those and no others.
///
/// Each line has the path of the settings and the names of the lists, with tabs between them. If there were settings before,
/// a further field names the copy of them, and has digests of the copy and of what was written.
struct ConnectionRecord: Sendable {
  /// The settings as they were before they were changed.
  struct Original: Hashable, Sendable {
    /// The digest of what was written.
    var written: String
    /// The digest of the copy.
    var copied: String
    var copy: String
  }

  static let fileName = "connections"
  private static let mostBytes = 65_536

  private let path: String
  private var made: [String: [String]] = [:]
  private var originals: [String: Original] = [:]

  /// Reads the file in a store's folder. A missing or damaged file counts as empty.
  init(inFolder folder: String) {
    path = "\(folder)/\(Self.fileName)"
    let text = Files.text(of: path, limit: Self.mostBytes, followingLinks: false) ?? ""
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t").map(String.init)
      guard let file = fields.first else { continue }
      made[file] = fields.dropFirst().filter { !$0.hasPrefix(Original.mark) }
      originals[file] = fields.lazy.compactMap { Original($0) }.first
    }
  }

  /// Returns the lists that were made in a file; `nil` if that is not known.
  func made(in file: String) -> [String]? { made[Self.key(file)] }

  /// Notes that lists were made in a file, or that they are gone.
  mutating func note(_ lists: [String]?, in file: String) throws(SystemError) {
    let key = Self.key(file)
    made[key] = lists.map { (made[key] ?? []) + $0 }
    if lists == nil { originals[key] = nil }
    try write()
  }

  /// Notes that a file was changed, and where the old one was copied to.
  ///
  /// - Parameter hadOurs: Whether the old file had something of ours already, so that it is not the one to go back to.
  mutating func note(_ change: SettingsChange, copy: String, hadOurs: Bool) throws(SystemError) {
    guard let before = change.file.content, let after = change.after else { return }
    let key = Self.key(change.file.path)
    if let known = originals[key], known.written == Original.digest(of: before) {
      originals[key]?.written = Original.digest(of: after)
    } else if !hadOurs {
      originals[key] = Original(
        written: Original.digest(of: after), copied: Original.digest(of: before), copy: Self.key(copy))
    }
    try write()
  }

  /// Returns a file as it was before it was changed; `nil` if that is not known, or if it was changed otherwise since.
  func original(of file: SettingsFile) -> [UInt8]? {
    guard let original = originals[Self.key(file.path)], let content = file.content,
      original.written == Original.digest(of: content), let path = try? Scope.unescaped(original.copy),
      let copy = try? Files.bytes(of: String(decoding: path, as: UTF8.self), limit: 1 << 20),
      original.copied == Original.digest(of: copy)
    else { return nil }
    return copy
  }

  private func write() throws(SystemError) {
    try Folder.make(path.folderOfPath)
    let lines = made.sorted { $0.key < $1.key }.map { file, lists in
      ([file] + lists + (originals[file].map { [$0.field] } ?? [])).joined(separator: "\t") + "\n"
    }
    try Files.replace(path, text: lines.joined())
  }

  private static func key(_ file: String) -> String { Scope.escaped(Array(file.utf8)) }
}

extension ConnectionRecord.Original {
  static let mark = "original="

  /// The field of a line.
  fileprivate var field: String { "\(Self.mark)\(written) \(copied) \(copy)" }

  fileprivate init?(_ field: String) {
    let words = field.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3, words[0].hasPrefix(Self.mark) else { return nil }
    self.init(written: String(words[0].dropFirst(Self.mark.count)), copied: words[1], copy: words[2])
  }

  static func digest(of bytes: [UInt8]) -> String {
    SHA256.digest(of: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
