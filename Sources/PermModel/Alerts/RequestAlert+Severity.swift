extension RequestAlert {
  /// Returns the word that must be typed to allow these atoms for this lifetime; `nil` if none is needed.
  package func typedWord(for atoms: Set<Atom>, lifetime: LifetimeChoice) -> String? {
    request.typedWord(severity, for: atoms, lifetime: lifetime)
  }
}

extension Request {
  /// The parts that programs ask for so often that a word for every single use would soon be typed without reading.
  fileprivate static let frequent = ["commands": ["run"], "code": ["load"], "keys": ["use"]]

  /// Returns the word that must be typed to allow these atoms for this lifetime; `nil` if none is needed.
  ///
  /// - Parameter severity: The severity of what is asked for.
  package func typedWord(
    _ severity: Severity, for answered: Set<Atom>, lifetime: LifetimeChoice
  ) -> String? {
    guard severity == .severe else { return nil }
    let isBrief = lifetime == .once || lifetime == .process
    return isBrief && answered.isSubset(of: atoms) && atoms.allSatisfy(\.isFrequentUse) ? nil : capability
  }
}

extension Atom {
  fileprivate var isFrequentUse: Bool {
    scope != .any && Request.frequent[capability]?.contains(name) == true
  }
}
