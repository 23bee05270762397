import PermBroker

/// Lines of ours in a settings file whose comments begin with `#`, between two lines that mark them.
struct MarkedBlock: Sendable {
  let name: String
  let lines: [String]

  private var start: String { "# >>> permtui connect \(name) (--remove takes these lines out)" }
  private var end: String { "# <<< permtui connect \(name)" }

  private var text: String { ([start] + lines + [end]).joined(separator: "\n") }

  /// Returns the content with the block: in its old place, or at the end.
  func added(to content: [UInt8]?) throws(TextProblem) -> [UInt8] {
    let content = content ?? []
    if let range = try range(in: content) {
      return content[..<range.lowerBound] + Array(text.utf8) + content[range.upperBound...]
    }
    // If the content has no final line end, the block has none either, so that removing it restores the content.
    return content.isEmpty || content.last == 0x0a
      ? content + Array((text + "\n").utf8) : content + Array(("\n" + text).utf8)
  }

  /// Returns the content without the block; `nil` if there is no block.
  func removed(from content: [UInt8]) throws(TextProblem) -> [UInt8]? {
    guard var range = try range(in: content) else { return nil }
    if range.upperBound < content.count {
      range = range.lowerBound..<range.upperBound + 1
    } else if range.lowerBound > 0 {
      range = range.lowerBound - 1..<range.upperBound
    }
    return Array(content[..<range.lowerBound] + content[range.upperBound...])
  }

  /// Returns the lines of ours that a file has; `nil` if it has none.
  func found(in content: [UInt8]) throws(TextProblem) -> [String]? {
    try range(in: content).map { range in
      String(decoding: content[range], as: UTF8.self).split(separator: "\n").dropFirst().dropLast().map(
        String.init)
    }
  }

  /// Returns the place of the block, without the line end behind it.
  private func range(in content: [UInt8]) throws(TextProblem) -> Range<Int>? {
    var (place, first) = (0, Int?.none)
    for line in content.split(separator: 0x0a, omittingEmptySubsequences: false) {
      if line.elementsEqual(start.utf8), first == nil { first = place }
      if let first, line.elementsEqual(end.utf8) { return first..<place + line.count }
      place += line.count + 1
    }
    guard let first else { return nil }
    throw TextProblem(line: content.line(at: first), reason: "the line '\(end)' is missing below")
  }
}
