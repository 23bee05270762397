/// A planned change to one file.
struct SettingsChange: Hashable, Sendable {
  var file: SettingsFile
  /// The new content; `nil` if the file is removed.
  var after: [UInt8]?
  /// The lists that the change makes in the settings, and ``wholeFile`` if it makes the file.
  var made: [String] = []

  static let wholeFile = "file"

  /// Whether there is a difference.
  var isNeeded: Bool { after != file.content }

  /// A line of the difference between both versions of the file.
  enum Line: Hashable {
    case same(String)
    case added(String)
    case removed(String)
    /// Lines that are the same and left out.
    case omitted
  }

  /// The number of unchanged lines that are shown around each change.
  private static let context = 2

  /// The lines that change, with a few lines around them.
  var lines: [Line] {
    let all = Self.difference(Self.lines(of: file.content), Self.lines(of: after))
    let changed = all.indices.filter { all[$0].isChange }
    let shown = all.indices.filter { place in changed.contains { abs($0 - place) <= Self.context } }
    var lines: [Line] = []
    var last = -1
    for place in shown {
      if place > last + 1 { lines.append(.omitted) }
      lines.append(all[place])
      last = place
    }
    return last < all.count - 1 ? lines + [.omitted] : lines
  }

  private static func lines(of content: [UInt8]?) -> [String] {
    guard let content, !content.isEmpty else { return [] }
    var lines = content.split(separator: 0x0a, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String(decoding: $0.last == 0x0d ? $0.dropLast() : $0, as: UTF8.self) }
  }

  private static func difference(_ before: [String], _ after: [String]) -> [Line] {
    var (removed, added) = (Set<Int>(), Set<Int>())
    for step in after.difference(from: before) {
      switch step {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if removed.contains(old) {
        lines.append(.removed(before[old]))
        old += 1
      } else if added.contains(new) {
        lines.append(.added(after[new]))
        new += 1
      } else {
        lines.append(.same(before[old]))
        (old, new) = (old + 1, new + 1)
      }
    }
    return lines
  }
}

extension SettingsChange.Line {
  var isChange: Bool { self != .omitted && !isSame }

  private var isSame: Bool {
    if case .same = self { true } else { false }
  }
}
