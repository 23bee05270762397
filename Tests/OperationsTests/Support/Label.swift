/// A stand-in for an operation if only the state is tested.
final class Label: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }
  convenience init(stringLiteral text: String) { self.init(text) }

  static func == (left: Label, right: Label) -> Bool { left.description == right.description }
  func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
