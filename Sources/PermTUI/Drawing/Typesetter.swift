import PermModel

/// Fits strings into cells: escapes untrusted text from other programs, shortens strings, and breaks them into lines. A
/// mark shows where text is left out.
struct Typesetter: Sendable {
  let measure: any CellMeasure

  func width(of text: String) -> Int { measure.width(of: text) }
  func width(of text: Substring) -> Int { measure.width(of: text) }

  /// Returns text from another program, with escapes for all characters that could deceive the reader or that this
  /// terminal cannot show.
  func visible(_ foreign: String) -> String {
    VisibleText.isPlain(foreign) ? foreign : VisibleText.escaped(foreign, measure: measure)
  }

  /// Returns words about values, in which everything foreign is escaped already, with escapes for all characters that
  /// this terminal cannot show.
  func visibleWords(_ words: String) -> String {
    if VisibleText.isPlain(words) { return words }
    return words.split(separator: "\\", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(
      separator: "\\")
  }

  /// Returns whether `text` takes at most `limit` cells. Most texts need not be measured for that, because no character
  /// takes more cells than bytes.
  func fits(_ text: String, in limit: Int) -> Bool { text.utf8.count <= limit || width(of: text) <= limit }

  /// Returns `text` in at most `limit` cells. If the text is longer, `…` replaces its end.
  func cut(_ text: String, to limit: Int) -> String {
    if fits(text, in: limit) { return text }
    guard limit > 0 else { return "" }
    return String(prefix(of: text[...], cells: limit - 1)) + "…"
  }

  /// Returns `text` in at most `limit` cells. If the text is longer, `…` replaces its start. This suits a line that is
  /// being typed, because the end of such a line matters most.
  func cutStart(_ text: String, to limit: Int) -> String {
    if fits(text, in: limit) { return text }
    var end = Substring(text)
    while !end.isEmpty, width(of: end) > max(0, limit - 1) { end.removeFirst() }
    return "…" + end
  }

  /// Returns `text` in at most `limit` cells. If the text is longer, `…` replaces its middle. This suits names and
  /// paths, whose ends tell them apart.
  func cutMiddle(_ text: String, to limit: Int) -> String {
    if fits(text, in: limit) { return text }
    let start = prefix(of: text[...], cells: max(0, limit) / 3)
    return String(start) + cutStart(String(text[start.endIndex...]), to: limit - width(of: start))
  }

  /// Returns `text` in at most `limit` cells. If the text is longer, `…+12` replaces its end and says how many characters
  /// that had.
  func cutCounting(_ text: String, to limit: Int) -> String {
    if fits(text, in: limit) { return text }
    var mark = ""
    // The number itself takes cells, and can so become longer.
    for _ in 0..<3 {
      let start = prefix(of: text[...], cells: max(0, limit - max(3, mark.count)))
      let longer = "…+\(text.count - start.count)"
      if longer.count == mark.count || longer.count > limit { return cut(String(start) + longer, to: limit) }
      mark = longer
    }
    return cut(text, to: limit)
  }

  /// Returns one line with as many of the names as fit, followed by the number of names that are left out.
  ///
  /// - Parameter count: The total number of names. It can be larger than the number of elements in `names`.
  func list(_ names: [String], of count: Int, to limit: Int) -> String {
    let widths = names.map { width(of: $0) }
    var shown = names.count
    var used = widths.reduce(0, +) + 2 * max(0, shown - 1)
    if shown == count, used <= limit { return names.joined(separator: ", ") }
    while shown > 0 {
      let more = " and \(count - shown) more"
      if shown < count, used + more.utf8.count <= limit {
        return names[..<shown].joined(separator: ", ") + more
      }
      shown -= 1
      used -= widths[shown] + (shown > 0 ? 2 : 0)
    }
    return names.first.map { first in
      let more = count > 1 ? " and \(count - 1) more" : ""
      return cut(cut(first, to: max(1, limit - more.count)) + more, to: limit)
    } ?? ""
  }

  /// Returns `text` padded with blanks to `length` cells, or cut if it is longer.
  func pad(_ text: String, to length: Int) -> String {
    let text = cut(text, to: length)
    return text + String(repeating: " ", count: max(0, length - width(of: text)))
  }

  /// Returns `text` broken into lines of at most `limit` cells, after blanks if possible. Every character is kept, so a
  /// line that is broken after a blank might exceed the limit by that blank.
  func wrap(_ text: String, to limit: Int) -> [String] {
    let limit = max(2, limit)
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var rest = paragraph
      while width(of: rest) > limit {
        var line = prefix(of: rest, cells: limit)
        if rest[line.endIndex] == " " {
          line = rest[...line.endIndex]
        } else if let blank = line.lastIndex(of: " "), blank > line.startIndex {
          line = line[...blank]
        }
        lines.append(String(line))
        rest = rest[line.endIndex...]
      }
      lines.append(String(rest))
    }
    return lines
  }

  private func prefix(of text: Substring, cells: Int) -> Substring {
    var used = 0
    var length = 0
    text.forEachPiece { piece in
      switch piece {
      case .ascii(let bytes):
        let count = min(bytes.count, max(0, cells - used))
        used += count
        length += count
        return count == bytes.count
      case .character(let character):
        used += measure.width(of: character) ?? 1
        guard used <= cells else { return false }
        length += character.utf8.count
        return true
      }
    }
    return text[..<text.endOfCharacters(before: text.utf8.index(text.startIndex, offsetBy: length))]
  }
}

extension Substring {
  /// Returns the last end of a whole character up to an index: a letter and its vowel signs stay together. If there is none,
  /// returns the index itself.
  fileprivate func endOfCharacters(before index: Index) -> Index {
    var end = index
    while end > startIndex, Index(end, within: self) == nil { end = utf8.index(before: end) }
    return end > startIndex ? end : index
  }
}
