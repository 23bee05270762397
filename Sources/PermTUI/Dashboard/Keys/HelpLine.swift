struct HelpLine: Hashable, Sendable {
  /// The keys, for example `j Down`; empty in a heading.
  var keys: String
  var text: String

  var isHeading: Bool { keys.isEmpty }
}

extension KeyTable {
  /// Returns the keys of a place: its own first, then those that work everywhere.
  func helpLines(for context: KeyContext) -> [HelpLine] {
    let places: [KeyContext] =
      switch context {
      case .request, .change, .confirmation, .notice, .reading: [context, .anywhere]
      default: [context, .list, .request, .anywhere]
      }
    return places.flatMap { place in
      let bindings = bindings.filter { $0.contexts.contains(place) && !$0.help.isEmpty }
      let lines = bindings.map { binding in
        HelpLine(keys: binding.keys.map(\.description).joined(separator: " "), text: binding.help)
      }
      return lines.isEmpty ? [] : [HelpLine(keys: "", text: place.title)] + lines
    }
  }
}
