import PermModel

/// A JSON value that is written into a document. Its members keep their order.
indirect enum JSONDraft: Hashable, Sendable {
  case object([Member])
  case array([JSONDraft])
  case text(String)
  case number(Int)

  struct Member: Hashable, Sendable {
    var name: String
    var value: JSONDraft

    init(_ name: String, _ value: JSONDraft) { (self.name, self.value) = (name, value) }
  }
}

/// The layout of a JSON document.
struct JSONLayout: Hashable, Sendable {
  /// The indentation of each level; `nil` if everything is on one line.
  var unit: String?
  var newline = "\n"
  /// Whether there is a blank after colons and commas.
  var isSpaced = true

  /// The same layout on one line.
  var flat: JSONLayout {
    var layout = self
    layout.unit = nil
    return layout
  }

  var comma: String { isSpaced ? ", " : "," }

  /// Returns the text of a member.
  func text(of member: JSONDraft.Member, indent: String) -> String {
    member.name.jsonQuoted + (isSpaced ? ": " : ":") + text(of: member.value, indent: indent)
  }

  /// Returns the text of a value that begins on a line with this indentation.
  func text(of draft: JSONDraft, indent: String) -> String {
    switch draft {
    case .text(let text): text.jsonQuoted
    case .number(let number): String(number)
    case .object(let members):
      enclosed("{", members, "}", indent) { text(of: $0, indent: indent + (unit ?? "")) }
    case .array(let elements):
      enclosed("[", elements, "]", indent) { text(of: $0, indent: indent + (unit ?? "")) }
    }
  }

  private func enclosed<Item>(
    _ start: String, _ items: [Item], _ end: String, _ indent: String, _ text: (Item) -> String
  ) -> String {
    guard let unit, !items.isEmpty else {
      return start + items.map(text).joined(separator: comma) + end
    }
    let line = newline + indent
    return start + items.map { line + unit + text($0) }.joined(separator: ",") + line + end
  }
}
