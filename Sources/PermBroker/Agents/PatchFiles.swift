/// The files that a patch in the form of Codex changes.
enum PatchFiles {
  private static let marks = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "]

  /// Returns the paths of all files, each once. Codex ignores blanks around a line, so a line of context can look like
  /// one that names a file. Such a line counts, too, because it is better to ask about one file too many.
  ///
  /// Lines and their beginnings are compared byte by byte, because a combining character would otherwise hide them.
  static func paths(of patch: String) -> [String] {
    var paths: [String] = []
    for line in patch.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = Substring(line).withoutBlanks
      guard let mark = marks.first(where: { line.utf8.starts(with: $0.utf8) }) else { continue }
      let path = String(Substring(line.utf8.dropFirst(mark.utf8.count)).withoutBlanks)
      if !paths.contains(where: { $0.utf8.elementsEqual(path.utf8) }) { paths.append(path) }
    }
    return paths
  }
}

extension Substring {
  fileprivate var withoutBlanks: Substring {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return Substring(scalars[first...last])
  }
}
