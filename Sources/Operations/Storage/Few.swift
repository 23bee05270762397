/// An array that allocates no memory while it holds at most one element.
enum Few<Element: Sendable>: Sendable {
  case none
  case one(Element)
  case several([Element])

  init() { self = .none }

  var isEmpty: Bool { if case .none = self { true } else { false } }

  mutating func append(_ element: Element) {
    switch self {
    case .none: self = .one(element)
    case .one(let first): self = .several([first, element])
    case .several(var elements):
      // Without this, the array would have two owners, and appending would copy it.
      self = .none
      elements.append(element)
      self = .several(elements)
    }
  }

  @inline(__always)
  func forEach(_ body: (Element) -> Void) {
    switch self {
    case .none: return
    case .one(let element): body(element)
    case .several(let elements): for element in elements { body(element) }
    }
  }
}

extension Few where Element: Equatable {
  func contains(_ element: Element) -> Bool {
    switch self {
    case .none: false
    case .one(let only): only == element
    case .several(let elements): elements.contains(element)
    }
  }
}
