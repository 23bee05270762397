import PermBroker
import PermModel

/// The text of a JSON document. Changes touch only the bytes of what is added or removed, so that the order, the layout
/// and the line ends of everything else stay as the person wrote them.
struct JSONDocument: Hashable, Sendable {
  private(set) var bytes: [UInt8]
  private(set) var root: JSONNode

  init(_ bytes: [UInt8]) throws(TextProblem) {
    self.bytes = bytes
    root = try JSONReader.read(bytes)
  }

  /// Returns the problem with a value, on the line where the value begins.
  func problem(_ reason: String, at node: JSONNode) -> TextProblem {
    TextProblem(line: bytes.line(at: node.range.lowerBound), reason: reason)
  }

  private mutating func replace(_ range: Range<Int>, with text: String) throws(TextProblem) {
    var changed = bytes
    changed.replaceSubrange(range, with: text.utf8)
    self = try JSONDocument(changed)
  }

  /// Replaces a value with a string.
  mutating func set(_ node: JSONNode, to text: String) throws(TextProblem) {
    try replace(node.range, with: text.jsonQuoted)
  }

  /// Adds a member at the end of an object.
  mutating func add(_ member: JSONDraft.Member, to object: JSONNode) throws(TextProblem) {
    try add(to: object) { $0.text(of: member, indent: $1) }
  }

  /// Adds an element at the end of an array.
  mutating func add(_ element: JSONDraft, to array: JSONNode) throws(TextProblem) {
    try add(to: array) { $0.text(of: element, indent: $1) }
  }

  private mutating func add(
    to container: JSONNode, _ text: (_ layout: JSONLayout, _ indent: String) -> String
  ) throws(TextProblem) {
    let layout = layout
    guard let last = container.children.last else {
      let inside = container.range.lowerBound + 1..<container.range.upperBound - 1
      guard let unit = layout.unit else { return try replace(inside, with: text(layout, "")) }
      let outer = indent(ofLineAt: container.range.lowerBound)
      let line = layout.newline + outer
      return try replace(inside, with: line + unit + text(layout, outer + unit) + line)
    }
    let end = last.upperBound..<last.upperBound
    guard let indent = indentOfChildren(container) else {
      return try replace(end, with: layout.comma + text(layout.flat, ""))
    }
    try replace(end, with: "," + layout.newline + indent + text(layout, indent))
  }

  /// Removes a member or an element, together with the comma that separated it from its neighbour.
  mutating func remove(_ index: Int, of container: JSONNode) throws(TextProblem) {
    let children = container.children
    let range =
      if children.count == 1 {
        container.range.lowerBound + 1..<container.range.upperBound - 1
      } else if index > 0 {
        children[index - 1].upperBound..<children[index].upperBound
      } else {
        children[0].lowerBound..<children[1].lowerBound
      }
    try replace(range, with: "")
  }
}

// MARK: - The layout

extension JSONDocument {
  /// The layout that the document has, as its first member shows it.
  private var layout: JSONLayout {
    guard let first = root.children.first else { return JSONLayout(unit: "  ") }
    let isSpaced =
      root.members?.first.map { bytes[$0.value.range.lowerBound - 1] != UInt8(ascii: ":") } ?? true
    let newline = bytes[..<first.lowerBound].contains(0x0d) ? "\r\n" : "\n"
    return JSONLayout(unit: indentOfChildren(root), newline: newline, isSpaced: isSpaced)
  }

  /// Returns the indentation of the first child, if it begins on a line of its own.
  private func indentOfChildren(_ container: JSONNode) -> String? {
    guard let first = container.children.first else { return nil }
    let gap = bytes[container.range.lowerBound + 1..<first.lowerBound]
    guard let newline = gap.lastIndex(of: 0x0a) else { return nil }
    return String(decoding: gap[(newline + 1)...], as: UTF8.self)
  }

  /// Returns the indentation of the line that contains a byte.
  private func indent(ofLineAt place: Int) -> String {
    let start = bytes[..<place].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }
}
