import PermModel

extension Atom {
  /// Returns the atom in words that begin with its value: `$ npm test`, `write ~/src/app/a.txt`, `connect example.org:443`. The
  /// words are not escaped.
  func valueWords(in catalogue: CapabilityCatalogue) -> String { valueWords { catalogue.shown($0) } }

  /// - Parameter reference: Returns the words for what has no value.
  func valueWords(_ reference: (Atom) -> String) -> String {
    switch scope {
    case _ where self == .everything: Atom.wordForEverything
    case .any: reference(self)
    case _ where scope.kind == .command: "$ \(scope.shownText())"
    default: "\(name) \(scope.shownText())"
    }
  }
}
