/// An array that allocates no memory while it holds at most one element.
struct Few<Element: Sendable>: Sendable {
  private var first: Element?
  /// The elements after the first; `nil` if there are none, because releasing an empty array takes longer.
  private var rest: [Element]?

  var isEmpty: Bool { first == nil }

  mutating func append(_ element: Element) {
    if first == nil {
      first = element
    } else if rest == nil {
      rest = [element]
    } else {
      rest?.append(element)
    }
  }

  @inline(__always)
  func forEach(_ body: (Element) -> Void) {
    guard let first else { return }
    body(first)
    guard let rest else { return }
    for element in rest { body(element) }
  }
}

extension Few where Element: Equatable {
  func contains(_ element: Element) -> Bool { first == element || (rest?.contains(element) ?? false) }
}
