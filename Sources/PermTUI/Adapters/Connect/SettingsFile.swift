import Machine
import PermBroker
import PermModel

/// A file with another program's settings, as it is now.
struct SettingsFile: Hashable, Sendable {
  /// The path by which the other program knows the file.
  let name: String
  /// The file itself, if the name is a link to it.
  let path: String
  /// The bytes of the file; `nil` if there is no file yet.
  let content: [UInt8]?
  private let mode: UInt32

  private static let mostBytes = 1 << 20

  /// Reads a file. A link is followed, because people keep their settings in a folder under version control and put
  /// links in their places.
  ///
  /// - Parameter newMode: The permission bits of a new file.
  init(_ name: String, newMode: UInt32 = 0o600) throws(CommandError) {
    self.name = name
    guard FileStatus(name, followingLinks: false) != nil else {
      (path, content, mode) = (name, nil, newMode)
      try Self.checkFolder(of: name)
      return
    }
    guard let path = Paths.resolved(name), let status = FileStatus(path) else {
      throw CommandError("\(name) is a link that leads nowhere", advice: ["remove it, or put a file there"])
    }
    self.path = path
    guard status.kind == .file, status.isOwn, status.links == 1 else {
      throw CommandError("\(path) is not a file of yours with a single name, so it is not changed")
    }
    try Self.checkFolder(of: path)
    mode = status.mode
    let bytes = try? Files.bytes(of: path, limit: Self.mostBytes)
    guard let bytes, bytes.count < Self.mostBytes else {
      throw CommandError("\(path) cannot be read, or is longer than \(Self.mostBytes) bytes")
    }
    content = bytes
  }

  /// Throws an error if others could put another file in the place of this one.
  private static func checkFolder(of path: String) throws(CommandError) {
    var folder = path.folderOfPath
    while FileStatus(folder, followingLinks: false) == nil, folder != "/" { folder = folder.folderOfPath }
    guard let status = FileStatus(folder), status.kind == .folder, status.isOwn, !status.isWritableByOthers
    else {
      throw CommandError(
        "others can change the folder \(folder), or it is not yours",
        advice: ["if it is yours: chmod go-w \(folder.shellQuoted)"])
    }
  }

  /// Whether the name is a link to the file.
  var isLink: Bool { path != name }

  /// Returns the error for settings that cannot be changed.
  func error(_ problem: TextProblem) -> CommandError {
    CommandError(
      "\(name), line \(problem.line): \(problem.reason)",
      advice: ["nothing was changed; correct that line, then try again"])
  }
}

// MARK: - Writing

extension SettingsFile {
  /// Puts new content in the place of the old one. The new file is complete on disk before it takes the old one's place,
  /// so that neither a crash nor a power failure leaves half of it.
  ///
  /// - Parameter new: The content; `nil` to remove the file.
  /// - Returns: The path of the copy of the old file; `nil` if there was no file.
  func write(_ new: [UInt8]?, at now: Timestamp) throws(CommandError) -> String? {
    guard try SettingsFile(name).content == content else {
      throw CommandError("another program has just changed \(name)", advice: ["try again"])
    }
    do throws(SystemError) {
      try Folder.make(path.folderOfPath)
      // A file is removed only if it contains nothing of the person's, so that there is nothing to copy.
      let backup = new == nil ? nil : try keep(at: now)
      if let new { try put(new) } else { Files.remove(path) }
      Folder.flush(path.folderOfPath)
      return backup
    } catch {
      throw CommandError("\(error)", advice: ["nothing was changed in \(name)"])
    }
  }

  /// Copies the old file to a dated name beside it.
  private func keep(at now: Timestamp) throws(SystemError) -> String? {
    guard let content else { return nil }
    let local = LocalTime(now)
    let stem = "\(path).before-permtui-\(local.date)T\(local.timeWithSeconds.filter { $0 != ":" })"
    var backup = stem
    var number = 1
    while FileStatus(backup, followingLinks: false) != nil {
      number += 1
      backup = "\(stem)-\(number)"
    }
    try Files.make(backup, content)
    try Files.setMode(backup, mode & 0o666)
    return backup
  }

  private func put(_ new: [UInt8]) throws(SystemError) {
    let draft = "\(path.folderOfPath)/.permtui-\(RandomID.make())"
    do throws(SystemError) {
      try Files.make(draft, new)
      try Files.setMode(draft, mode)
      try Files.move(draft, to: path)
    } catch {
      Files.remove(draft)
      throw error
    }
  }
}
