import Machine
import PermModel

/// A program that may be named in another program's settings, because nobody but its owner or root can put another
/// program in its place.
struct TrustedExecutable: Hashable, Sendable {
  let path: String

  /// - Parameter path: The absolute path of a file, without links.
  init(_ path: String) throws(CommandError) {
    self.path = path
    if let reason = Self.objection(to: path) {
      throw CommandError(
        "\(path) cannot be named in settings: \(reason)",
        advice: ["install permtui where only you can write, as 'make install' does, and run that one"])
    }
  }

  /// Returns the reason why a program must not be named in settings; `nil` if there is none.
  static func objection(to path: String) -> String? {
    guard path.hasPrefix("/"), path.allSatisfy(\.isPlainInSettings) else {
      return "its path contains a character that is special to some programs"
    }
    guard Paths.resolved(path) == path, let file = FileStatus(path), file.kind == .file else {
      return "there is no such file"
    }
    guard file.mode & 0o111 != 0 else { return "it cannot be run" }
    if let reason = objection(path, file) { return reason }
    var folder = path
    while folder != "/" {
      folder = folder.folderOfPath
      guard let status = FileStatus(folder) else { return "\(folder) cannot be examined" }
      // In a folder such as /tmp, everybody can create files, but only replace those that are their own.
      if status.isSticky, status.isTrusted { continue }
      if let reason = objection(folder, status) { return reason }
    }
    return nil
  }

  private static func objection(_ path: String, _ status: FileStatus) -> String? {
    guard status.isTrusted else { return "\(path) belongs to somebody else" }
    return status.isWritableByOthers ? "others can write to \(path) (chmod go-w \(path.shellQuoted))" : nil
  }
}

extension FileStatus {
  /// Whether the file belongs to this user or to root.
  fileprivate var isTrusted: Bool { isOwn || owner == 0 }
}
