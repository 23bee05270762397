extension RequestAlert {
  /// Returns the word that must be typed to allow these atoms for this lifetime; `nil` if none is needed.
  package func typedWord(for atoms: Set<Atom>, lifetime: LifetimeChoice) -> String? {
    word(for: atoms, lifetime: lifetime)?.text
  }

  /// Returns the same, with what can happen.
  package func word(for atoms: Set<Atom>, lifetime: LifetimeChoice) -> TypedWord? {
    request.word(severity, for: atoms, lifetime: lifetime)
  }
}

extension Request {
  /// Returns the word that must be typed to allow these atoms for this lifetime; `nil` if none is needed.
  ///
  /// - Parameter severity: The severity of what is asked for.
  package func word(
    _ severity: Severity, for answered: Set<Atom>, lifetime: LifetimeChoice
  ) -> TypedWord? {
    TypedWord(allowing: answered, of: capability, severity, for: lifetime, .current, facts)
  }
}
