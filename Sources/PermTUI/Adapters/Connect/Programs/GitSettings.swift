import Machine

/// A file with git's settings, which is searched for another folder of hooks. Git runs only the hooks in that folder.
///
/// The name of a setting can be in capital or small letters, but is never split. Therefore each line that contains it,
/// and is not a comment, counts as the setting.
struct GitSettings {
  let path: String
  /// The reason, after the path, why git might run other hooks than those of the repository; `nil` if there is none.
  let otherHooks: String?

  private static let mostBytes = 1 << 20

  /// - Parameter isProject: Whether the file belongs to a repository. If so, it is not followed through links, and must
  ///   not include other files, because the repository might have been made by somebody else.
  init(_ path: String, isProject: Bool) {
    self.path = path
    guard FileStatus(path, followingLinks: false) != nil else {
      otherHooks = nil
      return
    }
    guard FileStatus(path, followingLinks: !isProject)?.kind == .file,
      let bytes = try? Files.bytes(of: path, limit: Self.mostBytes, followingLinks: !isProject),
      bytes.count < Self.mostBytes
    else {
      otherHooks = "cannot be read, and might set core.hooksPath"
      return
    }
    otherHooks = Self.otherHooks(in: bytes, isProject: isProject)
  }

  private static func otherHooks(in bytes: [UInt8], isProject: Bool) -> String? {
    let lines = bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self).lowercased() }
      .filter { !isComment($0) }
    if lines.contains(where: { $0.contains("hookspath") }) { return "sets core.hooksPath" }
    guard isProject, lines.contains(where: { $0.contains("[include") }) else { return nil }
    return "includes another file, which might set core.hooksPath"
  }

  private static func isComment(_ line: String) -> Bool {
    let rest = line.unicodeScalars.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return rest.first == "#" || rest.first == ";"
  }
}
